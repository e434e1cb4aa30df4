//! Limits over several invocations.

use std::time::Duration;

use intermission::{Answer, Limits, Resolution, ResumeInput, RunInput, RunResult};

use crate::host::{Done, put_away, runner};

/// Burns about `iterations` of a loop in each round, and asks.
fn rounds(iterations: u64) -> String {
    format!("let n = 0; for (;;) {{ for (let i = 0; i < {iterations}; i++); await t.pause(n++); }}")
}

#[tokio::test]
async fn rounds_that_each_burn_much_of_the_budget_end_on_the_runs_own_limit_and_never_on_replay() {
    let done = Done::default();
    let runner = runner(&done);
    let limits = Limits { fuel: Some(1_000_000), ..Limits::default() };
    let mut result = runner.run(RunInput::new(rounds(75_000)).limits(limits)).await;
    for round in 0..200 {
        let RunResult::Interrupted { .. } = &result else { break };
        let id = result.interruptions()[0].id.clone();
        let (_, continuation) = put_away(result);
        let resolution = Resolution::new(id, Answer::Value(round.into()));
        result =
            runner.resume(ResumeInput::new(continuation).resolve(resolution).limits(limits)).await.unwrap();
    }
    assert_eq!(result.error().unwrap().code(), "LIMIT_FUEL");
    assert_eq!(done.take().len(), 6);
    let RunResult::Failed { continuation: Some(continuation), .. } = result else { panic!() };
    // It goes on under a higher one.
    let higher = Limits { fuel: Some(2_000_000), ..limits };
    let (_, continuation) =
        put_away(runner.resume(ResumeInput::new(continuation).limits(higher)).await.unwrap());
    let lower = Limits { fuel: Some(500_000), ..limits };
    let refused = runner.resume(ResumeInput::new(continuation).limits(lower)).await.unwrap_err();
    assert_eq!(refused.code(), "LIMIT_TOO_LOW");
}

#[tokio::test]
async fn cpu_time_adds_up_over_invocations_and_that_of_a_replay_does_not_count() {
    let done = Done::default();
    let runner = runner(&done);
    let limits = Limits { cpu: Duration::from_millis(200), ..Limits::default() };
    let mut result = runner.run(RunInput::new(rounds(700_000)).limits(limits)).await;
    let mut answers = 0;
    while let RunResult::Interrupted { .. } = &result {
        let id = result.interruptions()[0].id.clone();
        let (_, continuation) = put_away(result);
        let resolution = Resolution::new(id, Answer::Value(1.into()));
        result =
            runner.resume(ResumeInput::new(continuation).resolve(resolution).limits(limits)).await.unwrap();
        answers += 1;
    }
    assert_eq!(result.error().unwrap().code(), "LIMIT_CPU");
    // A round takes some 10 to 40 ms. Were replays counted, the sum of 1 to n rounds would be over after a few of them.
    assert!(answers >= 3, "{answers} answers");
}

#[tokio::test]
async fn calls_and_console_are_counted_over_all_invocations() {
    let done = Done::default();
    let runner = runner(&done);
    let script =
        "console.log('x'.repeat(1000)); await t.echo(1); await t.pause(1); await t.echo(2); return 'end'";
    let result = runner.run(script).await;
    let id = result.interruptions()[0].id.clone();
    let (_, continuation) = put_away(result);
    let with = |limits: Limits| {
        let resolution = Resolution::new(id.clone(), Answer::Value(1.into()));
        runner.resume(ResumeInput::new(continuation.clone()).resolve(resolution).limits(limits))
    };
    let few = with(Limits { calls: 1, ..Limits::default() }).await.unwrap_err();
    assert_eq!(
        few.to_string(),
        "the limit `calls` is exhausted: 2 of 1 calls, by the invocations before: raise it, then resume"
    );
    assert_eq!(with(Limits { console: 500, ..Limits::default() }).await.unwrap_err().code(), "LIMIT_TOO_LOW");
    let exhausted = with(Limits { calls: 2, ..Limits::default() }).await.unwrap();
    assert_eq!(exhausted.error().unwrap().code(), "LIMIT_CALLS");
    assert_eq!(
        with(Limits { calls: 3, ..Limits::default() }).await.unwrap().into_value().unwrap(),
        "end".into()
    );
}

#[tokio::test]
async fn a_ledger_is_bounded() {
    let done = Done::default();
    let runner = runner(&done);
    let limits = Limits { ledger: 100_000, ..Limits::default() };
    let result = runner.run(RunInput::new("for (;;) await t.echo('x'.repeat(1000))").limits(limits)).await;
    assert_eq!(result.error().unwrap().code(), "LIMIT_LEDGER");
    let calls = done.take().len();
    assert!((40..60).contains(&calls), "{calls} calls");
}
