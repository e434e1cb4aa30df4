//! Scripts and their hosts.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use intermission::{
    AbortController, Exhausted, Fate, HostError, HostFunction, HostFunctions, Limit, Limits, RunError,
    RunInput, RunResult, Runner, Value,
};
use serde_json::json;

fn functions() -> HostFunctions {
    HostFunctions::new([
        HostFunction::sync("t.echo", |call| Ok(call.input())),
        HostFunction::new("t.slow", |call| async move {
            let [ms, value]: [f64; 2] = call.arguments_as()?;
            tokio::time::sleep(Duration::from_millis(ms as u64)).await;
            Ok(value)
        }),
        HostFunction::sync("t.fail", |call| {
            let message: String = call.input_as()?;
            Err::<Value, _>(HostError::new(message).with_name("TypeError").with_code("E_FAIL"))
        }),
        HostFunction::sync("t.panic", |_| -> Result<Value, HostError> { panic!("on purpose") }),
        HostFunction::new("t.never", |_| std::future::pending::<Result<Value, HostError>>()),
        HostFunction::new("now", |_| async { Ok(7.0) }).blocking(),
    ])
    .unwrap()
}

fn runner() -> Runner {
    Runner::builder().host_functions(functions()).build().unwrap()
}

async fn value(source: &str) -> Value {
    runner().run(source).await.into_value().unwrap()
}

async fn error(source: &str) -> RunError {
    runner().run(source).await.into_value().unwrap_err()
}

/// A runner whose `f` never answers, and the news that it was told to abort.
fn listening() -> (Runner, tokio::sync::oneshot::Receiver<()>) {
    let (told, heard) = tokio::sync::oneshot::channel();
    let told = std::sync::Mutex::new(Some(told));
    let functions = HostFunctions::new([HostFunction::new("f", move |call| {
        let told = told.lock().unwrap().take();
        async move {
            let signal = call.abort_signal().clone();
            tokio::spawn(async move {
                signal.aborted().await;
                let _ = told.unwrap().send(());
            });
            std::future::pending::<Result<Value, HostError>>().await
        }
    })]);
    let runner = Runner::builder().host_functions(functions.unwrap()).build().unwrap();
    (runner, heard)
}

/// A strict runner, and how often its `f` was called.
fn strict_and_counting() -> (Runner, Arc<AtomicU32>) {
    let made = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&made);
    let functions = HostFunctions::new([HostFunction::sync("f", move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        Ok(1.0)
    })]);
    let runner = Runner::builder().host_functions(functions.unwrap()).strict(true).build().unwrap();
    (runner, made)
}

#[tokio::test]
async fn calls_start_when_they_are_called() {
    let script =
        "const p = t.slow(30, 1), q = t.slow(30, 2); return [await p, await q, p instanceof Promise]";
    let got = value(script).await;
    assert_eq!(got, Value::Array(vec![Some(1.0.into()), Some(2.0.into()), Some(true.into())]));
}

#[tokio::test]
async fn typescript_and_tolerant_entry_go_in_as_they_come() {
    assert_eq!(
        value("enum E { A = 2 }\ninterface Row { n: number }\nconst r: Row = { n: E.A };\nr.n * 21").await,
        42.0.into()
    );
    assert_eq!(
        value("```ts\nasync () => { const x: number = await t.echo(42); return x }\n```").await,
        42.0.into()
    );
    assert_eq!(value("export default async function main() { return 42 }").await, 42.0.into());
    assert_eq!(value("").await, Value::Undefined);
}

#[tokio::test]
async fn a_host_error_reaches_the_script_with_name_message_and_code() {
    let script =
        "try { await t.fail('no user 7') } catch (e) { return [e instanceof TypeError, e.message, e.code] }";
    let expected = Value::Array(vec![Some(true.into()), Some("no user 7".into()), Some("E_FAIL".into())]);
    assert_eq!(value(script).await, expected);
}

