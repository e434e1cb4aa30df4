//! Runs from their beginning to their deletion.

use std::time::Duration;

use futures_util::StreamExt;
use intermission::{Answer, HostFunctions, Limits, Resolution, RunResult, Runner};
use intermission_store::{Retention, RunQuery, RunState, Runs, Store, Until, What};

use crate::bed::{Bed, Clock, asked, asks, completed, happened, over};

#[tokio::test]
async fn a_run_has_its_value_and_every_process_can_tell_it() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("console.log('hi'); return await t.pay(1) + await t.pay(2)").await.unwrap();
    assert_eq!(over(&runs, run).await, completed(3));
    assert_eq!(bed.done.take(), ["t.pay(1)", "t.pay(2)"]);
    drop(runs);
    let runs = bed.runs().await;
    let stored = runs.get(run).await.unwrap();
    assert_eq!((stored.state, stored.name.as_str(), stored.questions), (completed(3), "script.js", 0));
    let RunResult::Completed { report, .. } = runs.replay(run).await.unwrap() else {
        panic!("it has a value")
    };
    assert_eq!(report.console.len(), 1);
    assert!(bed.done.take().is_empty());
    assert_eq!(happened(&bed.store(), run).await, ["began", "completed"]);
}

#[tokio::test]
async fn a_request_that_comes_again_is_about_the_same_run() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let first = runs.start_as("request-7", "return await t.pay(1)").await.unwrap();
    assert_eq!(runs.start_as("request-7", "return await t.pay(1)").await.unwrap(), first);
    assert_eq!(over(&runs, first).await, completed(1));
    assert_eq!(runs.start_as("request-7", "return await t.pay(1)").await.unwrap(), first);
    assert_eq!(bed.done.take(), ["t.pay(1)"]);
}

#[tokio::test]
async fn a_script_that_throws_has_failed_and_can_be_tried_again() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("await t.pay(1); return await t.flaky(2)").await.unwrap();
    let failed =
        RunState::Failed { code: "SCRIPT_ERROR".to_owned(), message: "Error: out of order".to_owned() };
    let state = over(&runs, run).await;
    let (RunState::Failed { code, .. }, RunState::Failed { code: expected, .. }) = (&state, &failed) else {
        panic!("{state:?}")
    };
    assert_eq!(code, expected);
    assert_eq!(runs.retry(run).await.map_err(|error| error.code()), Ok(()));
    assert_eq!(over(&runs, run).await, completed(2));
    assert_eq!(bed.done.take(), ["t.pay(1)", "t.flaky(2)", "t.flaky(2)"]);
    assert_eq!(runs.retry(run).await.map_err(|error| error.code()), Err("NOT_RETRYABLE"));
    assert_eq!(happened(&bed.store(), run).await, ["began", "failed", "retried", "completed"]);
    let own = runs.start("throw new Error('of my own')").await.unwrap();
    over(&runs, own).await;
    assert_eq!(runs.retry(own).await.map_err(|error| error.code()), Err("NOT_RETRYABLE"));
}

#[tokio::test]
async fn a_retried_run_that_asks_is_put_away_like_any_other() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("const a = await t.flaky(2); return a + await t.ask(3)").await.unwrap();
    over(&runs, run).await;
    runs.retry(run).await.unwrap();
    let question = asked(&runs, run).await.remove(0).interruption;
    runs.resolve(run, Resolution::new(question.id, Answer::Value(5.into())), None).await.unwrap();
    assert_eq!(over(&runs, run).await, completed(7));
}

#[tokio::test]
async fn a_cancelled_run_is_over_wherever_it_stood() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let away = runs.start("await t.ask(1); return await t.pay(2)").await.unwrap();
    let question = asked(&runs, away).await.remove(0).interruption;
    let under_way = runs.start("await t.slow(60000)").await.unwrap();
    for run in [away, under_way] {
        runs.cancel(run).await.unwrap();
        assert_eq!(over(&runs, run).await, RunState::Cancelled);
        assert_eq!(runs.cancel(run).await.unwrap_err().code(), "RUN_OVER");
    }
    let late = Resolution::new(question.id, Answer::Value(5.into()));
    assert_eq!(runs.resolve(away, late, None).await.unwrap_err().code(), "RUN_OVER");
    assert_eq!(happened(&bed.store(), away).await, ["began", "asked", "put_away", "abandoned", "cancelled"]);
    assert!(bed.done.take().is_empty());
}

