//! Pages that are not in order say what is wrong, and where.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use intermission_testkit::{Do, Language, Need, Page, PageError, Reply, To, read_folder};

const PAGE: &str = r#"# Title

Prose.

```json host
{ "t.pay": { "does": "echo", "approval": true } }
```

## First case

needs: errors

```ts
return await t.pay(1);
```

```js module lib/a.js
export default 1;
```

```json steps
[
  { "do": "run", "asks": [["t.pay", 1]] },
  {
    "do": "resume",
    "answers": [{ "to": ["t.pay", 1], "approve": true }],
    "value": null
  }
]
```
"#;

/// What is wrong with the page when `from` is `to` in it.
fn wrong(from: &str, to: &str) -> String {
    assert!(PAGE.contains(from), "{from}");
    Page::read("page.md", &PAGE.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn a_page_is_read_into_cases() {
    let page = Page::read("page.md", PAGE).unwrap();
    assert_eq!((page.name.as_str(), page.title.as_str()), ("page", "Title"));
    let case = &page.cases[0];
    assert_eq!(case.name, "page: first-case");
    assert_eq!(case.place, ("page.md".to_owned(), 9));
    assert_eq!(case.needs, [Need::Errors]);
    assert_eq!(case.source.language, Language::Ts);
    assert_eq!(case.source.text, "return await t.pay(1);");
    assert_eq!(case.modules["lib/a.js"], "export default 1;");
    let names: Vec<&str> = case.host.keys().map(String::as_str).collect();
    assert_eq!(names, ["t.echo", "t.fail", "t.pause", "t.pay", "t.slow"]);
    let [run, resume] = case.steps.as_slice() else { panic!("{:?}", case.steps) };
    assert_eq!((run.action, run.line), (Do::Run, 23));
    assert_eq!((resume.action, resume.line), (Do::Resume, 24));
    assert_eq!(resume.value, Some(serde_json::Value::Null));
    assert_eq!(resume.answers[0].reply, Reply::Approve);
    assert!(matches!(&resume.answers[0].to, To::Call(call) if call.function == "t.pay"));
}

#[test]
fn what_steps_need_is_found_by_itself() {
    let page = Page::read("page.md", &PAGE.replacen("\"do\": \"run\",", "\"do\": \"run\", \"clock\": 5,", 1))
        .unwrap();
    assert_eq!(page.cases[0].needs, [Need::Clock, Need::Errors]);
    let case = &page.cases[0];
    assert_eq!(case.passed_over(|_| true), None);
    assert_eq!(case.passed_over(|need| need == Need::Errors).unwrap(), "needs clock");
}

#[test]
fn an_unknown_key_of_a_step_is_told_with_its_line() {
    let told = wrong("    \"value\": null", "    \"valeu\": null");
    assert!(told.starts_with("page.md:27: unknown field `valeu`, expected one of `do`, `input`"), "{told}");
}

#[test]
fn an_unknown_key_of_a_function_is_told_with_its_line() {
    let told = wrong("\"approval\"", "\"aproval\"");
    assert!(
        told.starts_with("page.md:6: unknown field `aproval`, expected one of `does`, `effect`"),
        "{told}"
    );
}

#[test]
fn an_unknown_deed_is_told() {
    let told = wrong("\"does\": \"echo\"", "\"does\": \"ehco\"");
    assert!(told.starts_with("page.md:6: unknown variant `ehco`, expected one of `echo`, `give`"), "{told}");
    let told = wrong("\"do\": \"resume\"", "\"do\": \"resum\"");
    assert!(
        told.starts_with("page.md:25: unknown variant `resum`, expected one of `run`, `resume`"),
        "{told}"
    );
}

#[test]
fn an_unknown_block_is_told() {
    assert_eq!(
        wrong("```ts", "```rust"),
        "page.md:13: unknown block `rust`: there are `js`, `ts`, each also with a name or `module NAME`, `json host` and `json steps`"
    );
}

#[test]
fn an_unknown_need_is_told() {
    assert_eq!(
        wrong("needs: errors", "needs: money"),
        "page.md:11: unknown need `money`: there are `durable`, `quorum` and `errors`; others follow from the steps"
    );
}

#[test]
fn a_step_has_one_ending() {
    let expected = "what is right is one of `value`, `asks`, `fails`, `refused`, `cancelled`";
    assert_eq!(wrong(", \"asks\": [[\"t.pay\", 1]]", ""), format!("page.md:23: {expected}"));
    assert_eq!(
        wrong("\"value\": null", "\"value\": 1, \"refused\": \"X\""),
        format!("page.md:24: {expected}")
    );
}

#[test]
fn an_answer_says_one_thing() {
    let told = wrong("\"approve\": true", "\"approve\": true, \"value\": 1");
    assert!(told.starts_with("page.md:26: an answer has one of `value`, `approve`"), "{told}");
}

#[test]
fn what_is_no_json_is_told_with_its_line() {
    let told = wrong("    \"value\": null\n", "    \"value\": nul\n");
    assert!(told.starts_with("page.md:27: expected ident"), "{told}");
}

#[test]
fn steps_name_what_is_there() {
    assert_eq!(
        wrong("\"value\": null", "\"value\": 1, \"source\": \"x\""),
        "page.md:24: there is no block `js x`"
    );
    assert_eq!(
        wrong("\"value\": null", "\"value\": 1, \"from\": 2"),
        "page.md:24: `from` is a step before this one: 1 to 1"
    );
}

#[test]
fn a_page_has_a_title_prose_and_a_case() {
    let wrong = |text: &str| Page::read("page.md", text).unwrap_err().to_string();
    assert_eq!(wrong(""), "page.md:1: the page is empty");
    assert_eq!(wrong("Prose.\n"), "page.md:1: a page begins with its title: `# Title`");
    assert_eq!(wrong("## Case\n"), "page.md:1: a page begins with its title: `# Title`");
    assert_eq!(wrong("# Title\n"), "page.md:1: a page says what went wrong, and what is right");
    assert_eq!(wrong("# Title\n\nProse.\n"), "page.md:1: a page has one case or more: `## Title`");
    assert_eq!(
        wrong("# Title\n\nProse.\n\n### Case\n"),
        "page.md:5: a case has a heading of the second level: `## Title`"
    );
    assert_eq!(wrong("# Title\n\nProse.\n\n```js\n"), "page.md:5: this block is never closed");
}

#[test]
fn a_case_has_a_script_and_steps_unless_nothing_can_do_them_yet() {
    let wrong =
        |text: &str| Page::read("page.md", &format!("# T\n\nProse.\n\n{text}")).unwrap_err().to_string();
    assert_eq!(wrong("## A\n\n```js\n1\n```\n"), "page.md:5: a case has a block `json steps`");
    assert_eq!(
        wrong("## A\n\n```json steps\n[{ \"do\": \"run\", \"value\": 1 }]\n```\n"),
        "page.md:5: a case has a script: a block `js` or `ts`"
    );
    let page = Page::read("page.md", "# T\n\nProse.\n\n## A\n\nneeds: quorum\n\n```js\n1\n```\n").unwrap();
    assert_eq!(page.cases[0].needs, [Need::Quorum]);
}

#[test]
fn two_cases_of_one_name_are_refused() {
    let case = "## A\n\n```js\n1\n```\n\n```json steps\n[{ \"do\": \"run\", \"value\": 1 }]\n```\n";
    let error = Page::read("page.md", &format!("# T\n\nProse.\n\n{case}{case}")).unwrap_err();
    assert_eq!(error.to_string(), "page.md:1: two cases are called `page: a`");
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    let error = read_folder(Path::new("no/such/folder")).unwrap_err();
    assert!(matches!(error, PageError::File { .. }));
    assert!(error.to_string().starts_with("no/such/folder: "), "{error}");
}
