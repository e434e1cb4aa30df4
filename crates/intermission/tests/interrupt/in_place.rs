//! Going on in the sandbox in which a run paused: the same as a replay, and only where a replay would lead there.

use std::num::NonZeroU32;

use intermission::ledger::Entry;
use intermission::{
    Answer, Limits, Resolution, ResumeInput, RunInput, RunResult, Runner, RunnerBuilder, TimeSource, Value,
};

use crate::host::{Done, answer, functions, put_away, run, value_text};

/// One that goes on in place where it can.
fn keeping(done: &Done) -> RunnerBuilder {
    Runner::builder().host_functions(functions(done)).time_source(Still)
}

/// Time stands still, so that two runs have the same of it.
struct Still;

impl TimeSource for Still {
    fn now(&self) -> u64 {
        1_000
    }
}

const ASKS_TWICE: &str = "\
let said = []; \
const tick = n => said.push(n * Math.random()); \
console.log('begins'); \
tick(await t.slow(1, 'x')); \
const first = await t.pause('a'); \
console.log('between', Date.now()); \
const [second] = await Promise.all([t.pause('b'), t.echo(2)]); \
data.seen = said.length; \
return [first, second, said.length]";

fn input() -> RunInput<'static> {
    RunInput { seed: Some([5; 32]), ..RunInput::new(ASKS_TWICE).data(Value::object([("seen", 0.0)])) }
}

/// The entries, but for what tells one run from another: its id, and how long it computed.
fn lasting(result: &RunResult) -> Vec<String> {
    let entries = result.continuation().unwrap().record().entries().iter();
    let text = |entry: &Entry| match entry {
        Entry::Started(_) => "started".to_owned(),
        Entry::Spent(spent) => format!("spent {} {}", spent.fuel, spent.console),
        entry => format!("{entry:?}"),
    };
    entries.map(text).collect()
}

/// A life of two pauses, and whether each resume was in place.
async fn live(runner: &Runner) -> (RunResult, [bool; 2]) {
    let (asked, continuation) = put_away(runner.run(input()).await);
    let again = answer(runner, continuation, &[(asked.values().next().unwrap(), 1.into())]).await;
    let first = again.report().stats.in_place;
    assert_eq!((again.report().replayed, again.report().console.len()), (1, 2));
    let (asked, continuation) = put_away(again);
    let end = answer(runner, continuation, &[(asked.values().next().unwrap(), 2.into())]).await;
    let second = end.report().stats.in_place;
    (end, [first, second])
}

#[tokio::test]
async fn a_run_that_goes_on_in_place_writes_and_says_what_a_replay_does() {
    let (done, again) = (Done::default(), Done::default());
    let (kept, in_place) = live(&keeping(&done).build().unwrap()).await;
    let (replayed, never) = live(&keeping(&again).snapshots(0).build().unwrap()).await;
    assert_eq!((in_place, never), ([true; 2], [false; 2]));
    assert_eq!(lasting(&kept), lasting(&replayed));
    assert_eq!(done.take(), again.take());
    let (kept, replayed) = (kept.report(), replayed.report());
    assert_eq!((&kept.console, kept.replayed), (&replayed.console, replayed.replayed));
    assert_eq!(kept.data, replayed.data);
    assert_eq!((kept.stats.fuel, kept.stats.calls), (replayed.stats.fuel, replayed.stats.calls));
}

#[tokio::test]
async fn the_script_computes_once_for_all_its_invocations() {
    let runner = keeping(&Done::default()).build().unwrap();
    let script = "let sum = 0; for (let n = 0; n < 1e6; n++) sum += n; await t.pause(sum); return sum";
    let (asked, continuation) = put_away(run(&runner, script).await);
    let spent = continuation.record().entries().iter().find_map(|entry| match entry {
        Entry::Spent(spent) => Some(spent.cpu),
        _ => None,
    });
    let end = answer(&runner, continuation, &[(asked.values().next().unwrap(), true.into())]).await;
    assert!(end.report().stats.in_place);
    assert!(end.report().stats.cpu.as_micros() < u128::from(spent.unwrap()) / 2);
    assert_eq!(value_text(end), "499999500000");
}

/// Whether the run that `change` goes on with is in place.
async fn in_place(change: impl FnOnce(ResumeInput) -> ResumeInput) -> bool {
    let runner = keeping(&Done::default()).build().unwrap();
    let (_, continuation) = put_away(run(&runner, "await t.pause(1); return 2").await);
    let id = continuation.interruptions()[0].id.clone();
    let input = ResumeInput::new(continuation).resolve(Resolution::new(id, Answer::Value(Value::Null)));
    let result = runner.resume(change(input)).await.unwrap();
    let in_place = result.report().stats.in_place;
    assert_eq!(value_text(result), "2");
    in_place
}