#[tokio::test]
async fn a_host_error_can_be_redacted() {
    let runner = Runner::builder().host_functions(functions()).redact_errors(true).build().unwrap();
    let script = "try { await t.fail('secret') } catch (e) { return [e.name, e.message, e.code] }";
    let expected = Value::array(["Error", "the host function failed", "HOST_FUNCTION_FAILED"]);
    assert_eq!(runner.run(script).await.into_value().unwrap(), expected);
}

#[tokio::test]
async fn a_panic_of_a_host_function_is_a_rejection() {
    let script = "try { await t.panic() } catch (e) { return e.message }";
    assert_eq!(value(script).await, "the host function t.panic panicked".into());
}

#[tokio::test]
async fn a_blocking_function_gives_the_value_itself() {
    assert_eq!(value("return now() + now()").await, 14.0.into());
}

#[tokio::test]
async fn an_uncaught_error_has_the_original_place() {
    let RunError::Script(thrown) =
        error("type T = string;\nconst f = (x: T): never => {\n  throw new RangeError(x);\n};\nf('far')")
            .await
    else {
        panic!("it should throw")
    };
    assert_eq!(thrown.to_string(), "RangeError: far");
    assert_eq!(thrown.stack(), "    at f (script.js:3:24)\n    at script.js:5:1\n");
}

#[tokio::test]
async fn a_deadlock_is_found_at_once() {
    assert!(matches!(error("await new Promise(() => {})").await, RunError::Deadlock));
}

