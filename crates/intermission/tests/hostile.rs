//! Scripts that attack their host: each ends as it should, and others go on.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::time::Duration;

use intermission::{
    AbortController, HostError, HostFunction, HostFunctions, HostFunctionsError, Limits, RunInput, Runner,
    Value,
};

fn functions() -> HostFunctions {
    HostFunctions::new([
        HostFunction::sync("t.echo", |call| Ok(call.input())),
        HostFunction::new("t.never", |_| std::future::pending::<Result<Value, HostError>>()),
        HostFunction::sync("t.toString", |_| Ok("mine")),
        HostFunction::new("now", |call| async move { Ok(call.input()) }).blocking(),
    ])
    .unwrap()
}

fn runner() -> Runner {
    Runner::builder().host_functions(functions()).build().unwrap()
}

/// The value, or the code of the error, in one line.
async fn outcome(runner: &Runner, input: impl Into<RunInput<'_>>) -> String {
    match runner.run(input).await.into_value() {
        Ok(value) => format!("{value:?}"),
        Err(error) => error.code().to_owned(),
    }
}

/// Each never waits for anything that takes time.
const BUSY: [&str; 6] = [
    "const again = () => setImmediate(again); again(); await new Promise(() => {})",
    "setInterval(() => {}, 0); await new Promise(() => {})",
    "for (;;) await sleep(0)",
    "for (;;) await null",
    "for (let i = 0; ; i++) { await t.echo(i); if (i % 500 === 499) await new Promise(() => {}) }",
    "for (;;) { try { for (;;) now(1) } catch {} }",
];

