//! A process that leaves a run, and whoever hears of what passes come to.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use intermission::{Effect, HostError, HostFunction, HostFunctions, RunResult, Runner, Value};
use intermission_store::{Passed, RunQuery, RunState, Runs, SqliteStore, Store, Until};
use tokio::sync::Notify;

use crate::bed::{Bed, completed, over};

/// A function that says that it has begun, and then stays.
fn staying(begun: &Arc<Notify>) -> Runner {
    let begun = Arc::clone(begun);
    let stay = HostFunction::new("t.pay", move |_| {
        begun.notify_one();
        std::future::pending::<Result<Value, HostError>>()
    });
    let functions = HostFunctions::new([stay.effect(Effect::Idempotent)]).unwrap();
    Runner::builder().host_functions(functions).build().unwrap()
}

fn idempotent(bed: &Bed) -> Runner {
    let functions = bed.functions().into_iter().map(|function| function.effect(Effect::Idempotent));
    Runner::builder().host_functions(HostFunctions::new(functions).unwrap()).build().unwrap()
}

#[tokio::test]
async fn a_run_that_is_let_go_is_free_at_once_and_goes_on_elsewhere() {
    let (bed, begun) = (Bed::new(), Arc::new(Notify::new()));
    let store: Arc<dyn Store> = bed.store();
    // With this lease nobody else would have it for long.
    let here = Runs::builder(store.clone(), staying(&begun)).picks_up(false).build().await.unwrap();
    let run = here.start("return await t.pay(1)").await.unwrap();
    begun.notified().await;
    assert!(here.is_live(run));
    here.let_go(run).await;
    assert!(!here.is_live(run));
    assert_eq!(here.get(run).await.unwrap().state, RunState::Ready);
    // Again is the same as once.
    here.let_go(run).await;
    let there = Runs::builder(store, idempotent(&bed)).picks_up(false).build().await.unwrap();
    assert!(there.take_up(run).await.unwrap());
    assert_eq!(over(&there, run).await, completed(1));
    assert_eq!(bed.done.take(), ["t.pay(1)"]);
}

#[tokio::test]
async fn whoever_watches_hears_what_each_pass_came_to_before_the_run_is_put_down() {
    let (bed, heard) = (Bed::new(), Arc::new(Mutex::new(Vec::new())));
    let told = Arc::clone(&heard);
    let runs = bed
        .builder()
        .watch(move |run, passed| {
            let Passed::Result(result) = passed else { panic!("{passed:?}") };
            let console = result.report().console.len();
            told.lock().unwrap().push((run, matches!(*result, RunResult::Interrupted { .. }), console));
        })
        .build()
        .await
        .unwrap();
    let run = runs.start("console.log(1); const a = await t.ask(1); console.log(2); return a").await.unwrap();
    let asked = crate::bed::asked(&runs, run).await.remove(0).interruption;
    assert_eq!(*heard.lock().unwrap(), [(run, true, 1)]);
    let answer = intermission::Resolution::new(asked.id, intermission::Answer::Value(7.into()));
    runs.resolve(run, answer, None).await.unwrap();
    assert_eq!(over(&runs, run).await, completed(7));
    assert_eq!(*heard.lock().unwrap(), [(run, true, 1), (run, false, 2)]);
}

#[tokio::test]
async fn a_run_that_waits_for_a_time_was_put_away_though_it_asks_nothing() {
    let bed = Bed::new();
    let runs = bed.builder().picks_up(false).build().await.unwrap();
    let run = runs.start("await new Promise((done) => setTimeout(done, 1e9)); return 1").await.unwrap();
    let waiting = runs.wait(run, Until::PutAway).await.unwrap();
    assert!(matches!(waiting.state, RunState::Waiting { wake_at: Some(_) }), "{waiting:?}");
    assert_eq!(waiting.questions, 0);
}

/// A store whose writes wait for the disk on a thread of their own: what writes cannot be over at the first look.
fn waiting_for_the_disk(bed: &Bed) -> (Arc<SqliteStore>, Runner) {
    let store = Arc::new(SqliteStore::open(bed.folder.path().join("full.db")).unwrap());
    let functions = HostFunctions::new(bed.functions()).unwrap();
    (store, Runner::builder().host_functions(functions).build().unwrap())
}

#[tokio::test]
async fn a_run_whose_starter_stops_to_wait_goes_on_nevertheless() {
    let bed = Bed::new();
    let (store, runner) = waiting_for_the_disk(&bed);
    let runs = Runs::builder(store, runner).build().await.unwrap();
    assert!(runs.start("return await t.pay(1)").now_or_never().is_none());
    let run = loop {
        match &runs.list(RunQuery::default()).await.unwrap()[..] {
            [] => tokio::task::yield_now().await,
            [run] => break run.run_id,
            more => panic!("{more:?}"),
        }
    };
    assert_eq!(over(&runs, run).await, completed(1));
    assert_eq!(bed.done.take(), ["t.pay(1)"]);
}

#[tokio::test]
async fn a_run_whose_taker_stops_to_wait_goes_on_nevertheless() {
    let bed = Bed::new();
    let (store, runner) = waiting_for_the_disk(&bed);
    let builder = || Runs::builder(store.clone(), runner.clone()).picks_up(false);
    let run = builder().max_live(0).build().await.unwrap().start("return await t.pay(1)").await.unwrap();
    let runs = builder().build().await.unwrap();
    assert!(runs.take_up(run).now_or_never().is_none());
    assert_eq!(over(&runs, run).await, completed(1));
    assert_eq!(bed.done.take(), ["t.pay(1)"]);
}

#[tokio::test]
async fn a_process_that_ends_waits_for_what_it_is_about_to_start() {
    let bed = Bed::new();
    let (store, runner) = waiting_for_the_disk(&bed);
    let runs = Runs::builder(store, runner).build().await.unwrap();
    let start = runs.start("return await t.pay(1)");
    let (started, ()) = futures_util::join!(start, runs.close(Duration::from_secs(5)));
    let run = runs.get(started.unwrap()).await.unwrap();
    assert!(matches!(run.state, RunState::Ready | RunState::Completed { .. }), "{:?}", run.state);
    assert_eq!(*runs.live().borrow(), 0);
}

#[tokio::test]
async fn who_waits_for_a_host_function_keeps_nobody_from_moving_the_log() {
    let (bed, begun) = (Bed::new(), Arc::new(Notify::new()));
    let path = bed.folder.path().join("runs.db");
    let look_again = Duration::from_millis(10);
    let runs = Runs::builder(bed.store(), staying(&begun)).look_again(look_again).build().await.unwrap();
    runs.start("await t.pay(1)").await.unwrap();
    begun.notified().await;
    let other = rusqlite::Connection::open(path).unwrap();
    other.busy_timeout(Duration::ZERO).unwrap();
    let checkpoint = "PRAGMA wal_checkpoint(RESTART)";
    while other.query_row(checkpoint, [], |row| row.get::<_, bool>(0)).unwrap() {
        tokio::task::yield_now().await;
    }
}
