//! Finding out what there is.

use serde_json::json;

use crate::client::{House, Person};

#[tokio::test]
async fn five_tools_stand_for_all_functions() {
    let client = House::new().client(Person::Nobody).await;
    let tools = client.0.peer().list_all_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["execute", "search", "types", "status", "resume"]);
    let execute = tools[0].description.as_deref().unwrap();
    assert!(
        execute.contains("It is lent 4 functions: `mail` (2), `clerk` (1), one without a group."),
        "{execute}"
    );
    let read_only = |index: usize| tools[index].annotations.as_ref().unwrap().read_only_hint;
    assert_eq!(
        [0, 1, 2, 3, 4].map(read_only),
        [Some(false), Some(true), Some(true), Some(true), Some(false)]
    );
}

#[tokio::test]
async fn functions_are_found_by_words_and_read_by_name() {
    let client = House::new().client(Person::Nobody).await;
    let found = client.call("search", json!({ "query": "send a letter" })).await;
    let expected = json!({ "functions": [
        { "name": "mail.send", "does": "Sends a letter." },
        { "name": "mail.draft", "does": "Keeps a letter for later." },
    ] });
    assert_eq!(found, expected);
    let groups = client.call("search", json!({})).await;
    assert_eq!(groups["groups"][0], json!({ "name": "mail", "functions": 2 }));
    let types = client.call("types", json!({ "name": "mail.send" })).await;
    assert!(
        types
            .as_str()
            .unwrap()
            .contains("function send(input: { to: string; text?: string }): Promise<unknown>;"),
        "{types}"
    );
}

#[tokio::test]
async fn what_is_wrong_is_said_in_words() {
    let client = House::new().client(Person::Nobody).await;
    for (tool, arguments, words) in [
        (
            "types",
            json!({ "name": "mail.sent" }),
            "there is no function `mail.sent`; there is `mail.send`, `mail.draft`",
        ),
        (
            "execute",
            json!({ "cod": "1" }),
            "these arguments do not fit: unknown field `cod`, expected one of `code`, `input`, `key`, `wait_seconds`",
        ),
        (
            "status",
            json!({ "run": "x" }),
            "`x` is no run: `execute` gives its id, `run_` and 26 letters and digits",
        ),
        ("other", json!({}), "there is no tool `other`"),
    ] {
        let result = client.result(tool, arguments).await.unwrap();
        assert_eq!(result.is_error, Some(true), "{tool}");
        assert_eq!(crate::client::content(&result), json!(words));
    }
}
