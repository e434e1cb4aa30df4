//! Runs that are answered, cancelled and kept while they go on.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use intermission::ledger::{Entry, Record};
use intermission::{
    Answer, Batch, Continuation, HostFunction, HostFunctions, Interrupt, LedgerSink, Resolution, ResumeInput,
    RunEvent, RunResult, SinkError, Value,
};
use tokio::sync::Notify;

use crate::host::{Done, builder, functions, put_away, runner, value_text};
use crate::time::{Set, at};

#[tokio::test]
async fn an_answer_that_waits_for_its_turn_is_not_given_again() {
    let runner = runner(&Done::default());
    let (questions, continuation) =
        put_away(runner.run("return await Promise.all([t.pause(1), t.pause(2)])").await);
    let answer = |question: &str| Resolution::new(questions[question].clone(), Answer::Value(5.into()));
    let input = ResumeInput::new(continuation).resolve(answer("1").at(1)).resolve(answer("2"));
    let run = runner.start_resume(input).await.unwrap();
    // It is heard before the first of the answers is acted on.
    assert_eq!(run.resolve(answer("2")).await.unwrap_err().code(), "RESOLUTION_STALE");
    assert_eq!(value_text(run.wait().await), "[5, 5]");
}

#[tokio::test(start_paused = true)]
async fn an_answer_given_to_a_run_under_way_leaves_the_same_ledger_as_one_given_later() {
    let script = "return await Promise.all([t.pause(1), t.slow(50, 'a')])";
    let done = Done::default();
    let runner = runner(&done);
    let mut run = runner.start(script);
    let Some(RunEvent::Interrupted(asked)) = run.next_event().await else { panic!("it asks") };
    assert_eq!(done.take(), ["t.slow(50, \"a\")"]);
    let unknown = Resolution::new("int_aaaaaaaaaaaaaaaaaaaaaaaaaa".parse().unwrap(), Answer::Value(1.into()));
    assert_eq!(run.resolve(unknown).await.unwrap_err().code(), "RESOLUTION_UNKNOWN");
    run.resolve(Resolution::new(asked.id, Answer::Value("yes".into()))).await.unwrap();
    let result = run.wait().await;
    let names = |result: &RunResult| -> Vec<&'static str> {
        let entries = result.continuation().unwrap().record().entries();
        entries.iter().filter(|entry| !matches!(entry, Entry::Clock { .. })).map(Entry::name).collect()
    };
    let live = [
        "started",
        "called",
        "called",
        "used",
        "dispatched",
        "used",
        "dispatched",
        "interrupted",
        "resolved",
        "dispatched",
        "settled",
        "settled",
        "ended",
        "spent",
        "closed",
    ];
    assert_eq!(names(&result), live);
    assert_eq!(value_text(result), r#"["yes", "a"]"#);
    done.take();
    let (questions, continuation) = put_away(runner.run(script).await);
    let answer = Resolution::new(questions["1"].clone(), Answer::Value("yes".into()));
    let later = runner.resume(ResumeInput::new(continuation).resolve(answer)).await.unwrap();
    assert_eq!(value_text(later), r#"["yes", "a"]"#);
}

#[tokio::test]
async fn a_cancelled_run_is_over_whether_it_waits_or_computes() {
    for script in ["await t.never()", "for (;;) {}", "await sleep(9000)"] {
        let (invoked, aborted) = (Arc::new(Notify::new()), Arc::new(Mutex::new(false)));
        let never = {
            let (invoked, aborted) = (Arc::clone(&invoked), Arc::clone(&aborted));
            HostFunction::new("t.never", move |call| {
                let (invoked, aborted) = (Arc::clone(&invoked), Arc::clone(&aborted));
                async move {
                    invoked.notify_one();
                    call.abort_signal().aborted().await;
                    *aborted.lock().unwrap() = true;
                    Ok(Value::from("told"))
                }
            })
        };
        let runner = builder().host_functions(HostFunctions::new([never]).unwrap()).build().unwrap();
        let run = runner.start(script);
        if script.contains("never") {
            invoked.notified().await;
        } else {
            tokio::task::yield_now().await;
        }
        run.cancel();
        run.cancel();
        let result = run.wait().await;
        let RunResult::Cancelled { continuation, .. } = &result else { panic!("{script}: {result:?}") };
        assert_eq!(*aborted.lock().unwrap(), script.contains("never"), "{script}");
        let names: Vec<_> = continuation.record().entries().iter().map(Entry::name).collect();
        let expected: &[&str] = if script.contains("never") {
            &["cancelled", "settled", "spent", "closed"]
        } else {
            &["cancelled", "spent", "closed"]
        };
        assert!(names.ends_with(expected), "{script}: {names:?}");
        let again = runner.resume(ResumeInput::new(continuation.clone())).await.unwrap_err();
        assert_eq!(again.code(), "RUN_OVER", "{script}");
    }
}

/// Keeps the bytes, and notes what had been kept when each host function was invoked.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Vec<u8>>>>);

impl LedgerSink for Kept {
    fn append<'a>(&'a self, batch: Batch<'a>) -> BoxFuture<'a, Result<(), SinkError>> {
        let mut kept = self.0.lock().unwrap();
        assert_eq!(kept.len(), batch.from());
        kept.extend(batch.encoded());
        Box::pin(async { Ok(()) })
    }
}

impl Kept {
    fn record(&self) -> Record {
        let mut bytes = vec![1];
        bytes.extend(self.0.lock().unwrap().concat());
        Record::decode(&bytes).unwrap()
    }
}

#[tokio::test]
async fn everything_up_to_its_dispatch_is_kept_before_a_host_function_is_invoked() {
    let kept = Kept::default();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let looking = |name: &'static str| {
        let (kept, seen) = (kept.clone(), Arc::clone(&seen));
        HostFunction::sync(name, move |call| {
            let record = kept.record();
            let dispatched = record.entries().iter().any(
                |entry| matches!(entry, Entry::Dispatched { call: kept } if *kept == call.request_index()),
            );
            seen.lock().unwrap().push(dispatched);
            Ok(call.input())
        })
    };
    let functions = HostFunctions::new([looking("f"), looking("now").blocking()]).unwrap();
    let runner = builder().host_functions(functions).ledger_sink(kept.clone()).build().unwrap();
    let result = runner.run("now(1); await Promise.all([f(1), f(2)]); return await f(3)").await;
    assert_eq!(*seen.lock().unwrap(), [true; 4]);
    assert_eq!(kept.record(), *result.continuation().unwrap().record());
}