#[tokio::test]
async fn a_run_that_sleeps_gives_its_sandbox_back_and_is_woken_in_time() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let script = "const at = Date.now(); await sleep(120); const late = Date.now() - at; return late >= 120";
    let run = runs.start(script).await.unwrap();
    assert_eq!(over(&runs, run).await, completed(true));
    assert_eq!(happened(&bed.store(), run).await, ["began", "put_away", "completed"]);
}

#[tokio::test]
async fn a_fork_is_another_run_with_the_same_beginning() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("return await t.pay(await t.ask(1))").await.unwrap();
    let question = asked(&runs, run).await.remove(0).interruption;
    let length = runs.ledger(run).await.unwrap().record().entries().len();
    let fork = runs.fork(run, length).await.unwrap();
    runs.resolve(run, Resolution::new(question.id, Answer::Value(5.into())), None).await.unwrap();
    assert_eq!(over(&runs, run).await, completed(5));
    let of_fork = asked(&runs, fork).await.remove(0).interruption;
    runs.resolve(fork, Resolution::new(of_fork.id, Answer::Value(6.into())), None).await.unwrap();
    assert_eq!(over(&runs, fork).await, completed(6));
    assert_eq!(runs.get(fork).await.unwrap().forked_from, Some(run));
}

#[tokio::test]
async fn only_what_is_over_is_deleted_and_then_all_of_it() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("return await t.ask(1)").await.unwrap();
    let question = asked(&runs, run).await.remove(0).interruption;
    assert_eq!(runs.delete(run).await.unwrap_err().code(), "RUN_NOT_OVER");
    runs.resolve(run, Resolution::new(question.id.clone(), Answer::Value(5.into())), None).await.unwrap();
    over(&runs, run).await;
    runs.delete(run).await.unwrap();
    assert_eq!(runs.get(run).await.unwrap_err().code(), "RUN_UNKNOWN");
    assert_eq!(runs.ledger(run).await.unwrap_err().code(), "RUN_UNKNOWN");
    assert_eq!(bed.store().notices(0, None, 10).await.unwrap(), []);
    assert_eq!(bed.store().answers(run).await.unwrap(), []);
}

