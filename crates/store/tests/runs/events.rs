//! `waitFor`, and who emits.

use intermission::ledger::Entry;
use intermission::{Answer, Resolution, ResumeInput, RunResult, Value};
use intermission_store::{Emitted, RunState};

use crate::bed::{Bed, asks, completed, happened, over};

const SCRIPT: &str = "return await waitFor('order-7', { timeout: '1m' })";

#[tokio::test]
async fn an_event_that_comes_before_the_wait_is_kept_for_it() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start(format!("await t.gate(); {SCRIPT}")).await.unwrap();
    assert_eq!(runs.emit(run, "order-7", "paid", None).await.unwrap(), Emitted::First);
    bed.gate.notify_one();
    assert_eq!(over(&runs, run).await, completed("paid"));
}

#[tokio::test]
async fn the_first_event_of_a_key_is_its_event_for_ever() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let script = "return [await waitFor('a'), await t.ask(1), await waitFor('a')]";
    let run = runs.start(script).await.unwrap();
    asks(&runs, run).await;
    assert_eq!(runs.emit(run, "a", 1, None).await.unwrap(), Emitted::First);
    assert_eq!(runs.emit(run, "a", 1, None).await.unwrap(), Emitted::Same);
    let second = runs.emit(run, "a", 2, None).await.unwrap_err();
    assert_eq!(
        (second.code(), second.to_string().as_str()),
        ("EVENT_CONFLICT", "another event `a` was first: 1")
    );
    let question = crate::bed::asked(&runs, run).await.remove(0).interruption;
    runs.resolve(run, Resolution::new(question.id, Answer::Value(5.into())), None).await.unwrap();
    assert_eq!(over(&runs, run).await, completed(Value::array([1, 5, 1])));
    assert_eq!(runs.emit(run, "b", 1, None).await.unwrap_err().code(), "RUN_OVER");
}

#[tokio::test]
async fn a_wait_that_timed_out_can_be_caught_and_consumes_nothing() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let script = "const at = Date.now();
        try { await waitFor('k', { timeout: 250 }) } catch (e) {
            const waited = Date.now() - at;
            return [e instanceof Error, e.name, e.code, waited >= 250, await waitFor('k')];
        }";
    let run = runs.start(script).await.unwrap();
    while happened(&bed.store(), run).await.iter().filter(|what| **what == "asked").count() < 2 {
        tokio::task::yield_now().await;
    }
    runs.emit(run, "k", 7, None).await.unwrap();
    let expected =
        [Value::from(true), "TimeoutError".into(), "EVENT_TIMED_OUT".into(), true.into(), 7.into()];
    assert_eq!(over(&runs, run).await, completed(Value::array(expected)));
}

#[tokio::test]
async fn many_waits_are_over_each_by_its_own_event() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run =
        runs.start("return await Promise.all(['a', 'b', 'c'].map((key) => waitFor(key)))").await.unwrap();
    for (key, value) in [("c", 3), ("a", 1), ("b", 2)] {
        runs.emit(run, key, value, None).await.unwrap();
    }
    assert_eq!(over(&runs, run).await, completed(Value::array([1, 2, 3])));
}

#[tokio::test]
async fn a_wait_for_nothing_that_makes_sense_is_a_type_error() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("await waitFor(7)").await.unwrap();
    let RunState::Failed { message, .. } = over(&runs, run).await else { panic!("it throws") };
    assert!(message.starts_with("TypeError: waitFor was called wrongly: it takes a key"), "{message}");
}

#[tokio::test]
async fn without_a_store_a_wait_is_an_interruption_of_its_own_kind() {
    let runner = Bed::new().runner();
    let RunResult::Interrupted { interruptions, continuation, wake_at, .. } = runner.run(SCRIPT).await else {
        panic!("it waits")
    };
    let [waits] = &interruptions[..] else { panic!("{interruptions:?}") };
    assert_eq!((waits.kind.name(), waits.host_function.as_str()), ("event", "waitFor"));
    assert_eq!(waits.payload, Value::object([("kind", "event"), ("key", "order-7")]));
    assert_eq!((waits.expires, wake_at), (Some(waits.created + 60_000), waits.expires));
    let event = Resolution::new(waits.id.clone(), Answer::Value("paid".into()));
    let result = runner.resume(ResumeInput::new(continuation).resolve(event)).await.unwrap();
    let record = result.continuation().unwrap().record().clone();
    assert_eq!(result.into_value().unwrap(), Value::from("paid"));
    let names = record.entries().iter().map(Entry::name).filter(|name| *name != "clock");
    let names: Vec<&str> = names.collect();
    assert_eq!(
        names,
        [
            "started",
            "called",
            "used",
            "interrupted",
            "spent",
            "paused",
            "resolved",
            "settled",
            "ended",
            "spent",
            "closed"
        ]
    );
}