#[tokio::test]
async fn other_limits_or_another_text_are_a_replay() {
    let lower = Limits { memory: 16 << 20, ..Limits::default() };
    assert!(in_place(|input| input).await);
    assert!(!in_place(|input| input.limits(lower)).await);
    assert!(!in_place(|input| input.source("await t.pause(1); return  2")).await);
}

#[tokio::test]
async fn an_older_continuation_is_a_replay_and_gives_the_newer_up() {
    let done = Done::default();
    let runner = keeping(&done).build().unwrap();
    let (asked, older) = put_away(run(&runner, "return [await t.pause('a'), await t.pause('b')]").await);
    let first = asked.values().next().unwrap();
    let newer = answer(&runner, older.clone(), &[(first, 1.into())]).await;
    assert!(newer.report().stats.in_place);
    let (asked, newer) = put_away(newer);
    let other = answer(&runner, older, &[(first, 7.into())]).await;
    assert!(!other.report().stats.in_place);
    put_away(other);
    let end = answer(&runner, newer, &[(asked.values().next().unwrap(), 2.into())]).await;
    assert!(!end.report().stats.in_place);
    assert_eq!(value_text(end), "[1, 2]");
}

#[tokio::test]
async fn a_script_that_sees_its_data_told_is_replayed() {
    let runner = keeping(&Done::default()).build().unwrap();
    let seen = "let told = 0; Object.defineProperty(data, 'x', { enumerable: true, get: () => ++told }); \
                await t.pause(1); return told";
    let begun = runner.run(RunInput::new(seen).data(Value::object::<&str, Value>([]))).await;
    let (asked, continuation) = put_away(begun);
    let end = answer(&runner, continuation, &[(asked.values().next().unwrap(), true.into())]).await;
    assert!(!end.report().stats.in_place);
    assert_eq!(value_text(end), "0");
}

#[tokio::test]
async fn a_sandbox_is_given_up_for_whoever_wants_its_place() {
    let one = |builder: RunnerBuilder| builder.max_runs(NonZeroU32::MIN).max_queued(0).build().unwrap();
    let runner = one(keeping(&Done::default()));
    let (asked, first) = put_away(run(&runner, "return await t.pause('a')").await);
    assert_eq!(value_text(run(&runner, "return 1").await), "1");
    let end = answer(&runner, first, &[(asked.values().next().unwrap(), 3.into())]).await;
    assert!(!end.report().stats.in_place);
    assert_eq!(value_text(end), "3");
}

#[tokio::test]
async fn the_oldest_sandbox_is_given_up_when_there_is_too_much_memory() {
    // One has room, two have not.
    let size = run(&keeping(&Done::default()).build().unwrap(), "return 1").await.report().stats.memory;
    let runner = keeping(&Done::default()).snapshots(size * 3 / 2).build().unwrap();
    let script = "return await t.pause('a')";
    let (asked, first) = put_away(run(&runner, script).await);
    let (asked_too, second) = put_away(run(&runner, script).await);
    let first = answer(&runner, first, &[(asked.values().next().unwrap(), 1.into())]).await;
    let second = answer(&runner, second, &[(asked_too.values().next().unwrap(), 2.into())]).await;
    assert_eq!([first.report().stats.in_place, second.report().stats.in_place], [false, true]);
}

#[tokio::test]
async fn a_run_that_is_cancelled_at_a_pause_is_over_wherever_its_sandbox_is() {
    let runner = keeping(&Done::default()).build().unwrap();
    let (_, continuation) = put_away(run(&runner, "return await t.pause('a')").await);
    let cancelled = runner.cancel(ResumeInput::new(continuation)).await.unwrap();
    let RunResult::Cancelled { continuation, .. } = cancelled else { panic!("{cancelled:?}") };
    let refused = runner.resume(ResumeInput::new(continuation)).await.unwrap_err();
    assert_eq!(refused.code(), "RUN_OVER");
}

#[tokio::test]
async fn a_replay_on_demand_leaves_the_sandbox_where_it_is() {
    let runner = keeping(&Done::default()).build().unwrap();
    let (asked, continuation) = put_away(run(&runner, "return await t.pause('a')").await);
    put_away(runner.replay(continuation.clone()).await);
    let end = answer(&runner, continuation, &[(asked.values().next().unwrap(), 1.into())]).await;
    assert!(end.report().stats.in_place);
}
