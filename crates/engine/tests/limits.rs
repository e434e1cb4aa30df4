//! Limits: each stops a script that catches everything, with a code of its own; fuel at the same place on every machine.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{drive, engine, run, run_with, start, started, ticking};
use intermission_engine::{
    EngineError, Event, Exhausted, FixedClock, Limit, SandboxLimits, Start, Step, Stop, Stopper,
};
use intermission_value::Value;

type Change = fn(&mut SandboxLimits);

fn with(change: impl FnOnce(&mut SandboxLimits)) -> SandboxLimits {
    let mut limits = SandboxLimits::default();
    change(&mut limits);
    limits
}

fn exhausted(limit: Limit, allowed: u64, used: u64) -> Stop {
    Stop::Exhausted(Exhausted { limit, allowed, used })
}

#[test]
fn fuel_is_exact() {
    let text = "let n = 0; for (let i = 0; i < 1000; i++) n++; return n";
    let free = run(text);
    assert_eq!(free.value(), Value::from(1000.0));
    let fuel = free.usage.fuel;
    assert_eq!(run_with(text, with(|limits| limits.fuel = Some(fuel + 1))).value(), Value::from(1000.0));
    assert_eq!(
        run_with(text, with(|limits| limits.fuel = Some(fuel - 1))).stop(),
        exhausted(Limit::Fuel, fuel - 1, fuel - 1)
    );
}

#[test]
fn fuel_is_the_same_number_however_often_the_guest_stands_still() {
    let text = "let n = 0; for (let i = 0; i < 300000; i++) n++; return n";
    let undisturbed = run(text).usage.fuel;
    let engine = engine();
    let mut sandbox = start(&engine, Start::function_body(text));
    let mut yields = 0;
    let end = ticking(&engine, || {
        let mut step = sandbox.advance(Event::Start).unwrap();
        while step == Step::Yielded {
            yields += 1;
            step = sandbox.advance(Event::Resumed).unwrap();
        }
        step
    });
    assert!(matches!(end, Step::Ended(_)));
    assert!(yields > 0);
    assert_eq!(sandbox.usage().fuel, undisturbed);
}

/// Each runs for ever, or as good as, and catches what it can.
const RUNAWAYS: &[(&str, &str)] = &[
    ("an empty loop", "for (;;) {}"),
    ("a loop that catches", "for (;;) { try { for (;;) {} } catch {} }"),
    ("a finally that goes on", "for (;;) { try { for (;;) {} } finally { continue } }"),
    ("recursion that catches its own RangeError", "function f() { try { f() } catch { } for (;;) f() } f()"),
    ("microtasks", "const again = () => Promise.resolve().then(again); await again()"),
    ("an async loop", "for (;;) await null"),
    ("a regular expression", "/(a+)+$/.test('a'.repeat(60) + 'b')"),
    ("a generator", "function* g() { for (;;) yield 1 } for (const x of g()) ;"),
    ("a getter", "const o = { get x() { for (;;) {} } }; return o"),
    ("a thenable", "return { then() { for (;;) {} } }"),
    ("a sort", "for (;;) [3, 1, 2].sort(() => 1)"),
    ("a proxy", "const p = new Proxy({}, { get() { for (;;) {} } }); p.x"),
    (
        "a stack getter",
        "const e = new Error(); Object.defineProperty(e, 'name', { get() { for (;;) {} } }); throw e",
    ),
    ("a replace callback", "'a'.repeat(1e6).replace(/a/g, () => { for (;;) {} })"),
];

#[test]
fn fuel_stops_every_runaway_at_the_same_point() {
    for (what, text) in RUNAWAYS {
        let limits = with(|limits| limits.fuel = Some(200_000));
        let first = run_with(text, limits);
        assert_eq!(first.stop(), exhausted(Limit::Fuel, 200_000, 200_000), "{what}");
        assert_eq!(run_with(text, limits).usage.memory, first.usage.memory, "{what}");
    }
}

