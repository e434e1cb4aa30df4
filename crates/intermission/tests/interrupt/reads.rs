//! Every read of the clock and of randomness as an entry, for whoever asks for it.

use intermission::ledger::Entry;
use intermission::ledger::entry::Outcome;
use intermission::value::decode;
use intermission::{Answer, Continuation, Resolution, ResumeInput, RunInput, RunResult, Runner};

use crate::host::{Done, builder, functions, put_away, value_text};
use crate::time::{Set, at};

const SCRIPT: &str = "\
const before = Date.now(); \
const number = Math.random(); \
await t.pause([before, number]); \
const bytes = crypto.getRandomValues(new Uint8Array(2)); \
return [Date.now() - before, performance.now(), number, [...bytes]]";

fn recording(time: &Set) -> Runner {
    at(time, 1_000);
    let builder = builder().host_functions(functions(&Done::default())).time_source(time.clone());
    builder.record_reads(true).build().unwrap()
}

fn input(script: &str) -> RunInput<'_> {
    RunInput { seed: Some([7; 32]), ..RunInput::new(script) }
}

/// The guest's entries, each in a word and what it brought.
fn told(continuation: &Continuation) -> Vec<String> {
    let shown = |bytes: &[u8]| format!("{:?}", decode(bytes, usize::MAX).unwrap());
    let guest = continuation.record().entries().iter().filter(|entry| entry.is_guest());
    let text = |entry: &Entry| match entry {
        Entry::Clock { reads, elapsed } => format!("clock {reads} {elapsed}"),
        Entry::Random { value } => format!("random {}", shown(value)),
        Entry::Settled { elapsed, outcome: Outcome::Fulfilled(value), .. } => {
            format!("settled {elapsed} {}", shown(value))
        }
        entry => entry.name().to_owned(),
    };
    guest.map(text).collect()
}

fn yes(questions: &std::collections::BTreeMap<String, intermission::InterruptionId>) -> Resolution {
    Resolution::new(questions.values().next().unwrap().clone(), Answer::Value(true.into()))
}

#[tokio::test]
async fn each_read_is_an_entry_and_a_replay_reads_the_same() {
    let time = Set::default();
    let (questions, continuation) = put_away(recording(&time).run(input(SCRIPT)).await);
    let first = ["clock 0 0", "clock 0 0", "random 0.19414891100618936", "called", "paused"];
    assert_eq!(told(&continuation), first);

    // A runner that does not record goes on with a run that does.
    at(&time, 1_250);
    let other = builder().host_functions(functions(&Done::default())).time_source(time);
    let resumed = ResumeInput::new(continuation).resolve(yes(&questions));
    let result = other.build().unwrap().resume(resumed).await.unwrap();
    let all = told(result.continuation().unwrap());
    assert_eq!(all[..5], first);
    assert_eq!(
        all[5..],
        ["settled 250 true", "random ArrayBuffer <f400>", "clock 0 0", "clock 0 0", "ended"]
    );
    assert_eq!(value_text(result), "[250, 250, 0.19414891100618936, [244, 0]]");
}

#[tokio::test]
async fn a_script_that_reads_something_else_diverges_there() {
    let time = Set::default();
    let runner = recording(&time);
    let (questions, continuation) = put_away(runner.run(input(SCRIPT)).await);
    for (now, what) in [
        (
            SCRIPT.replace("Math.random()", "Date.now()"),
            "recorded is a read of randomness, now it is a read of the clock",
        ),
        (
            SCRIPT.replace("Date.now(); const", "0; const"),
            "recorded is a read of the clock, now it is a read of randomness",
        ),
        (SCRIPT.replace("Math.random()", "0"), "recorded is a read of randomness, now it is call 1"),
        (
            SCRIPT.replace("Math.random()", "(Math.random(), Math.random())"),
            "recorded is call 1, t.pause([1000, 0.19414891100618936]), now it is a read of randomness",
        ),
    ] {
        let resumed = ResumeInput::new(continuation.clone()).resolve(yes(&questions)).source(now.clone());
        let RunResult::Failed { error, .. } = runner.resume(resumed).await.unwrap() else { panic!("{now}") };
        assert_eq!(error.code(), "DIVERGED", "{now}");
        assert!(error.to_string().contains(what), "{now}: {error}");
    }
}

#[tokio::test]
async fn a_run_that_does_not_record_has_no_entry_for_a_read_that_gives_nothing_new() {
    let time = Set::default();
    at(&time, 1_000);
    let functions = functions(&Done::default());
    let runner = builder().host_functions(functions).time_source(time).build().unwrap();
    let (questions, continuation) = put_away(runner.run(input(SCRIPT)).await);
    assert_eq!(told(&continuation), ["called", "paused"]);
    // Its values are the same.
    let result = runner.resume(ResumeInput::new(continuation).resolve(yes(&questions))).await.unwrap();
    assert_eq!(value_text(result), "[0, 0, 0.19414891100618936, [244, 0]]");
}

#[tokio::test]
async fn reads_without_end_fill_the_ledger_and_not_the_hosts_memory() {
    for script in ["for (;;) Date.now()", "for (;;) Math.random()", "for (;;) crypto.randomUUID()"] {
        let runner = recording(&Set::default());
        let limits = intermission::Limits { ledger: 1 << 20, ..Default::default() };
        let result = runner.run(RunInput { limits: Some(limits), ..RunInput::new(script) }).await;
        assert_eq!(result.into_value().unwrap_err().code(), "LIMIT_LEDGER", "{script}");
    }
}
