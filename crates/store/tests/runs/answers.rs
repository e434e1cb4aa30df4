//! Answers are facts: the first counts.

use std::time::Duration;

use intermission::{
    Answer, HostFunction, HostFunctions, Interrupt, InterruptionId, Resolution, RunId, Runner, Value,
};
use intermission_store::{InboxQuery, Resolved, RunState, Runs, Store};

use crate::bed::{Bed, Clock, asked, asks, completed, happened, over};

#[tokio::test]
async fn the_same_answer_again_is_a_success_and_another_names_the_winner() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("return await t.pay(await t.ask(1))").await.unwrap();
    let question = asked(&runs, run).await.remove(0).interruption;
    assert_eq!(question.payload, Value::from(1));
    let answer = |value: i32| Resolution::new(question.id.clone(), Answer::Value(value.into()));
    assert_eq!(runs.resolve(run, answer(5), Some("ada")).await.unwrap(), Resolved::First);
    for _ in 0..2 {
        assert_eq!(runs.resolve(run, answer(5), Some("bob")).await.unwrap(), Resolved::Same);
        let conflict = runs.resolve(run, answer(6), Some("bob")).await.unwrap_err();
        assert_eq!(conflict.code(), "RESOLUTION_CONFLICT");
        assert_eq!(conflict.to_string(), format!("another answer was first: {}: 5 (by ada)", question.id));
        assert_eq!(over(&runs, run).await, completed(5));
    }
    assert_eq!(bed.done.take(), ["t.pay(5)"]);
    let given = runs.answers(run).await.unwrap();
    assert_eq!((given.len(), given[0].by.as_deref()), (1, Some("ada")));
    assert_eq!(happened(&bed.store(), run).await, ["began", "asked", "put_away", "answered", "completed"]);
}

#[tokio::test]
async fn an_answer_that_does_not_fit_changes_nothing() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("return await t.refund(10)").await.unwrap();
    let question = asked(&runs, run).await.remove(0).interruption;
    let refused = |resolution: Resolution| async {
        runs.resolve(run, resolution, None).await.map_err(|error| error.code())
    };
    let id = question.id.clone();
    assert_eq!(
        refused(Resolution::new(id.clone(), Answer::Value(1.into()))).await,
        Err("RESOLUTION_INVALID")
    );
    let stale = Resolution::new(id.clone(), Answer::Approve).for_arguments("sha256:other");
    assert_eq!(refused(stale).await, Err("RESOLUTION_ARGUMENTS_DIFFER"));
    let approve = Resolution::new(id, Answer::Approve).for_arguments(question.arguments_digest);
    assert_eq!(refused(approve).await, Ok(Resolved::First));
    assert_eq!(over(&runs, run).await, completed(10));
}

#[tokio::test]
async fn an_answer_given_while_the_run_goes_on_is_acted_on_in_place() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("return await Promise.all([t.ask(1).then(t.pay), t.gate(2)])").await.unwrap();
    let question = loop {
        let inbox = runs.inbox(InboxQuery::default()).await.unwrap();
        if let Some(asked) = inbox.into_iter().next() {
            break asked.interruption;
        }
        tokio::task::yield_now().await;
    };
    runs.resolve(run, Resolution::new(question.id, Answer::Value(5.into())), None).await.unwrap();
    while bed.done.is_empty() {
        tokio::task::yield_now().await;
    }
    bed.gate.notify_one();
    assert_eq!(over(&runs, run).await, completed(Value::array([5, 2])));
    assert_eq!(bed.done.take(), ["t.pay(5)"]);
    assert_eq!(happened(&bed.store(), run).await, ["began", "asked", "answered", "completed"]);
}

#[tokio::test]
async fn an_answer_may_come_before_its_question() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("await waitFor('go'); return await t.ask(1)").await.unwrap();
    let early = Resolution::new(InterruptionId::new(run, 2, 1), Answer::Value(5.into()));
    assert_eq!(runs.resolve(run, early, None).await.unwrap(), Resolved::Early);
    runs.emit(run, "go", 1, None).await.unwrap();
    assert_eq!(over(&runs, run).await, completed(5));
}

#[tokio::test]
async fn an_early_answer_that_does_not_fit_leaves_the_question_open() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("await waitFor('go'); return await t.ask(1)").await.unwrap();
    let id = InterruptionId::new(run, 2, 1);
    let early = runs.resolve(run, Resolution::new(id.clone(), Answer::Approve), None).await.unwrap();
    assert_eq!(early, Resolved::Early);
    runs.emit(run, "go", 1, None).await.unwrap();
    while runs.inbox(InboxQuery::default()).await.unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    runs.resolve(run, Resolution::new(id, Answer::Value(6.into())), None).await.unwrap();
    assert_eq!(over(&runs, run).await, completed(6));
}

#[tokio::test]
async fn what_is_no_longer_pending_says_so() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("return await Promise.race([t.ask(1), t.slow(20)])").await.unwrap();
    assert_eq!(over(&runs, run).await, completed(20));
    let late = Resolution::new(InterruptionId::new(run, 1, 1), Answer::Value(5.into()));
    assert_eq!(runs.resolve(run, late.clone(), None).await.unwrap_err().code(), "RUN_OVER");
    let nobody = RunId::from_bytes([7; 16]);
    assert_eq!(runs.resolve(nobody, late, None).await.unwrap_err().code(), "RUN_UNKNOWN");
    assert_eq!(happened(&bed.store(), run).await, ["began", "asked", "abandoned", "completed"]);
}