#[tokio::test]
async fn timers_wait_and_fire_in_order() {
    let script = "const log = []; setTimeout(() => log.push('b'), 20); setTimeout(() => log.push('a'), 10); \
                  const i = setInterval(() => { log.push('i'); if (log.length > 4) clearInterval(i) }, 8); await sleep(60); return log.sort()";
    let got = value(script).await;
    assert_eq!(got, Value::array(["a", "b", "i", "i", "i"]));
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_is_awaited_and_reported() {
    let runner = runner();
    let result = runner.run("t.slow(5, 1);\nt.fail('x').catch(() => {}); return 1").await;
    let RunResult::Completed { value, report, .. } = result else { panic!("{result:?}") };
    assert_eq!(value, 1.0.into());
    let detached: Vec<_> = report.detached.iter().map(|call| (call.to_string(), call.fate)).collect();
    assert_eq!(
        detached,
        [("t.slow (1:3)".to_owned(), Fate::Fulfilled), ("t.fail (2:3)".to_owned(), Fate::Rejected)]
    );
}

#[tokio::test]
async fn in_strict_mode_a_detached_call_is_an_error_and_is_not_even_made() {
    let (runner, made) = strict_and_counting();
    let error = runner.run("f(); return 1").await.into_value().unwrap_err();
    assert_eq!(error.code(), "DETACHED_CALLS");
    assert_eq!(
        error.to_string(),
        "the script ended without waiting for f (1:1): await every call, or allow detached calls"
    );
    assert_eq!(made.load(Ordering::SeqCst), 0);
    assert_eq!(runner.run("return await f()").await.into_value().unwrap(), 1.0.into());
}

#[tokio::test]
async fn a_call_that_never_answers_ends_at_the_deadline() {
    let limits = Limits { deadline: Duration::from_millis(40), ..Limits::default() };
    let error = runner().run(RunInput::new("await t.never()").limits(limits)).await.into_value().unwrap_err();
    let RunError::Exhausted(Exhausted { limit, allowed, used }) = error else { panic!("{error:?}") };
    assert_eq!((limit, allowed), (Limit::Deadline, 40));
    assert!(used >= 40);
}

#[tokio::test]
async fn a_loop_ends_at_the_cpu_limit_whatever_it_catches() {
    let limits = Limits { cpu: Duration::from_millis(30), ..Limits::default() };
    let script = "console.log('before'); for (;;) { try { for (;;) {} } catch {} finally { continue } }";
    let result = runner().run(RunInput::new(script).limits(limits)).await;
    assert_eq!(result.error().unwrap().code(), "LIMIT_CPU");
    assert_eq!(result.report().console[0].text, "before", "what came before is kept");
}

#[tokio::test(flavor = "current_thread")]
async fn a_script_whose_calls_are_answered_at_once_ends_at_its_deadline_and_lets_others_go_on() {
    let limits = Limits { deadline: Duration::from_millis(60), calls: u32::MAX, ..Limits::default() };
    let runner = runner();
    let busy = runner.run(RunInput::new("while (true) { try { await t.echo(1) } catch {} }").limits(limits));
    let (busy, other) = tokio::join!(busy, async {
        tokio::task::yield_now().await;
        runner.run("return 1").await.into_value().unwrap()
    });
    assert_eq!(busy.error().unwrap().code(), "LIMIT_DEADLINE");
    assert_eq!(other, 1.0.into());
}

/// Computes where the interpreter never gets a turn.
const NATIVE: &str = "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)";
/// Computes in one loop that does not pause, again and again.
const LEAF: &str = "const s = 'a'.repeat(2 ** 24); for (;;) s.indexOf('b')";

#[tokio::test]
async fn native_work_ends_at_the_deadline_and_at_the_cpu_limit() {
    let (short, long) = (Duration::from_millis(100), Duration::from_mins(1));
    for script in [NATIVE, LEAF] {
        for (deadline, cpu, code) in [(short, long, "LIMIT_DEADLINE"), (long, short, "LIMIT_CPU")] {
            let limits = Limits { deadline, cpu, ..Limits::default() };
            let result = runner().run(RunInput::new(script).limits(limits)).await;
            assert_eq!(result.error().unwrap().code(), code, "{script}");
        }
    }
}

#[tokio::test]
async fn an_abort_from_another_thread_ends_native_work_where_it_is() {
    for script in [NATIVE, LEAF] {
        let controller = AbortController::new();
        let (entered, is_entered) = std::sync::mpsc::channel();
        let functions = HostFunctions::new([HostFunction::sync("entered", move |_| {
            entered.send(()).unwrap();
            Ok(Value::Undefined)
        })]);
        let runner = Runner::builder().host_functions(functions.unwrap()).build().unwrap();
        let aborts = std::thread::spawn({
            let controller = controller.clone();
            move || {
                is_entered.recv().unwrap();
                controller.abort();
            }
        });
        let script = format!("await entered(); {script}");
        let result = runner.run(RunInput::new(script).abort(controller.signal())).await;
        assert_eq!(result.error().unwrap().code(), "ABORTED");
        aborts.join().unwrap();
    }
}

#[tokio::test]
async fn an_abort_ends_a_run_that_computes_and_one_that_waits() {
    for script in ["for (;;) {}", "await t.never()", "await sleep(9000)"] {
        let controller = AbortController::new();
        let runner = runner();
        let input = RunInput::new(script).abort(controller.signal());
        let (result, ()) = tokio::join!(runner.run(input), async {
            tokio::task::yield_now().await;
            controller.abort();
        });
        assert_eq!(result.error().unwrap().code(), "ABORTED", "{script}");
    }
}

#[tokio::test]
async fn host_functions_are_told_when_nobody_waits_any_more() {
    let (runner, heard) = listening();
    let limits = Limits { deadline: Duration::from_millis(400), ..Limits::default() };
    assert!(runner.run(RunInput::new("await f()").limits(limits)).await.error().is_some());
    heard.await.unwrap();
}

#[tokio::test]
async fn too_much_of_a_host_functions_output_ends_the_run() {
    let limits = Limits { output: 100, ..Limits::default() };
    let script = "try { await t.echo('x'.repeat(200)) } catch { return 'caught' }";
    let error = runner().run(RunInput::new(script).limits(limits)).await.into_value().unwrap_err();
    assert_eq!(error.to_string(), "the limit `output` is exhausted: 101 of 100 bytes");
}

#[tokio::test]
async fn schemas_are_checked_going_in_and_coming_out() {
    let functions = HostFunctions::new([HostFunction::sync("t.half", |call| {
        let n: f64 = call.input_as()?;
        Ok(if n > 100.0 { Value::from("too much") } else { Value::from(n / 2.0) })
    })
    .input_schema(json!({ "type": "number", "minimum": 1 }))
    .output_schema(json!({ "type": "number" }))]);
    let runner = Runner::builder().host_functions(functions.unwrap()).build().unwrap();
    let caught = |script: &str| {
        let script =
            format!("try {{ return await {script} }} catch (e) {{ return e.name + ': ' + e.message }}");
        let runner = runner.clone();
        async move { runner.run(script).await.into_value().unwrap() }
    };
    assert_eq!(caught("t.half(8)").await, 4.0.into());
    assert_eq!(
        caught("t.half(0)").await,
        "TypeError: t.half was called with what does not fit its schema: 0 is less than the minimum of 1"
            .into()
    );
    assert_eq!(
        caught("t.half(200)").await,
        "Error: t.half returned what does not fit its schema: \"too much\" is not of type \"number\"".into()
    );
}

#[tokio::test]
async fn modules_are_loaded_typescript_included_cyclic_and_dynamic() {
    let modules = BTreeMap::from([
        (
            "a.ts".to_owned(),
            "import { b } from './b.ts'; export const a: number = 1; export const ab = () => a + b;"
                .to_owned(),
        ),
        (
            "b.ts".to_owned(),
            "import { a } from './a.ts'; export const b: number = 2; export const ba = () => a + b;"
                .to_owned(),
        ),
    ]);
    let script =
        "import { ab } from './a.ts';\nconst { ba } = await import('./b.ts');\nexport default [ab(), ba()]";
    let result = runner().run(RunInput::new(script).modules(modules)).await;
    assert_eq!(result.into_value().unwrap(), Value::array([3.0, 3.0]));
}

#[tokio::test]
async fn a_module_that_is_missing_or_broken_is_an_error_that_says_so() {
    let modules = BTreeMap::from([("bad.js".to_owned(), "export const = 1".to_owned())]);
    let runner = runner();
    for (script, expected) in [
        ("await import('./nope.js')", "Error: there is no module `nope.js`; there are: bad.js"),
        ("await import('./bad.js')", "SyntaxError: bad.js:"),
    ] {
        let result = runner.run(RunInput::new(script).modules(modules.clone())).await;
        let error = result.into_value().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[tokio::test]
async fn a_syntax_error_says_where() {
    let error = error("const a = 1;\nconst b = (;\n").await;
    assert_eq!(error.code(), "SOURCE_SYNTAX");
    let RunError::Source(source) = error else { panic!("{error:?}") };
    assert_eq!(source.to_string().lines().next(), Some("Unexpected token (line 2, column 12)"));
}

#[tokio::test]
async fn runs_queue_in_order_when_all_places_are_taken_and_are_refused_when_the_queue_is_full() {
    let runner = Runner::builder()
        .host_functions(functions())
        .max_runs(NonZeroU32::MIN)
        .lanes(NonZeroU32::MIN)
        .max_queued(2)
        .build()
        .unwrap();
    let order = std::sync::Mutex::new(Vec::new());
    let run = |n: u32| {
        let (runner, order) = (&runner, &order);
        async move {
            let result = runner.run(format!("await t.slow(5, 0); return {n}")).await;
            order.lock().unwrap().push(result.into_value().map_err(|error| error.code()));
        }
    };
    tokio::join!(run(1), run(2), run(3), run(4));
    let order = order.into_inner().unwrap();
    assert_eq!(order, [Err("BUSY"), Ok(1.0.into()), Ok(2.0.into()), Ok(3.0.into())]);
}

#[tokio::test]
async fn a_thousand_runs_wait_at_once() {
    let waiting = Arc::new(tokio::sync::Semaphore::new(0));
    let arrived = Arc::new(AtomicU32::new(0));
    let (gate, count) = (Arc::clone(&waiting), Arc::clone(&arrived));
    let functions = HostFunctions::new([HostFunction::new("gate", move |_| {
        let gate = Arc::clone(&gate);
        if count.fetch_add(1, Ordering::SeqCst) + 1 == 1000 {
            gate.add_permits(1000);
        }
        async move {
            gate.acquire().await.unwrap().forget();
            Ok(1.0)
        }
    })]);
    let runner = Runner::builder().host_functions(functions.unwrap()).build().unwrap();
    let runs = (0..1000).map(|_| runner.run("return await gate()"));
    let results = futures_util::future::join_all(runs).await;
    assert!(results.into_iter().all(|result| result.into_value().unwrap() == 1.0.into()));
    assert_eq!(arrived.load(Ordering::SeqCst), 1000);
}

#[tokio::test(flavor = "current_thread")]
async fn a_script_that_computes_does_not_hold_up_others_on_one_thread() {
    let runner = runner();
    let limits = Limits { cpu: Duration::from_secs(10), ..Limits::default() };
    let controller = AbortController::new();
    let heavy = |script| runner.run(RunInput::new(script).limits(limits).abort(controller.signal()));
    let heavy = futures_util::future::join_all(["for (;;) {}", NATIVE, LEAF].map(heavy));
    let light = async {
        for n in 0..20 {
            let result = runner.run(format!("return await t.echo({n})")).await;
            assert_eq!(result.into_value().unwrap(), f64::from(n).into());
        }
        controller.abort();
    };
    let (heavy, ()) = tokio::join!(heavy, light);
    for result in heavy {
        assert_eq!(result.error().unwrap().code(), "ABORTED");
    }
}

#[tokio::test]
async fn what_a_run_used_is_told() {
    let result = runner().run("for (let i = 0; i < 1000; i++); await t.echo(1); await t.slow(10, 2)").await;
    let stats = result.report().stats;
    assert_eq!(stats.calls, 2);
    assert!(stats.fuel > 1000 && stats.memory > 1 << 20);
    assert!(stats.waited >= Duration::from_millis(10) && stats.wall >= stats.waited);
}

#[tokio::test]
async fn an_unhandled_rejection_is_reported() {
    let result = runner().run("Promise.reject(new Error('lost')); return 1").await;
    assert_eq!(result.report().unhandled[0].to_string(), "Error: lost");
}

#[tokio::test]
async fn a_timer_that_is_always_due_does_not_hold_back_a_call_that_has_finished() {
    for poll in
        ["await sleep(0)", "await new Promise(r => setTimeout(r))", "await new Promise(r => setImmediate(r))"]
    {
        let script = format!(
            "let done = false; t.echo(1).then(() => {{ done = true }}); while (!done) {poll}; return done"
        );
        assert_eq!(value(&script).await, true.into(), "{poll}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn calls_go_on_while_the_script_computes_and_while_it_blocks() {
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let (quick, slow) = (Arc::clone(&order), Arc::clone(&order));
    let done = Arc::new(tokio::sync::Notify::new());
    let (tells, waits) = (Arc::clone(&done), done);
    let functions = HostFunctions::new([
        HostFunction::new("quick", move |_| {
            let (order, done) = (Arc::clone(&quick), Arc::clone(&tells));
            async move {
                tokio::task::yield_now().await;
                order.lock().unwrap().push("quick");
                done.notify_one();
                Ok(1.0)
            }
        }),
        HostFunction::new("block", move |_| {
            let (order, done) = (Arc::clone(&slow), Arc::clone(&waits));
            async move {
                done.notified().await;
                order.lock().unwrap().push("block");
                Ok(2.0)
            }
        })
        .blocking(),
    ]);
    let runner = Runner::builder().host_functions(functions.unwrap()).build().unwrap();
    let script = "const q = quick(); await null; await sleep(0); block(); return await q";
    assert_eq!(runner.run(script).await.into_value().unwrap(), 1.0.into());
    assert_eq!(*order.lock().unwrap(), ["quick", "block"]);
}

#[tokio::test]
async fn a_run_that_is_dropped_while_it_computes_gives_its_place_back_with_its_sandbox() {
    let runner = Runner::builder().max_runs(NonZeroU32::MIN).lanes(NonZeroU32::MIN).build().unwrap();
    for _ in 0..10 {
        let computing = runner.run("for (;;) {}");
        let _ = tokio::time::timeout(Duration::from_millis(5), computing).await;
        assert_eq!(runner.run("return 1").await.into_value().unwrap(), 1.0.into());
    }
}

#[tokio::test]
async fn a_run_that_is_dropped_tells_its_host_functions() {
    let (runner, heard) = listening();
    let _ = tokio::time::timeout(Duration::from_millis(20), runner.run("await f()")).await;
    heard.await.unwrap();
}

#[tokio::test]
async fn a_deadlock_tells_of_the_rejection_that_caused_it() {
    let result =
        runner().run("data = { n: 1 }; await new Promise(async () => { throw new Error('lost') })").await;
    assert_eq!(result.error().unwrap().code(), "DEADLOCK");
    assert_eq!(result.report().unhandled[0].to_string(), "Error: lost");
    assert_eq!(result.report().data, Some(Value::object([("n", 1.0)])));
}

#[tokio::test]
async fn places_of_calls_and_of_host_errors_are_in_the_file_that_its_author_wrote() {
    let modules = BTreeMap::from([(
        "m.ts".to_owned(),
        "enum E { A }\nexport const f = (x: number) => {\n  return t.fail('no') }".to_owned(),
    )]);
    let script = "import { f } from './m.ts'; export default await f(1)";
    let error = runner().run(RunInput::new(script).modules(modules).name("my report (v2).ts")).await;
    let error = error.into_value().unwrap_err();
    let RunError::Script(thrown) = error else { panic!("{error:?}") };
    assert_eq!(thrown.stack(), "    at m.ts:3:12\n");
    let error =
        runner().run(RunInput::new("null.x").name("my report (v2).ts")).await.into_value().unwrap_err();
    let RunError::Script(thrown) = error else { panic!("{error:?}") };
    assert_eq!(thrown.stack(), "    at my report (v2).ts:1:1\n");
}

#[tokio::test]
async fn why_data_cannot_be_sent_is_told() {
    let result = runner().run("data = () => 1; return 2").await;
    assert_eq!(result.report().data, None);
    assert_eq!(
        result.report().data_error.as_ref().unwrap().to_string(),
        "TypeError: cannot send data: a function"
    );
    assert_eq!(result.into_value().unwrap(), 2.0.into());
}

#[tokio::test]
async fn a_span_that_no_clock_can_hold_is_for_ever() {
    let limits = Limits { deadline: Duration::MAX, ..Limits::default() };
    let runner = Runner::builder().host_functions(functions()).drain(Duration::MAX).build().unwrap();
    let result = runner.run(RunInput::new("t.slow(1, 2); return await t.slow(1, 3)").limits(limits)).await;
    assert_eq!(result.into_value().unwrap(), 3.0.into());
}

#[tokio::test]
async fn in_strict_mode_a_script_that_throws_makes_no_further_call_either() {
    let (runner, made) = strict_and_counting();
    let result = runner.run("f(); throw new Error('x')").await;
    assert_eq!(result.error().unwrap().to_string(), "Error: x");
    assert_eq!(result.report().detached[0].fate, Fate::Refused);
    assert_eq!(made.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_time_source_that_panics_ends_its_run_and_no_other() {
    struct Later(AtomicU32);
    impl intermission::TimeSource for Later {
        fn now(&self) -> u64 {
            assert!(self.0.fetch_add(1, Ordering::Relaxed) < 3, "on purpose");
            0
        }
    }
    let runner = Runner::builder().time_source(Later(AtomicU32::new(0))).build().unwrap();
    let result = runner.run("for (let i = 0; i < 3e6; i++); for (;;) Date.now()").await;
    assert_eq!(result.error().unwrap().code(), "SANDBOX_TRAPPED");
}

#[test]
fn a_word_of_the_language_is_no_name_for_a_host_function() {
    let refused = HostFunctions::new([HostFunction::sync("await", |_| Ok(1.0))]);
    assert_eq!(refused.unwrap_err().code(), "HOST_FUNCTION_RESERVED");
}