/// Native code that never comes back to the interpreter: only the checks in its loops stop it.
const NATIVE_RUNAWAYS: &[(&str, &str)] = &[
    ("indexOf over an endless array-like", "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)"),
    ("join of holes", "const a = []; a.length = 2 ** 31; a.join('')"),
    ("fill", "new Uint8Array(2 ** 26).fill(1); for (;;) new Uint8Array(2 ** 26).fill(2)"),
    ("a search in a long string", "const s = 'a'.repeat(2 ** 24); for (;;) s.indexOf('b')"),
    ("lastIndexOf", "Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)"),
    ("normalize", "const s = '\\u0344'.repeat(2 ** 20); for (;;) s.normalize('NFD')"),
    ("big powers", "for (;;) 7n ** 300000n"),
    ("a typed array's sort", "for (;;) new Float64Array(2 ** 22).map((_, i) => -i).sort()"),
    ("JSON.stringify", "const a = []; for (let i = 0; i < 1e5; i++) a.push(i); for (;;) JSON.stringify(a)"),
    ("JSON.parse", "const s = '[' + '{\"a\":1},'.repeat(1e5) + '1]'; for (;;) JSON.parse(s)"),
    ("a sort", "const a = []; for (let i = 0; i < 1e5; i++) a.push(-i); for (;;) a.slice().sort()"),
    ("a clone", "const a = Array(1e4).fill({ a: [1] }); for (;;) structuredClone(a)"),
    ("repeat", "for (;;) 'ab'.repeat(2 ** 20)"),
    ("an array's fill", "const a = Array(1e6); for (;;) a.fill(0)"),
    ("a regular expression", "/^(a+)+$/.test('a'.repeat(60) + 'b')"),
    ("long texts compared", "const a = 'a'.repeat(2 ** 23), b = 'a'.repeat(2 ** 23); for (;;) a === b"),
    ("long numbers compared", "const a = 1n << 900000n, b = 1n << 900000n; for (;;) a === b"),
    ("a long number as text", "for (;;) (7n ** 10000n).toString()"),
];

/// What may come first where a script asks for much.
fn is_out_of_memory(step: &Result<Step, Stop>) -> bool {
    matches!(step, Err(Stop::Exhausted(Exhausted { limit: Limit::Memory, .. })))
}

#[test]
fn native_loops_stand_still_when_the_flag_is_raised() {
    let engine = engine();
    for (what, text) in NATIVE_RUNAWAYS {
        let mut sandbox = start(&engine, Start::function_body(text));
        let step = ticking(&engine, || {
            let mut step = sandbox.advance(Event::Start);
            for _ in 0..20 {
                if step != Ok(Step::Yielded) {
                    break;
                }
                step = sandbox.advance(Event::Resumed);
            }
            step
        });
        assert!(step == Ok(Step::Yielded) || is_out_of_memory(&step), "{what}: {step:?}");
    }
}

#[test]
fn native_loops_are_stopped_for_good_when_patience_ends() {
    let engine = engine();
    for (what, text) in NATIVE_RUNAWAYS.iter().chain(RUNAWAYS) {
        let mut sandbox = start(&engine, Start::function_body(text));
        sandbox.stop_after(0);
        let step = ticking(&engine, || sandbox.advance(Event::Start));
        assert!(step == Err(Stop::Stopped) || is_out_of_memory(&step), "{what}: {step:?}");
    }
}

#[test]
fn a_guest_that_pauses_does_not_use_up_patience() {
    let engine = engine();
    let mut sandbox = start(&engine, Start::function_body("for (let i = 0; i < 300000; i++); return 1"));
    sandbox.stop_after(u32::MAX - 1);
    let end = ticking(&engine, || {
        let mut step = sandbox.advance(Event::Start);
        while step == Ok(Step::Yielded) {
            step = sandbox.advance(Event::Resumed);
        }
        step
    });
    assert!(matches!(end, Ok(Step::Ended(_))), "{end:?}");
}

/// Fires at the first reading of the clock.
struct AtTheFirstReading<F>(Option<F>);

