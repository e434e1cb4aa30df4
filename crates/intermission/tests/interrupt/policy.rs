//! Who decides whether a call is made.

use std::sync::{Arc, Mutex};

use intermission::{
    Answer, Continuation, Decision, Ground, Policy, ProposedCall, Resolution, ResumeInput, RunError,
    RunResult, Runner, Value,
};

use crate::host::{Done, functions, put_away, run, value_text};

/// Decides as it is told last, and notes what it was asked.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<(Option<Decision>, Vec<String>)>>);

impl Told {
    fn say(&self, decision: Decision) {
        self.0.lock().unwrap().0 = Some(decision);
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().1)
    }
}

impl Policy for Told {
    fn decide(&self, call: &ProposedCall<'_>) -> Option<Decision> {
        let mut told = self.0.lock().unwrap();
        told.1.push(format!("{}{:?}", call.function.name(), call.arguments));
        told.0.clone()
    }
}

fn ask() -> Decision {
    Decision::Ask(Ground::new("much").because("it is much"))
}

fn deny() -> Decision {
    Decision::Deny(Ground::new("never").because("it is too much"))
}

fn runner(done: &Done, policy: &Told) -> Runner {
    Runner::builder().host_functions(functions(done)).policy(policy.clone()).build().unwrap()
}

/// A run that asks, with what decides about it.
async fn asking(script: &str) -> (Done, Told, Runner, intermission::InterruptionId, Continuation) {
    let (done, policy) = (Done::default(), Told::default());
    let runner = runner(&done, &policy);
    policy.say(ask());
    let (questions, continuation) = put_away(run(&runner, script).await);
    assert_eq!(policy.asked().len(), 1);
    (done, policy, runner, questions.into_values().next().unwrap(), continuation)
}

async fn resumed(
    runner: &Runner,
    continuation: &Continuation,
    id: &intermission::InterruptionId,
    answer: Answer,
) -> RunResult {
    let input = ResumeInput::new(continuation.clone()).resolve(Resolution::new(id.clone(), answer));
    runner.resume(input).await.unwrap()
}

const CAUGHT: &str = "return await t.echo(5).catch(error => [error.name, error.code, error.message])";
const DENIED: &str =
    r#"["PolicyDenied", "POLICY_DENIED", "t.echo is denied by the rule \"never\": it is too much"]"#;

#[tokio::test]
async fn a_call_that_is_denied_is_rejected_with_the_rule_and_not_made() {
    let (done, policy) = (Done::default(), Told::default());
    policy.say(deny());
    assert_eq!(value_text(run(&runner(&done, &policy), CAUGHT).await), DENIED);
    assert_eq!((done.take(), policy.asked()), (vec![], vec!["t.echo[5]".to_owned()]));
}

#[tokio::test]
async fn what_no_rule_is_about_is_left_to_the_function() {
    let (done, policy) = (Done::default(), Told::default());
    let runner = runner(&done, &policy);
    assert_eq!(value_text(run(&runner, "return await t.echo(1)").await), "1");
    let asking = run(&runner, "return await t.mail({ to: 'x' })").await;
    assert_eq!(asking.interruptions()[0].payload, Value::object([("kind", "approval")]));
}

