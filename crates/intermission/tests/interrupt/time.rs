//! Timers, expiry and the clock over a pause.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use intermission::{
    Answer, HostFunction, HostFunctions, Interrupt, Resolution, ResumeInput, RunResult, Runner, TimeSource,
    Value,
};

use crate::host::{Done, builder, functions, put_away, run, runner, value_text};

/// A clock that the test sets.
#[derive(Clone, Default)]
pub(crate) struct Set(Arc<AtomicU64>);

impl TimeSource for Set {
    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

pub(crate) fn at(time: &Set, now: u64) {
    time.0.store(now, Ordering::SeqCst);
}

fn timed(time: &Set) -> Runner {
    at(time, 1_000);
    builder().host_functions(functions(&Done::default())).time_source(time.clone()).build().unwrap()
}

#[tokio::test]
async fn a_timer_and_an_answer_go_by_when_they_were_due_and_given() {
    let script = "return await Promise.race([t.pause(1), sleep(5000).then(() => 'too late')])";
    // The answer given at, and resumed at; the timer is due at 6,000.
    for (given, resumed, expected) in [
        (5_999, 6_100, "\"yes\""),
        (6_000, 6_100, "\"yes\""),
        (6_001, 6_100, "\"too late\""),
        (2_000, 9_999_999, "\"yes\""),
        (2_000, 2_000, "\"yes\""),
    ] {
        let time = Set::default();
        let runner = timed(&time);
        let result = run(&runner, script).await;
        let RunResult::Interrupted { wake_at, .. } = &result else { panic!("{result:?}") };
        assert_eq!(*wake_at, Some(6_000));
        let (questions, continuation) = put_away(result);
        at(&time, resumed);
        let answer = Resolution::new(questions["1"].clone(), Answer::Value("yes".into())).at(given);
        let result = runner.resume(ResumeInput::new(continuation).resolve(answer)).await.unwrap();
        assert_eq!(value_text(result), expected, "given at {given}, resumed at {resumed}");
    }
}

#[tokio::test]
async fn a_resume_without_answers_lets_timers_fire() {
    let script = "return await Promise.race([t.pause(1), sleep(5000).then(() => 'too late')])";
    let time = Set::default();
    let runner = timed(&time);
    let (_, continuation) = put_away(run(&runner, script).await);
    at(&time, 5_999);
    let (_, continuation) = put_away(runner.resume(ResumeInput::new(continuation)).await.unwrap());
    at(&time, 6_000);
    let result = runner.resume(ResumeInput::new(continuation)).await.unwrap();
    assert_eq!(result.report().abandoned.len(), 1);
    assert_eq!(value_text(result), "\"too late\"");
}

#[tokio::test]
async fn a_timer_later_than_the_deadline_puts_the_run_away() {
    let time = Set::default();
    let runner = timed(&time);
    let result = run(&runner, "await sleep(86_400_000); return Date.now()").await;
    let RunResult::Interrupted { interruptions, continuation, wake_at, .. } = result else {
        panic!("{result:?}")
    };
    assert_eq!((interruptions.len(), wake_at), (0, Some(86_401_000)));
    at(&time, 86_401_234);
    assert_eq!(value_text(runner.resume(ResumeInput::new(continuation)).await.unwrap()), "86401234");
}

#[tokio::test]
async fn a_question_that_nobody_answers_in_time_is_over() {
    let ask = |default: Option<Value>| {
        let asks = HostFunction::sync("asks", move |call| match call.resume() {
            None => {
                let ask = Interrupt::new("x").expires_at(3_000);
                Err(default.clone().map_or(ask.clone(), |default| ask.default(default)).into())
            }
            Some(resume) => Ok(Value::array([resume.resolution.clone(), resume.expired.into()])),
        });
        let time = Set::default();
        at(&time, 1_000);
        let functions = HostFunctions::new([asks]).unwrap();
        (time.clone(), builder().host_functions(functions).time_source(time).build().unwrap())
    };
    let script = "try { return await asks() } catch (e) { return [e.name, e.code] }";
    for (default, expected) in [
        (None, r#"["TimeoutError", "INTERRUPTION_EXPIRED"]"#),
        (Some(Value::from("default")), r#"["default", true]"#),
    ] {
        let (time, runner) = ask(default);
        let result = run(&runner, script).await;
        let id = result.interruptions()[0].id.clone();
        let RunResult::Interrupted { wake_at, .. } = &result else { panic!("{result:?}") };
        assert_eq!(*wake_at, Some(3_000));
        let (_, continuation) = put_away(result);
        at(&time, 3_000);
        let late = Resolution::new(id.clone(), Answer::Value(1.into()));
        let refused = runner.resume(ResumeInput::new(continuation.clone()).resolve(late)).await.unwrap_err();
        assert_eq!(refused.code(), "RESOLUTION_EXPIRED");
        let in_time = Resolution::new(id, Answer::Value(1.into())).at(2_999);
        let result = runner.resume(ResumeInput::new(continuation.clone()).resolve(in_time)).await.unwrap();
        assert_eq!(value_text(result), "[1, false]");
        assert_eq!(value_text(runner.resume(ResumeInput::new(continuation)).await.unwrap()), expected);
    }
}

#[tokio::test]
async fn the_clock_never_goes_back_even_where_the_hosts_does() {
    let script = "const a=Date.now(); for(let i=0;i<5000;i++) Date.now(); const b=Date.now(); await t.echo(1); const c=Date.now(); await t.pause(c-a); return [b>=a, c>=b, Date.now()>=c, Date.now()];";
    let time = Set::default();
    let runner = timed(&time);
    at(&time, 3_700_000);
    let (questions, continuation) = put_away(run(&runner, script).await);
    at(&time, 100_000);
    let answer = Resolution::new(questions["0"].clone(), Answer::Value(1.into()));
    let result = runner.resume(ResumeInput::new(continuation).resolve(answer)).await.unwrap();
    assert_eq!(value_text(result), "[true, true, true, 3700000]");
}

#[tokio::test]
async fn two_seconds_of_busy_waiting_are_less_than_ten_kilobytes_of_ledger() {
    /// A millisecond passes with every thousand looks.
    #[derive(Default)]
    struct Looked(AtomicU64);
    impl TimeSource for Looked {
        fn now(&self) -> u64 {
            1_700_000_000_000 + self.0.fetch_add(1, Ordering::Relaxed) / 1_000
        }
    }
    let functions = functions(&Done::default());
    let runner = builder().host_functions(functions).time_source(Looked::default()).build().unwrap();
    let script = "const began = Date.now(); while (Date.now() < began + 2000); await t.pause(1); return Date.now() - began";
    let (questions, continuation) = put_away(run(&runner, script).await);
    let bytes = continuation.to_bytes().len();
    assert!(bytes < 10_000, "{bytes} bytes");
    let answer = Resolution::new(questions["1"].clone(), Answer::Value(1.into()));
    let result = runner.resume(ResumeInput::new(continuation).resolve(answer)).await.unwrap();
    assert_eq!(value_text(result), "2000");
}

#[tokio::test]
async fn a_question_whose_time_is_over_when_it_is_asked_takes_its_default_at_once() {
    let asks = HostFunction::sync("asks", |call| match call.resume() {
        None => Err(Interrupt::new("x").expires_at(500).default("late").into()),
        Some(resume) => Ok(resume.resolution.clone()),
    });
    let time = Set::default();
    at(&time, 1_000);
    let functions = HostFunctions::new([asks]).unwrap();
    let runner = builder().host_functions(functions).time_source(time).build().unwrap();
    assert_eq!(value_text(run(&runner, "return await asks()").await), "\"late\"");
}

#[tokio::test]
async fn a_run_that_waits_longer_than_it_may_keep_its_sandbox_is_put_away() {
    let runner = runner(&Done::default());
    let begun = |wait: u64| runner.begin(format!("await sleep({wait}); return 'woken'")).unwrap();
    let keeps = ResumeInput::new(begun(20)).longest_wait(Duration::from_millis(20));
    assert_eq!(value_text(runner.resume(keeps).await.unwrap()), "\"woken\"");
    let does_not = ResumeInput::new(begun(29_000)).longest_wait(Duration::from_secs(20));
    let away = runner.resume(does_not).await.unwrap();
    let RunResult::Interrupted { interruptions, wake_at: Some(_), .. } = away else { panic!("{away:?}") };
    assert_eq!(interruptions, []);
}