impl<F: FnOnce() + Send> intermission_engine::Clock for AtTheFirstReading<F> {
    fn now(&mut self, _requests: usize) -> u64 {
        if let Some(fire) = self.0.take() {
            fire();
        }
        0
    }
}

#[test]
fn a_stopper_stops_a_guest_that_computes_and_no_other() {
    let engine = engine();
    let (tell, told) = std::sync::mpsc::channel::<Stopper>();
    let stop = AtTheFirstReading(Some(move || told.recv().unwrap().stop()));
    let text = "Date.now(); try { for (;;) {} } finally { for (;;) {} }";
    let mut sandbox = engine.start(Start::function_body(text), stop).unwrap();
    let other = start(&engine, Start::function_body("return 1"));
    other.stopper().stop();
    tell.send(sandbox.stopper()).unwrap();
    assert_eq!(sandbox.advance(Event::Start), Err(Stop::Stopped));
    let mut other = other;
    assert!(matches!(other.advance(Event::Start), Ok(Step::Ended(_))));
}

#[test]
fn a_guest_that_is_asked_to_pause_does_so_before_its_next_native_call() {
    let engine = engine();
    let ticking = engine.clone();
    let tick = AtTheFirstReading(Some(move || ticking.tick()));
    let mut sandbox = engine.start(Start::function_body("Date.now(); return Math.abs(-1)"), tick).unwrap();
    assert_eq!(sandbox.advance(Event::Start), Ok(Step::Yielded));
    assert!(matches!(sandbox.advance(Event::Resumed), Ok(Step::Ended(_))));
}

#[test]
fn memory_has_a_code_of_its_own_and_cannot_be_caught() {
    let scripts = [
        "try { const a = []; for (;;) a.push(new Array(1000).fill(0)) } catch (e) { return 'caught' }",
        "try { 'a'.repeat(2 ** 29) } catch (e) { return 'caught' }",
        "try { new Array(1e9).fill(0) } catch (e) { return 'caught' }",
        "try { new ArrayBuffer(2 ** 30) } catch (e) { return 'caught' }",
        "const a = []; try { for (;;) a.push('x'.repeat(1e6) + a.length) } catch (e) { return 'caught' }",
    ];
    for text in scripts {
        let Stop::Exhausted(exhausted) = run_with(text, with(|limits| limits.memory = 32 << 20)).stop()
        else {
            panic!("{text}")
        };
        assert_eq!((exhausted.limit, exhausted.allowed), (Limit::Memory, 32 << 20), "{text}");
        assert!(exhausted.used > 32 << 20);
    }
}

#[test]
fn recursion_goes_three_thousand_calls_deep_and_then_throws_what_can_be_caught() {
    let ran = run(
        "let d = 0; function f() { d++; f() } try { f() } catch (e) { return [d >= 3000, e instanceof RangeError, e.message] }",
    );
    assert_eq!(
        ran.value(),
        Value::Array(vec![
            Some(true.into()),
            Some(true.into()),
            Some("Maximum call stack size exceeded".into())
        ])
    );
}

#[test]
fn calls_arguments_results_console_and_timers_are_bounded() {
    let cases: &[(&str, Change, Stop)] = &[
        (
            "for (;;) { try { await t.echo(1) } catch {} }",
            |limits| limits.calls = 10,
            exhausted(Limit::Calls, 10, 11),
        ),
        (
            "for (;;) try { t.echo(1) } catch {}",
            |limits| limits.in_flight = 5,
            exhausted(Limit::InFlight, 5, 6),
        ),
        (
            "try { await t.echo('x'.repeat(1000)) } catch {} return 1",
            |limits| limits.arguments = 500,
            exhausted(Limit::Arguments, 500, 501),
        ),
        ("return 'x'.repeat(1000)", |limits| limits.result = 500, exhausted(Limit::Result, 500, 501)),
        (
            "data = 'x'.repeat(1000); return 1",
            |limits| limits.result = 500,
            exhausted(Limit::Result, 500, 501),
        ),
        ("for (;;) setTimeout(() => {}, 1000)", |limits| limits.timers = 7, exhausted(Limit::Timers, 7, 8)),
    ];
    for (text, change, stop) in cases {
        assert_eq!(run_with(text, with(change)).stop(), *stop, "{text}");
    }
    let flood = run_with("for (;;) console.log('0123456789')", with(|limits| limits.console = 1000));
    let Stop::Exhausted(exhausted) = flood.stop() else { panic!("it should be stopped") };
    assert_eq!((exhausted.limit, exhausted.allowed), (Limit::Console, 1000));
    assert!(flood.console.len() > 10, "what was within the limit is kept");
}