#[tokio::test]
async fn an_expiry_is_kept_before_its_function_goes_on_with_the_default() {
    let (kept, time) = (Kept::default(), Set::default());
    at(&time, 1_000);
    let told = Arc::new(Notify::new());
    let asks = {
        let (kept, told) = (kept.clone(), Arc::clone(&told));
        HostFunction::sync("asks", move |call| {
            if call.resume().is_none() {
                return Err(Interrupt::new("x").expires_at(1_000).default("late").into());
            }
            told.notify_one();
            let record = kept.record();
            let dispatched = |entry: &&Entry| matches!(entry, Entry::Dispatched { call: 1 });
            Ok(record.entries().iter().filter(dispatched).count() as f64)
        })
    };
    let holds = HostFunction::new("holds", move |_| {
        let told = Arc::clone(&told);
        async move {
            told.notified().await;
            Ok(0.0)
        }
    });
    let functions = HostFunctions::new([asks, holds]).unwrap();
    let builder = builder().host_functions(functions).time_source(time).ledger_sink(kept);
    let result = builder.build().unwrap().run("return await Promise.all([asks(), holds()])").await;
    assert_eq!(value_text(result), "[2, 0]");
}

#[tokio::test]
async fn a_run_whose_ledger_cannot_be_kept_fails_before_it_does_anything() {
    struct Full;
    impl LedgerSink for Full {
        fn append<'a>(&'a self, _: Batch<'a>) -> BoxFuture<'a, Result<(), SinkError>> {
            Box::pin(async { Err(SinkError("no room left".to_owned())) })
        }
    }
    let done = Done::default();
    let runner = builder().host_functions(functions(&done)).ledger_sink(Full).build().unwrap();
    let result = runner.run("return await t.echo(1)").await;
    assert_eq!(result.error().unwrap().to_string(), "what happened could not be kept: no room left");
    assert!(done.take().is_empty());
}

