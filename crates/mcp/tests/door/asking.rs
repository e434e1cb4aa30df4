//! Approvals and questions.

use std::sync::Arc;

use intermission::Value;
use intermission_store::{RunQuery, RunState, Until};
use rmcp::model::ElicitationAction;
use serde_json::json;
use tokio::sync::Notify;

use crate::client::{Client, House, Person, content, run_of};

const SEND: &str = "return await mail.send({ to: 'ada' }).catch(error => `${error.code}: ${error.message}`)";

#[tokio::test]
async fn a_person_at_the_client_approves() {
    let house = House::new();
    let (person, shown) = Person::says(json!({ "decision": "approve" }));
    let view = house.client(person).await.execute(SEND).await;
    assert_eq!((&view["state"], &view["value"]), (&json!("completed"), &json!({ "to": "ada" })));
    assert_eq!(
        *shown.lock().unwrap(),
        ["A script wants to call mail.send. Is that all right?\nwith: {\"to\":\"ada\"}"]
    );
    assert_eq!(house.done.take(), ["mail.send({to: \"ada\"})"]);
}

#[tokio::test]
async fn a_client_without_a_session_is_asked_by_the_answer_to_its_request() {
    let house = House::new();
    let (person, shown) = Person::says(json!({ "decision": "approve" }));
    let client = Client::without_session(house.server().await, person).await;
    let script = "await mail.send({ to: 'ada' }); return await mail.send({ to: 'bob' })";
    let view = client.execute(script).await;
    assert_eq!((&view["state"], &view["value"]), (&json!("completed"), &json!({ "to": "bob" })));
    assert_eq!(shown.lock().unwrap().len(), 2);
    assert_eq!(house.done.take(), ["mail.send({to: \"ada\"})", "mail.send({to: \"bob\"})"]);
}

#[tokio::test]
async fn a_person_at_the_client_denies() {
    let house = House::new();
    let (person, _) = Person::says(json!({ "decision": "deny", "reason": "not today" }));
    let view = house.client(person).await.execute(SEND).await;
    assert_eq!(view["value"], "APPROVAL_DENIED: not today");
    let declines = Person::Says(ElicitationAction::Decline, json!({}), Arc::default());
    let view = house.client(declines).await.execute(SEND).await;
    assert_eq!(view["value"], "APPROVAL_DENIED: the call was not approved");
    assert_eq!(house.done.take(), [""; 0]);
}

#[tokio::test]
async fn a_person_who_leaves_it_for_later_is_asked_again_later() {
    let house = House::new();
    let leaves = Person::Says(ElicitationAction::Cancel, json!({}), Arc::default());
    let view = house.client(leaves).await.execute(SEND).await;
    assert_eq!((&view["state"], &view["questions"][0]["kind"]), (&json!("waiting"), &json!("approval")));
    let (person, shown) = Person::says(json!({ "decision": "approve" }));
    let client = house.client(person).await;
    let view = client.call("status", json!({ "run": run_of(&view) })).await;
    assert_eq!(view["state"], "completed");
    assert_eq!(shown.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_question_takes_json_or_a_text() {
    let house = House::new();
    let ask = "return await clerk.ask({ what: 'how many?' })";
    for (typed, answer) in [("7", json!(7)), ("seven", json!("seven")), ("{\"n\": 7}", json!({ "n": 7 }))] {
        let (person, shown) = Person::says(json!({ "answer": typed }));
        assert_eq!(house.client(person).await.execute(ask).await["value"], answer);
        assert_eq!(
            *shown.lock().unwrap(),
            ["clerk.ask asks: {\"what\":\"how many?\"}\nwith: {\"what\":\"how many?\"}"]
        );
    }
}

#[tokio::test]
async fn without_forms_the_question_is_given_and_polled_until_somebody_has_answered_elsewhere() {
    let house = House::new();
    let client = house.client(Person::Nobody).await;
    let view = client.execute(SEND).await;
    assert_eq!(view["state"], "waiting");
    assert_eq!(view["questions"][0]["arguments"], json!([{ "to": "ada" }]));
    let runs = house.runs().await;
    let asked = &runs.inbox(intermission_store::InboxQuery::default()).await.unwrap()[0];
    let approve = intermission::Resolution::new(asked.interruption.id.clone(), intermission::Answer::Approve);
    let polled = client.call("status", json!({ "run": run_of(&view), "wait_seconds": 0 })).await;
    assert_eq!(polled["state"], "waiting");
    runs.resolve(asked.run_id, approve, Some("ada")).await.unwrap();
    let done = runs.wait(asked.run_id, Until::Over).await.unwrap();
    assert_eq!(done.state.name(), "completed");
    let polled = client.call("status", json!({ "run": run_of(&view) })).await;
    assert_eq!(polled["value"], json!({ "to": "ada" }));
}

#[tokio::test]
async fn a_model_cannot_approve_what_its_own_script_asks_unless_it_is_let() {
    let house = House::new();
    let client = house.client(Person::Nobody).await;
    let view = client.execute(SEND).await;
    let answers = json!([{ "question": view["questions"][0]["question"], "approve": true, "argument": { "to": "bob" } }]);
    let resume = json!({ "run": run_of(&view), "answers": answers });
    let refused = client.result("resume", resume.clone()).await.unwrap();
    assert_eq!(refused.is_error, Some(true));
    assert!(content(&refused).as_str().unwrap().starts_with("a person approves calls, and not by this tool"));
    assert_eq!(house.done.take(), [""; 0]);
    let trusted = Client::of(house.server().await.let_client_approve(), Person::Nobody).await;
    assert_eq!(trusted.call("resume", resume).await["value"], json!({ "to": "bob" }));
}

#[tokio::test]
async fn a_person_may_answer_when_the_call_was_given_up_long_ago() {
    let house = House::new();
    let (shown, told) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let client = house.client(Person::Later { shown: Arc::clone(&shown), told: Arc::clone(&told) }).await;
    tokio::select! {
        view = client.execute(SEND) => panic!("nobody has answered: {view}"),
        () = shown.notified() => {}
    }
    told.notify_one();
    let runs = house.runs().await;
    let run = runs.list(RunQuery::default()).await.unwrap()[0].run_id;
    let over = runs.wait(run, Until::Over).await.unwrap();
    assert_eq!(over.state, RunState::Completed { value: Value::object([("to", "ada")]) });
}

#[tokio::test]
async fn an_answer_must_be_of_the_kind_of_its_question() {
    let house = House::new();
    let client = house.client(Person::Nobody).await;
    let view = client.execute("return await clerk.ask('?')").await;
    let question = &view["questions"][0]["question"];
    let refused = async |answer: serde_json::Value| {
        let resume = json!({ "run": run_of(&view), "answers": [answer] });
        content(&client.result("resume", resume).await.unwrap()).as_str().unwrap().to_owned()
    };
    let id = question.as_str().unwrap();
    assert_eq!(
        refused(json!({ "question": question })).await,
        format!(
            "the answer to {id} has one of `value`, `approve`, `happened` and `did_not_happen`, as its kind is"
        )
    );
    let kind = refused(json!({ "question": question, "approve": false })).await;
    assert_eq!(
        kind,
        format!("the interruption {id} cannot be answered so: a host function asks: answer with a value")
    );
    assert!(refused(json!({ "question": "int_x", "value": 1 })).await.starts_with("`int_x` is no question"));
}