#[test]
fn arguments_of_calls_under_way_count_as_memory() {
    let text = "const s = 'x'.repeat(1e6); for (;;) t.echo(s)";
    let Stop::Exhausted(exhausted) = run_with(text, with(|limits| limits.memory = 32 << 20)).stop() else {
        panic!("it should be stopped")
    };
    assert_eq!((exhausted.limit, exhausted.allowed), (Limit::Memory, 32 << 20));
}

#[test]
fn the_largest_and_the_smallest_limit_of_arguments_hold() {
    let largest = run_with("return await t.echo('x')", with(|limits| limits.arguments = u32::MAX));
    assert_eq!(largest.value(), Value::from("x"));
    let smallest = run_with("return await t.echo(7)", with(|limits| limits.arguments = 2));
    assert_eq!(smallest.value(), Value::from(7.0));
}

#[test]
fn asking_without_end_is_stopped() {
    let stopped = |text: &str, used| {
        let ran = run_with(text, with(|limits| limits.ledger = 1_000));
        assert_eq!(ran.end.unwrap_err(), exhausted(Limit::Ledger, 1_000, used), "{text}");
    };
    stopped("for (;;) clearTimeout(setTimeout(() => {}))", 1_008);
    stopped("for (;;) t.echo()", 1_003);
}

#[test]
fn a_clock_that_panics_ends_the_run_and_nothing_else() {
    struct Broken;
    impl intermission_engine::Clock for Broken {
        fn now(&mut self, _requests: usize) -> u64 {
            panic!("on purpose")
        }
    }
    let engine = engine();
    let mut sandbox = engine.start(Start::function_body("return 1"), Broken).unwrap();
    assert!(matches!(sandbox.advance(Event::Start), Err(Stop::Trapped(_))));
    assert_eq!(drive(started(&engine, Start::function_body("return 1"))).value(), Value::from(1.0));
}

#[test]
fn a_limit_that_no_run_can_live_with_is_refused() {
    let engine = engine();
    for (change, name) in [
        ((|limits| limits.memory = 1000) as Change, "memory"),
        (|limits| limits.js_stack = 1000, "js_stack"),
        (|limits| limits.js_stack = 1 << 30, "js_stack"),
    ] {
        let start = Start { limits: with(change), ..Start::function_body("return 1") };
        match engine.start(start, FixedClock(0)) {
            Err(EngineError::Limit { limit, .. }) => assert_eq!(limit, name),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn slots_are_bounded_and_come_back() {
    let engine = engine();
    let held: Vec<_> = (0..8).map(|_| start(&engine, Start::function_body("return 1"))).collect();
    let one_more = engine.start(Start::function_body("return 1"), FixedClock(0));
    assert!(matches!(one_more, Err(EngineError::NoSlot { slots: 8 })));
    drop(held);
    assert_eq!(drive(started(&engine, Start::function_body("return 1"))).value(), Value::from(1.0));
}

#[test]
fn a_sandbox_can_be_dropped_wherever_it_stands() {
    let engine = engine();
    for _ in 0..20 {
        let mut computing = start(&engine, Start::function_body("for (;;) {}"));
        assert_eq!(ticking(&engine, || computing.advance(Event::Start)), Ok(Step::Yielded));
        drop(computing);
        assert_eq!(drive(started(&engine, Start::function_body("return 1"))).value(), Value::from(1.0));
    }
}