#[tokio::test]
async fn what_is_over_is_deleted_by_itself_when_its_time_has_come() {
    let bed = Bed::new();
    let keeping = bed.runs().await;
    let run = keeping.start("return 1").await.unwrap();
    over(&keeping, run).await;
    let waiting = keeping.start("return await t.ask(1)").await.unwrap();
    asks(&keeping, waiting).await;
    let retention = Retention::For(Duration::from_hours(24));
    let later = Clock::at(keeping.get(run).await.unwrap().updated + 48 * 3_600_000);
    let runner = Runner::builder().time_source(later).build().unwrap();
    let runs = Runs::builder(bed.store(), runner).retention(retention).picks_up(false).build().await.unwrap();
    while runs.get(run).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert_eq!(runs.list(RunQuery::default()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn runs_are_listed_the_newest_first_page_by_page() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let mut all = Vec::new();
    for number in 0..5 {
        let run = runs.start(format!("return {number}")).await.unwrap();
        over(&runs, run).await;
        all.insert(0, run);
    }
    all.sort();
    all.reverse();
    let page = |before| RunQuery { states: vec!["completed"], before, limit: Some(2) };
    let (mut listed, mut before) = (Vec::new(), None);
    loop {
        let page = runs.list(page(before)).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(last.run_id);
        listed.extend(page.into_iter().map(|run| run.run_id));
    }
    assert_eq!(listed, all);
    assert_eq!(runs.list(RunQuery { states: vec!["failed"], ..RunQuery::default() }).await.unwrap(), []);
}

#[tokio::test]
async fn what_happens_is_told_in_order_from_wherever_one_was() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let first = runs.start("return 1").await.unwrap();
    over(&runs, first).await;
    let mut events = Box::pin(runs.events(0, None));
    let mut next = async || events.next().await.unwrap().unwrap();
    assert_eq!((next().await.what, next().await.what), (What::Began, What::Completed));
    let second = runs.start("return 2").await.unwrap();
    let began = next().await;
    assert_eq!((began.run_id, began.what), (second, What::Began));
    over(&runs, second).await;
    let mut later = Box::pin(runs.events(began.number, Some(second)));
    assert_eq!(later.next().await.unwrap().unwrap().what, What::Completed);
}

#[tokio::test]
async fn of_many_runs_some_wait_for_room() {
    let bed = Bed::new();
    let runs = bed.builder().max_live(2).build().await.unwrap();
    let mut started = Vec::new();
    for number in 0..12 {
        started.push(runs.start(format!("await t.slow(5); return {number}")).await.unwrap());
    }
    let running = RunQuery { states: vec!["running"], ..RunQuery::default() };
    let mut most = 0;
    for (number, run) in started.into_iter().enumerate() {
        while !runs.get(run).await.unwrap().state.is_over() {
            most = most.max(runs.list(running.clone()).await.unwrap().len());
        }
        assert_eq!(over(&runs, run).await, completed(number as f64));
    }
    assert_eq!(most, 2);
}

#[tokio::test]
async fn a_process_that_picks_up_nothing_can_take_up_one() {
    let bed = Bed::new();
    let door = bed.builder().picks_up(false).build().await.unwrap();
    let run = door.start("return await t.ask(1)").await.unwrap();
    let question = asked(&door, run).await.remove(0).interruption;
    assert!(!door.take_up(run).await.unwrap());
    door.resolve(run, Resolution::new(question.id, Answer::Value(5.into())), None).await.unwrap();
    assert_eq!(door.get(run).await.unwrap().state, RunState::Ready);
    assert!(door.take_up(run).await.unwrap());
    assert_eq!(door.wait(run, Until::Over).await.unwrap().state, completed(5));
}

#[tokio::test]
async fn a_process_that_lacks_a_function_leaves_the_run_to_others() {
    let bed = Bed::new();
    let able = bed.builder().picks_up(false).build().await.unwrap();
    let run = able.start("return await t.ask(1)").await.unwrap();
    let question = asked(&able, run).await.remove(0).interruption;
    let unable = Runs::builder(bed.store(), Runner::new().unwrap()).build().await.unwrap();
    unable.resolve(run, Resolution::new(question.id, Answer::Value(5.into())), None).await.unwrap();
    // It has looked at the run when it has brought one of its own to its end behind it.
    let own = unable.start("return 1").await.unwrap();
    assert_eq!(over(&unable, own).await, completed(1));
    while unable.get(run).await.unwrap().state != RunState::Ready {
        tokio::task::yield_now().await;
    }
    assert!(able.take_up(run).await.unwrap());
    assert_eq!(over(&unable, run).await, completed(5));
}

#[tokio::test]
async fn a_worker_does_not_lease_anew_what_it_has_leased_already() {
    let bed = Bed::new();
    let builder = bed.builder().lease(Duration::ZERO);
    let runs = builder.build().await.unwrap();
    let run = runs.start("return await t.pay(await t.gate(1))").await.unwrap();
    assert_eq!(runs.get(run).await.unwrap().state.name(), "running");
    for _ in 0..3 {
        assert!(!runs.take_up(run).await.unwrap());
    }
    bed.gate.notify_one();
    assert_eq!(over(&runs, run).await, completed(1));
    assert_eq!(bed.done.take(), ["t.pay(1)"]);
}

#[tokio::test]
async fn a_retry_asks_again_what_the_run_had_ended_without() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run = runs.start("const asked = t.ask(1); await t.flaky(2); return await asked").await.unwrap();
    assert_eq!(over(&runs, run).await.name(), "failed");
    assert_eq!(happened(&bed.store(), run).await, ["began", "asked", "abandoned", "failed"]);
    runs.retry(run).await.unwrap();
    let question = asked(&runs, run).await.remove(0).interruption;
    runs.resolve(run, Resolution::new(question.id, Answer::Value(5.into())), None).await.unwrap();
    assert_eq!(over(&runs, run).await, completed(5));
    let asked = happened(&bed.store(), run).await.into_iter().filter(|what| *what == "asked").count();
    assert_eq!(asked, 1);
}

#[tokio::test]
async fn a_run_that_a_limit_has_stopped_and_that_still_asks_is_not_deleted() {
    let bed = Bed::new();
    let limits = Limits { fuel: Some(20_000_000), ..Limits::default() };
    let functions = HostFunctions::new(bed.functions()).unwrap();
    let runner = Runner::builder().host_functions(functions).limits(limits).build().unwrap();
    let runs = Runs::builder(bed.store(), runner).build().await.unwrap();
    let run = runs.start("t.ask(1); await t.pay(2); for (;;) {}").await.unwrap();
    let RunState::Failed { code, .. } = over(&runs, run).await else { panic!("it never ends") };
    assert_eq!(code, "LIMIT_FUEL");
    assert_eq!(runs.delete(run).await.unwrap_err().code(), "RUN_NOT_OVER");
    assert_eq!(bed.store().delete_over(u64::MAX >> 1, 10).await.unwrap(), 0);
    runs.cancel(run).await.unwrap();
    assert_eq!(over(&runs, run).await, RunState::Cancelled);
    runs.delete(run).await.unwrap();
}
