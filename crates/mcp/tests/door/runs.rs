//! Runs: their values and failures, and calls that are made again.

use serde_json::json;

use crate::client::{Client, House, Person, content, run_of};

#[tokio::test]
async fn a_script_is_run_and_its_value_given() {
    let house = House::new();
    let client = house.client(Person::Nobody).await;
    let view = client
        .call("execute", json!({ "code": "console.log('hi', input.n); return { n: await count(input.n + 1) }", "input": { "n": 1 } }))
        .await;
    assert_eq!((&view["state"], &view["value"]), (&json!("completed"), &json!({ "n": 2 })));
    assert_eq!(view["console"], json!(["log: hi 1"]));
    assert_eq!(house.done.take(), ["count(2)"]);
}

#[tokio::test]
async fn a_script_that_fails_is_an_error_with_its_code() {
    let client = House::new().client(Person::Nobody).await;
    let result =
        client.result("execute", json!({ "code": "throw new RangeError('too far')" })).await.unwrap();
    assert_eq!(result.is_error, Some(true));
    let view = content(&result);
    assert_eq!(view["state"], "failed");
    assert_eq!(view["error"], json!({ "code": "SCRIPT_ERROR", "message": "RangeError: too far" }));
}

#[tokio::test]
async fn a_run_that_takes_long_is_polled_and_not_run_again() {
    let house = House::new();
    let client = house.client(Person::Nobody).await;
    let code = "await count(1); const answer = await clerk.ask('go on?'); await count(2); return answer";
    let arguments = json!({ "code": code, "wait_seconds": 0 });
    let first = client.call("execute", arguments.clone()).await;
    let asking = client.call("status", json!({ "run": run_of(&first) })).await;
    assert_eq!((&asking["state"], &asking["questions"][0]["asks"]), (&json!("waiting"), &json!("go on?")));
    let again = client.call("execute", arguments.clone()).await;
    assert_eq!(run_of(&again), run_of(&first));
    assert_eq!(house.done.take(), ["count(1)"]);
    let answers = json!([{ "question": asking["questions"][0]["question"], "value": "yes" }]);
    let done = client.call("resume", json!({ "run": run_of(&first), "answers": answers })).await;
    assert_eq!((&done["state"], &done["value"]), (&json!("completed"), &json!("yes")));
    assert_eq!(house.done.take(), ["count(2)"]);
    // It was told: the same script is a new run from now on.
    let new = client.call("execute", arguments).await;
    assert_ne!(run_of(&new), run_of(&first));
}

#[tokio::test]
async fn a_key_gives_the_same_run_for_ever_also_after_a_restart() {
    let house = House::new();
    let work = json!({ "code": "return await count(1)", "key": "monday" });
    let first = house.client(Person::Nobody).await.call("execute", work.clone()).await;
    let client = house.client(Person::Nobody).await;
    let second = client.call("execute", work).await;
    assert_eq!((run_of(&second), &second["value"]), (run_of(&first), &json!(1)));
    assert_eq!(house.done.take(), ["count(1)"]);
    let other = client.result("execute", json!({ "code": "return 2", "key": "monday" })).await.unwrap();
    assert_eq!(
        content(&other),
        json!("the key `monday` belongs to another script: use another one, or the same script")
    );
}

#[tokio::test]
async fn what_waits_is_there_after_a_restart() {
    let house = House::new();
    let view = house.client(Person::Nobody).await.execute("return await clerk.ask('who?')").await;
    assert_eq!(view["state"], "waiting");
    let client = house.client(Person::Nobody).await;
    let answers = json!([{ "question": view["questions"][0]["question"], "value": { "name": "ada" } }]);
    let resume = json!({ "run": run_of(&view), "answers": answers });
    let done = client.call("resume", resume.clone()).await;
    assert_eq!(done["value"], json!({ "name": "ada" }));
    // The same answer again is the same; another is a conflict that says which was first.
    assert_eq!(client.call("resume", resume).await["value"], done["value"]);
    let other = json!([{ "question": view["questions"][0]["question"], "value": "bob" }]);
    let refused = client.result("resume", json!({ "run": run_of(&view), "answers": other })).await.unwrap();
    assert_eq!(refused.is_error, Some(true));
    assert!(content(&refused).as_str().unwrap().starts_with("another answer was first"));
}

#[tokio::test]
async fn a_call_that_the_client_gives_up_goes_on() {
    let house = House::new();
    let client = house.client(Person::Nobody).await;
    let code = "return await clerk.ask('?')";
    let arguments = json!({ "code": code });
    let runs = house.runs().await;
    let begun = async {
        while runs.list(intermission_store::RunQuery::default()).await.unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        biased;
        () = begun => {}
        _ = client.call("execute", arguments.clone()) => {}
    }
    let view = client.call("execute", arguments).await;
    assert_eq!(view["state"], "waiting");
    let runs = runs.list(intermission_store::RunQuery::default()).await.unwrap();
    assert_eq!(runs.len(), 1);
}

#[tokio::test]
async fn two_clients_with_one_script_have_one_run() {
    let house = House::new();
    let server = house.server().await;
    let (one, other) =
        (Client::of(server.clone(), Person::Nobody).await, Client::of(server, Person::Nobody).await);
    let code = "return await clerk.ask('?')";
    let (one, other) = tokio::join!(one.execute(code), other.execute(code));
    assert_eq!(run_of(&one), run_of(&other));
}