#[tokio::test]
async fn a_rule_can_let_in_what_the_function_would_have_asked_about() {
    let (done, policy) = (Done::default(), Told::default());
    policy.say(Decision::Allow);
    let result = run(&runner(&done, &policy), "return await t.mail({ to: 'x' })").await;
    assert_eq!(value_text(result), r#"{to: "x"}"#);
}

#[tokio::test]
async fn a_question_says_its_rule_and_what_was_approved_is_made_though_it_would_be_asked_about_again() {
    let (done, policy, runner, id, continuation) = asking("return await t.echo(5)").await;
    let payload = Value::object([("kind", "approval"), ("rule", "much"), ("reason", "it is much")]);
    assert_eq!(continuation.interruptions()[0].payload, payload);
    let result = resumed(&runner, &continuation, &id, Answer::Approve).await;
    assert_eq!(value_text(result), "5");
    assert_eq!((done.take(), policy.asked()), (vec!["t.echo(5)".to_owned()], vec!["t.echo[5]".to_owned()]));
}

#[tokio::test]
async fn todays_policy_holds_for_a_call_that_was_approved_before_and_for_later_calls() {
    let (done, policy, runner, id, continuation) = asking(CAUGHT).await;
    policy.say(deny());
    let result = resumed(&runner, &continuation, &id, Answer::Approve).await;
    let ledger = result.continuation().unwrap().clone();
    assert_eq!(value_text(result), DENIED);
    assert_eq!(done.take(), [""; 0]);
    // What is recorded is not decided again.
    policy.asked();
    assert_eq!(value_text(runner.replay(ledger).await), DENIED);
    assert_eq!(policy.asked(), [""; 0]);

    let (done, policy, runner, id, continuation) =
        asking("await t.echo(1); return await t.echo(2).catch(error => error.code)").await;
    policy.say(Decision::Allow);
    let (answered, first) = (resumed(&runner, &continuation, &id, Answer::Approve).await, done.take());
    assert_eq!(
        (value_text(answered), first),
        ("2".to_owned(), vec!["t.echo(1)".to_owned(), "t.echo(2)".to_owned()])
    );
}

#[tokio::test]
async fn edited_arguments_are_decided_about_as_they_will_be_used() {
    let (done, policy, runner, id, continuation) = asking(CAUGHT).await;
    let edited = resumed(&runner, &continuation, &id, Answer::ApproveWith(vec![7.0.into()])).await;
    assert_eq!((value_text(edited), done.take()), ("7".to_owned(), vec!["t.echo(7)".to_owned()]));
    assert_eq!(policy.asked(), ["t.echo[7]"]);
    policy.say(deny());
    let edited = resumed(&runner, &continuation, &id, Answer::ApproveWith(vec![9.0.into()])).await;
    assert_eq!((value_text(edited), done.take()), (DENIED.to_owned(), vec![]));
}

#[tokio::test]
async fn a_function_that_asked_itself_is_decided_about_when_it_is_invoked_again() {
    let (done, policy) = (Done::default(), Told::default());
    let runner = runner(&done, &policy);
    policy.say(Decision::Allow);
    let script = "return await t.pause(1).catch(error => error.code)";
    let (questions, continuation) = put_away(run(&runner, script).await);
    policy.say(deny());
    let answer = Answer::Value("late".into());
    let result = resumed(&runner, &continuation, &questions["1"], answer).await;
    assert_eq!((value_text(result), done.take()), (r#""POLICY_DENIED""#.to_owned(), vec![]));
}

#[tokio::test]
async fn what_does_not_fit_its_schema_is_rejected_without_asking() {
    let (done, policy) = (Done::default(), Told::default());
    policy.say(ask());
    let script = "return await t.mail({ to: 5 }).catch(error => error.code)";
    assert_eq!(value_text(run(&runner(&done, &policy), script).await), r#""HOST_INPUT_INVALID""#);
}

#[tokio::test]
async fn a_blocking_call_is_denied_in_place_and_cannot_be_asked_about() {
    let (done, policy) = (Done::default(), Told::default());
    let runner = runner(&done, &policy);
    policy.say(deny());
    let script = "try { return now() } catch (error) { return error.code }";
    assert_eq!(value_text(run(&runner, script).await), r#""POLICY_DENIED""#);
    policy.say(ask());
    let error = run(&runner, script).await.into_value().unwrap_err();
    assert!(matches!(error, RunError::InterruptInSync { name } if name == "now"));
    assert_eq!(done.take(), [""; 0]);
}

#[tokio::test]
async fn a_call_that_a_crash_has_left_open_is_decided_about_before_it_is_made_again() {
    let (done, policy) = (Done::default(), Told::default());
    let runner = runner(&done, &policy);
    let whole = run(&runner, CAUGHT).await.continuation().unwrap().record().clone();
    let dispatched = whole.entries().iter().position(|entry| entry.name() == "dispatched").unwrap();
    let crashed =
        intermission::ledger::Record::from_entries(whole.entries()[..=dispatched].to_vec()).unwrap();
    let crashed = Continuation::new(crashed).unwrap();
    done.take();
    policy.say(deny());
    let result = runner.resume(ResumeInput::new(crashed)).await.unwrap();
    assert_eq!((value_text(result), done.take()), (DENIED.to_owned(), vec![]));
}