/// A run that asks until 5,000, by a clock that stands at 1,000.
async fn expiring(bed: &Bed, default: Option<i32>) -> (Runs, RunId, Clock) {
    let ask = HostFunction::sync("t.ask", move |call| {
        if let Some(resume) = call.resume() {
            return Ok(Value::array([resume.resolution.clone(), resume.expired.into()]));
        }
        let ask = Interrupt::new("?").expires_at(5_000);
        Err(default.map_or(ask.clone(), |default| ask.default(default)).into())
    });
    let clock = Clock::at(1_000);
    let functions = HostFunctions::new([ask]).unwrap();
    let runner = Runner::builder().host_functions(functions).time_source(clock.clone()).build().unwrap();
    let runs =
        Runs::builder(bed.store(), runner).look_again(Duration::from_millis(20)).build().await.unwrap();
    let script = "try { return await t.ask() } catch (e) { return [e.name, e.code] }";
    let run = runs.start(script).await.unwrap();
    let asking = asks(&runs, run).await;
    assert_eq!(asking.state, RunState::Waiting { wake_at: Some(5_000) });
    (runs, run, clock)
}

#[tokio::test]
async fn nobody_answering_in_time_is_an_outcome_of_its_own() {
    let bed = Bed::new();
    let (runs, run, clock) = expiring(&bed, None).await;
    clock.set(5_000);
    let expected = Value::array(["TimeoutError", "INTERRUPTION_EXPIRED"]);
    assert_eq!(over(&runs, run).await, RunState::Completed { value: expected });
    assert_eq!(happened(&bed.store(), run).await, ["began", "asked", "put_away", "expired", "completed"]);
    let late = Resolution::new(InterruptionId::new(run, 1, 1), Answer::Value(5.into()));
    assert_eq!(runs.resolve(run, late, None).await.unwrap_err().code(), "RESOLUTION_EXPIRED");
}

#[tokio::test]
async fn a_default_stands_for_an_answer_that_did_not_come() {
    let bed = Bed::new();
    let (runs, run, clock) = expiring(&bed, Some(7)).await;
    clock.set(6_000);
    assert_eq!(over(&runs, run).await, completed(Value::array([Value::from(7), true.into()])));
}

#[tokio::test]
async fn an_answer_given_in_time_counts_however_late_the_run_hears_of_it() {
    let bed = Bed::new();
    let clock = Clock::at(1_000);
    let runner = Runner::builder().time_source(clock.clone()).build().unwrap();
    let door = Runs::builder(bed.store(), runner).picks_up(false).build().await.unwrap();
    let run = door.start("return await waitFor('k', { timeout: 300 })").await.unwrap();
    asks(&door, run).await;
    clock.set(1_299);
    door.emit(run, "k", 5, None).await.unwrap();
    clock.set(9_000);
    door.take_up(run).await.unwrap();
    assert_eq!(over(&door, run).await, completed(5));
}

#[tokio::test]
async fn the_inbox_has_what_nobody_has_answered_the_oldest_first() {
    let bed = Bed::new();
    let runs = bed.builder().picks_up(false).build().await.unwrap();
    let mut asked = Vec::new();
    for number in 0..3 {
        let run = runs.start(format!("return await t.refund({number})")).await.unwrap();
        asks(&runs, run).await;
        asked.push(run);
    }
    let waits = runs.start("return await waitFor('k')").await.unwrap();
    asks(&runs, waits).await;
    let inbox = runs.inbox(InboxQuery::default()).await.unwrap();
    assert_eq!(inbox.iter().map(|asked| asked.run_id).collect::<Vec<_>>(), asked);
    assert_eq!(inbox[1].interruption.arguments, [Value::from(1)]);
    let last = &inbox[0].interruption;
    let after = Some((last.created, last.id.clone()));
    let next = InboxQuery { after, limit: Some(1), ..InboxQuery::default() };
    assert_eq!(runs.inbox(next).await.unwrap()[0].run_id, asked[1]);
    let with_events = InboxQuery { events: true, ..InboxQuery::default() };
    assert_eq!(runs.inbox(with_events).await.unwrap().len(), 4);
    runs.resolve(asked[0], Resolution::new(last.id.clone(), Answer::Approve), None).await.unwrap();
    assert_eq!(runs.inbox(InboxQuery::default()).await.unwrap().len(), 2);
    assert_eq!(bed.store().run(asked[0]).await.unwrap().unwrap().questions, 0);
    // Whoever has the id alone finds the run, whether its question is open, answered or yet to come.
    let early = InterruptionId::new(asked[2], 2, 1);
    assert_eq!(bed.store().run_of(early.clone()).await.unwrap(), None);
    runs.resolve(asked[2], Resolution::new(early.clone(), Answer::Approve), None).await.unwrap();
    for (id, run) in [(&inbox[1].interruption.id, asked[1]), (&last.id, asked[0]), (&early, asked[2])] {
        assert_eq!(bed.store().run_of(id.clone()).await.unwrap(), Some(run));
    }
}