#[tokio::test(flavor = "current_thread")]
async fn a_script_that_is_always_busy_ends_at_the_deadline_and_lets_others_run() {
    let runner = runner();
    for script in BUSY {
        let limits =
            Limits { deadline: Duration::from_millis(200), calls: 1_000_000_000, ..Limits::default() };
        let busy = runner.run(RunInput::new(script).limits(limits));
        let others = async {
            for n in 0..5 {
                assert_eq!(
                    outcome(&runner, format!("return await t.echo({n})")).await,
                    n.to_string(),
                    "{script}"
                );
            }
        };
        let (busy, ()) = tokio::join!(busy, others);
        let code = busy.into_value().unwrap_err().code();
        // A timer that is due behind the deadline puts the run away.
        let expected: &[&str] = match script {
            script if script.contains("t.echo") => &["DEADLOCK"],
            script if script.contains("sleep") || script.contains("setI") => {
                &["LIMIT_DEADLINE", "INTERRUPTED"]
            }
            _ => &["LIMIT_DEADLINE"],
        };
        assert!(expected.contains(&code), "{script}: {code}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_script_that_is_always_busy_can_be_aborted() {
    let runner = runner();
    for script in BUSY.iter().filter(|script| !script.contains("t.echo")) {
        let controller = AbortController::new();
        let limits = Limits { calls: 1_000_000_000, ..Limits::default() };
        let busy = runner.run(RunInput::new(*script).limits(limits).abort(controller.signal()));
        let (busy, ()) = tokio::join!(busy, async {
            tokio::task::yield_now().await;
            controller.abort();
        });
        assert_eq!(busy.error().unwrap().code(), "ABORTED", "{script}");
    }
}

#[tokio::test]
async fn sources_that_end_early_nest_or_hide_are_refused() {
    let runner = runner();
    let cases = [
        ("}); globalThis.x = 1; (async()=>{".to_owned(), "SOURCE_SYNTAX"),
        ("}) /*".to_owned(), "SOURCE_SYNTAX"),
        ("(".repeat(100_000), "SOURCE_TOO_DEEP"),
        ("w<(a=".repeat(50), "SOURCE_TOO_DEEP"),
        (format!("/`/;{}", "({a:".repeat(60_000)), "SOURCE_TOO_DEEP"),
        (format!("It's ` so:\n```ts\n{}\n```", "({a:".repeat(60_000)), "SOURCE_TOO_DEEP"),
        ("x".repeat(300 << 10), "LIMIT_SOURCE"),
        ("\0".to_owned(), "SOURCE_SYNTAX"),
        ("super.x".to_owned(), "SCRIPT_ERROR"),
    ];
    for (source, expected) in cases {
        let shown: String = source.chars().take(40).collect();
        assert_eq!(outcome(&runner, source).await, expected, "{shown}");
    }
}

#[tokio::test]
async fn a_module_that_nests_or_is_too_long_is_an_error_like_others() {
    let modules = BTreeMap::from([
        ("deep".to_owned(), "(".repeat(100_000)),
        ("long".to_owned(), " ".repeat(300 << 10)),
        ("__proto__".to_owned(), "export default 1".to_owned()),
        ("a\nb".to_owned(), "export default 2".to_owned()),
    ]);
    let runner = runner();
    let run = |script: &'static str| outcome(&runner, RunInput::new(script).modules(modules.clone()));
    assert_eq!(run("try { await import('deep') } catch (e) { return e.code }").await, r#""SOURCE_TOO_DEEP""#);
    assert_eq!(run("try { await import('long') } catch (e) { return 'caught' }").await, "LIMIT_SOURCE");
    assert_eq!(
        run("return [(await import('__proto__')).default, (await import('a\\nb')).default]").await,
        "[1, 2]"
    );
    assert_eq!(
        run("try { await import('x'.repeat(1e6)) } catch (e) { return e.code }").await,
        r#""MODULE_NOT_FOUND""#
    );
}

#[tokio::test]
async fn what_a_host_function_gets_and_gives_cannot_be_tampered_with() {
    let runner = runner();
    let cases = [
        (
            "const r = []; t.echo({ get x() { r.push(t.echo('in')); return 'out' } }).then((x) => r.push(x)); return [await r[0], r.length]",
            r#"["in", 1]"#,
        ),
        ("t.echo = () => 'mine'; return [t.echo(), await t.toString()]", r#"["mine", "mine"]"#),
        ("Object.freeze(t); try { 'use strict'; t.echo = 1 } catch {} return await t.echo(2)", "2"),
        ("return await now({ get a() { return now(1) } }).a", "1"),
        ("try { t.echo(new Proxy({}, {})) } catch (e) { return e.code }", r#""VALUE_REFUSED""#),
        (
            "for (const key of ['then', 'catch', 'finally']) delete Promise.prototype[key]; return await t.echo(3)",
            "3",
        ),
        (
            "return await t.echo(await t.echo([1, [2, { a: new Map([[1, new Set([2n])]]) }]]))",
            "[1, [2, {a: Map {1 => Set {2n}}}]]",
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(outcome(&runner, script).await, expected, "{script}");
    }
}

#[tokio::test]
async fn names_that_scripts_could_not_call_or_rely_on_are_refused() {
    let make = |name: &'static str| HostFunctions::new([HostFunction::sync(name, |_| Ok(1.0))]);
    for name in [
        "__proto__",
        "a.constructor",
        "prototype.a",
        "a.then",
        "Object",
        "Object.keys",
        "eval",
        "globalThis.x",
        "console.log",
    ] {
        assert!(matches!(make(name), Err(HostFunctionsError::Reserved { .. })), "{name}");
    }
    for name in ["", ".", "a.", ".a", "a.b.c", "a b", "a\0", "1a", "a-b", "é"] {
        assert!(matches!(make(name), Err(HostFunctionsError::Name { .. })), "{name:?}");
    }
    for name in ["toString", "hasOwnProperty", "t.valueOf", "t.toString", "valueOf.call"] {
        assert!(make(name).is_ok(), "{name}");
    }
}

#[tokio::test]
async fn a_run_leaves_nothing_to_the_next() {
    let runner = runner();
    let leave = "globalThis.left = 1; Array.prototype.map = () => 'patched'; Object.prototype.left = 2; t.left = 3; return 1";
    let look = "return [typeof left, [1].map((x) => x + 1), ({}).left, t.left]";
    for _ in 0..20 {
        assert_eq!(outcome(&runner, leave).await, "1");
        assert_eq!(outcome(&runner, look).await, r#"["undefined", [2], undefined, undefined]"#);
    }
}

#[tokio::test]
async fn the_same_seed_and_source_give_the_same_run() {
    struct StandingClock;
    impl intermission::TimeSource for StandingClock {
        fn now(&self) -> u64 {
            1_700_000_000_000
        }
    }
    let runner = Runner::builder().host_functions(functions()).time_source(StandingClock).build().unwrap();
    let script = "const out = []; for (let i = 0; i < 100; i++) out.push(Math.random(), crypto.randomUUID(), Date.now(), await t.echo(i)); \
                  const m = new Map(); for (let i = 0; i < 1000; i++) m.set({}, i); out.push([...m.values()].join(), Object.keys(globalThis).join()); \
                  out.sort((a, b) => Math.random() - 0.5); console.log(out); return out";
    let mut results = Vec::new();
    for _ in 0..3 {
        let result = runner.run(RunInput::new(script).seed([7; 32])).await;
        let stats = result.report().stats;
        let console: Vec<_> = result.report().console.iter().map(|entry| entry.text.clone()).collect();
        results.push((stats.fuel, stats.memory, stats.calls, console, result.into_value().unwrap()));
    }
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
}

#[tokio::test]
async fn a_run_whose_result_touches_the_host_ends_all_the_same() {
    let runner = runner();
    let late = "return { get a() { data = { late: 1 }; t.echo('late'); return now(7) }, get b() { setTimeout(() => {}, 1); return 2 } }";
    let result = runner.run(late).await;
    assert_eq!(result.report().detached.len(), 1);
    assert_eq!(result.report().data, Some(Value::object([("late", 1.0)])));
    assert_eq!(format!("{:?}", result.into_value().unwrap()), "{a: 7, b: 2}");
}

#[tokio::test]
async fn limits_of_any_size_are_taken_or_refused() {
    let runner = runner();
    let with = |change: fn(&mut Limits)| {
        let mut limits = Limits::default();
        change(&mut limits);
        RunInput::new("await t.echo(1); await sleep(1); return 1").limits(limits)
    };
    assert_eq!(
        outcome(&runner, with(|all| (all.deadline, all.cpu) = (Duration::MAX, Duration::MAX))).await,
        "1"
    );
    assert_eq!(outcome(&runner, with(|all| all.deadline = Duration::ZERO)).await, "LIMIT_DEADLINE");
    assert_eq!(outcome(&runner, with(|all| all.calls = 0)).await, "LIMIT_CALLS");
    assert_eq!(outcome(&runner, with(|all| all.in_flight = 0)).await, "LIMIT_IN_FLIGHT");
    assert_eq!(outcome(&runner, with(|all| all.timers = 0)).await, "LIMIT_TIMERS");
    assert_eq!(outcome(&runner, with(|all| all.result = 0)).await, "LIMIT_RESULT");
    assert_eq!(outcome(&runner, with(|all| all.output = 0)).await, "LIMIT_OUTPUT");
    assert_eq!(outcome(&runner, with(|all| all.memory = 0)).await, "ENGINE");
    assert_eq!(outcome(&runner, with(|all| all.memory = u64::MAX)).await, "ENGINE");
    assert_eq!(outcome(&runner, with(|all| all.js_stack = u32::MAX)).await, "ENGINE");
    assert_eq!(outcome(&runner, with(|all| all.source = 0)).await, "LIMIT_SOURCE");
}