#[tokio::test]
async fn an_unsafe_call_that_a_crash_has_left_open_is_asked_about() {
    let done = Done::default();
    let runner = runner(&done);
    let whole = runner.run("return await t.deploy(10)").await;
    let entries = whole.continuation().unwrap().record().entries().to_vec();
    let dispatched = entries.iter().position(|entry| matches!(entry, Entry::Dispatched { .. })).unwrap();
    let crashed = Continuation::new(Record::from_entries(entries[..=dispatched].to_vec()).unwrap()).unwrap();
    done.take();
    let result = runner.resume(ResumeInput::new(crashed)).await.unwrap();
    let asked = result.interruptions()[0].clone();
    assert_eq!(asked.kind.name(), "outcome-unknown");
    assert!(done.take().is_empty());
    let (_, continuation) = put_away(result);
    let say = |answer: Answer| {
        runner
            .resume(ResumeInput::new(continuation.clone()).resolve(Resolution::new(asked.id.clone(), answer)))
    };
    let happened = say(Answer::Happened(Ok("by then".into()))).await.unwrap();
    assert_eq!(value_text(happened), "\"by then\"");
    assert!(done.take().is_empty());
    let again = say(Answer::DidNotHappen).await.unwrap();
    assert_eq!(value_text(again), "10");
    assert_eq!(done.take(), ["t.deploy(10)"]);
    assert_eq!(say(Answer::Value(1.into())).await.unwrap_err().code(), "RESOLUTION_INVALID");
}

#[tokio::test(start_paused = true)]
async fn a_call_keeps_its_identities_over_replays() {
    let ids = Arc::new(Mutex::new(Vec::new()));
    let asks = {
        let ids = Arc::clone(&ids);
        HostFunction::new("asks", move |call| {
            ids.lock().unwrap().push((call.request_id(), call.idempotency_key(), call.invocation_id()));
            let ids_seen = ids.lock().unwrap().len();
            async move {
                tokio::time::sleep(Duration::from_millis(5)).await;
                if ids_seen < 3 {
                    Err(call.interrupt(ids_seen as f64, Value::Undefined))
                } else {
                    Ok(Value::Null)
                }
            }
        })
    };
    let runner = builder().host_functions(HostFunctions::new([asks]).unwrap()).build().unwrap();
    let mut result = runner.run("return await asks(1)").await;
    let mut questions = Vec::new();
    while let RunResult::Interrupted { interruptions, continuation, .. } = result {
        questions.push(interruptions[0].id.clone());
        let answer = Resolution::new(interruptions[0].id.clone(), Answer::Value(true.into()));
        result = runner.resume(ResumeInput::new(continuation).resolve(answer)).await.unwrap();
    }
    let ids = ids.lock().unwrap();
    assert_eq!(ids.len(), 3);
    assert!(ids.iter().all(|(request, key, _)| (request, key) == (&ids[0].0, &ids[0].1)));
    assert_ne!(ids[0].2, ids[1].2);
    assert_eq!(questions.len(), 2);
    assert_ne!(questions[0], questions[1]);
}

#[test]
fn a_run_whose_runtime_is_shut_down_has_been_aborted() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (begun, runner) = (runtime(), runner(&Done::default()));
    let run = begun.block_on(async { runner.start("return await t.slow(60000, 'a')") });
    let run_id = run.run_id();
    drop(begun);
    let result = runtime().block_on(run.wait());
    assert_eq!((result.error().unwrap().code(), result.report().run_id), ("ABORTED", run_id));
}
