//! A script slice by slice.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use intermission::value::{decode, encode};
use intermission::{
    AbortController, Entering, ErrorOrigin, Limits, RunError, Runner, Slice, SliceError, SliceOutcome,
    SliceRead, Slices, SlicesInput, SlicesRealm, TimeSource, Value,
};
use std::time::Duration;

fn begun(input: SlicesInput<'_>) -> Slices {
    Slices::begin(&Runner::new().unwrap(), input).unwrap()
}

fn value(slice: Slice) -> Value {
    let Slice::Ended(Ok(bytes)) = slice else { panic!("{slice:?} is no value") };
    decode(&bytes, usize::MAX).unwrap()
}

fn thrown(slice: Slice) -> Box<SliceError> {
    let Slice::Ended(Err(error)) = slice else { panic!("{slice:?} is no error") };
    error
}

fn bytes(value: impl Into<Value>) -> Vec<u8> {
    encode(&value.into()).unwrap()
}

#[tokio::test]
async fn the_clock_takes_a_step_with_each_look_and_does_not_go_back() {
    let source = "const a = [Date.now(), Date.now()]; await t.wait(); a.push(Date.now()); await t.wait(); return [...a, Date.now()]";
    let realm = SlicesRealm::Locked { seed: [0; 32], time: 1000 };
    let mut slices =
        begun(SlicesInput { functions: &[("t.wait", false)], realm, ..SlicesInput::new(source) });
    assert!(matches!(slices.enter(Entering::Start).await, Ok(Slice::Idle)));
    let outcome = SliceOutcome::Fulfilled(bytes(Value::Undefined));
    slices.enter(Entering::Settled { call: 1, outcome: outcome.clone(), at: 5000 }).await.unwrap();
    let end = slices.enter(Entering::Settled { call: 2, outcome, at: 2000 }).await.unwrap();
    assert_eq!(value(end), Value::array([1000.0, 1001.0, 5000.0, 5001.0]));
}

#[tokio::test]
async fn a_blocking_call_is_answered_on_the_spot_behind_the_calls_before_it() {
    let source = "const first = t.later(); const second = t.now('x'); return [second, await first]";
    let functions = [("t.later", false), ("t.now", true)];
    let mut slices = begun(SlicesInput { functions: &functions, ..SlicesInput::new(source) });
    let Slice::Blocked(call) = slices.enter(Entering::Start).await.unwrap() else { panic!("it blocks") };
    assert_eq!((call.id, call.function), (2, 1));
    assert_eq!(slices.take_calls().iter().map(|call| call.id).collect::<Vec<_>>(), [1]);
    let answer = Entering::Answered(SliceOutcome::Fulfilled(bytes("y")));
    assert!(matches!(slices.enter(answer).await, Ok(Slice::Idle)));
    let outcome = SliceOutcome::Fulfilled(bytes("z"));
    let end = slices.enter(Entering::Settled { call: 1, outcome, at: 0 }).await.unwrap();
    assert_eq!(value(end), Value::array(["y", "z"]));
}

#[tokio::test]
async fn modules_are_named_and_loaded_and_their_types_are_removed() {
    let source = "const { twice } = await import('./a.ts'); return twice(21)";
    let mut slices = begun(SlicesInput { name: "<here>", ..SlicesInput::new(source) });
    let Slice::Names { specifier, importer, .. } = slices.enter(Entering::Start).await.unwrap() else {
        panic!("it imports")
    };
    assert_eq!((specifier.as_str(), importer.as_str()), ("./a.ts", "<here>"));
    let Slice::Loads { name, .. } = slices.enter(Entering::Named(Ok("a.ts".into()))).await.unwrap() else {
        panic!("it loads")
    };
    assert_eq!(name, "a.ts");
    let text = "export const twice = (n: number): number => n * 2".to_owned();
    assert_eq!(value(slices.enter(Entering::Loaded(Ok(text))).await.unwrap()), Value::from(42.0));
}

#[tokio::test]
async fn the_value_is_what_is_returned_and_nothing_else() {
    assert_eq!(
        value(begun(SlicesInput::new("1 + 1")).enter(Entering::Start).await.unwrap()),
        Value::Undefined
    );
    let module = SlicesInput { module: true, ..SlicesInput::new("export const a = await 1") };
    assert_eq!(value(begun(module).enter(Entering::Start).await.unwrap()), Value::Undefined);
}

#[tokio::test]
async fn an_error_says_whose_it_is_and_where() {
    let functions = [("t.fail", false)];
    let origin = async |source: &str| {
        let mut slices = begun(SlicesInput { functions: &functions, ..SlicesInput::new(source) });
        let mut slice = slices.enter(Entering::Start).await.unwrap();
        if matches!(slice, Slice::Idle) {
            let outcome = SliceOutcome::Rejected(bytes("no"));
            slice = slices.enter(Entering::Settled { call: 1, outcome, at: 0 }).await.unwrap();
        }
        thrown(slice)
    };
    let own = origin("\n  throw new RangeError('far')").await;
    assert_eq!((own.origin, own.error.stack().as_str()), (ErrorOrigin::Script, "    at script.js:2:13\n"));
    assert_eq!(origin("return () => 1").await.origin, ErrorOrigin::Value);
    assert_eq!(
        origin("await t.fail().catch(() => { throw new Error('mine') })").await.origin,
        ErrorOrigin::Script
    );
}

#[tokio::test]
async fn a_script_that_does_not_come_back_is_stopped() {
    let limits = Limits { deadline: Duration::from_millis(30), ..Limits::default() };
    let late = begun(SlicesInput { limits, ..SlicesInput::new("for (;;) {}") }).enter(Entering::Start).await;
    assert_eq!(late.unwrap_err().code(), "LIMIT_DEADLINE");
    let abort = AbortController::new();
    let mut slices = begun(SlicesInput { abort: Some(abort.signal()), ..SlicesInput::new("for (;;) {}") });
    abort.abort();
    assert!(matches!(slices.enter(Entering::Start).await, Err(RunError::Aborted)));
}

/// A bare realm with `data`, whose clock was read at `clock` before.
fn bare<'a>(source: &'a str, data: &'a [u8], clock: &'a [u64]) -> SlicesInput<'a> {
    SlicesInput {
        functions: &[("act", false)],
        realm: SlicesRealm::Bare { data, clock },
        ..SlicesInput::new(source)
    }
}

#[tokio::test]
async fn in_a_bare_realm_recorded_reads_of_the_clock_come_first_and_each_is_told_with_its_place_among_the_calls()
 {
    let source = "const times = [Date.now()]; act(); times.push(Date.now(), Date.now()); await act(); times.push(Date.now()); return times";
    let runner = Runner::builder().time_source(Still(900)).build().unwrap();
    let mut slices = Slices::begin(&runner, bare(source, &bytes(Value::Null), &[700, 1000])).unwrap();
    assert!(matches!(slices.enter(Entering::Start).await, Ok(Slice::Idle)));
    let read = |after, time| SliceRead { after, time };
    assert_eq!(slices.take_reads(), [read(0, 700), read(1, 1000), read(1, 1000)]);
    let outcome = SliceOutcome::Fulfilled(bytes(Value::Undefined));
    let end = slices.enter(Entering::Settled { call: 2, outcome, at: 0 }).await.unwrap();
    assert_eq!(slices.take_reads(), [read(2, 1000)]);
    assert_eq!(value(end), Value::array([700.0, 1000.0, 1000.0, 1000.0]));
}

#[tokio::test]
async fn in_a_bare_realm_random_numbers_are_asked_for_behind_the_calls_before_them() {
    let source = "'use strict'; act('a'); const number = Math.random();\nreturn [number, Math.random(), Math.random.name, '#draw' in globalThis, (function () { return this === undefined })()]";
    let mut slices = begun(bare(source, &bytes(Value::Null), &[]));
    assert!(matches!(slices.enter(Entering::Start).await, Ok(Slice::Draws)));
    assert_eq!(slices.take_calls().len(), 1);
    assert!(matches!(slices.enter(Entering::Drawn(0.25)).await, Ok(Slice::Draws)));
    let end = slices.enter(Entering::Drawn(0.5)).await.unwrap();
    let expected =
        [Value::from(0.25), Value::from(0.5), Value::from("random"), Value::from(false), Value::from(true)];
    assert_eq!(value(end), Value::array(expected));
}

#[tokio::test]
async fn in_a_bare_realm_data_is_told_when_it_is_asked_for_and_at_the_end() {
    let data = bytes(Value::object([("a", 1.0)]));
    let source = "data.b = 2; await act(); data.c = () => 1";
    let mut slices = begun(bare(source, &data, &[]));
    assert!(matches!(slices.enter(Entering::Start).await, Ok(Slice::Idle)));
    assert!(slices.take_data().is_none());
    assert!(matches!(slices.enter(Entering::Report).await, Ok(Slice::Idle)));
    assert_eq!(slices.take_data().unwrap().unwrap(), bytes(Value::object([("a", 1.0), ("b", 2.0)])));
    let outcome = SliceOutcome::Fulfilled(bytes(Value::Undefined));
    let end = slices.enter(Entering::Settled { call: 1, outcome, at: 0 }).await.unwrap();
    assert_eq!(value(end), Value::Undefined);
    let error = slices.take_data().unwrap().unwrap_err();
    assert_eq!(error.name.as_deref(), Some("TypeError"));
}

#[tokio::test]
async fn in_a_bare_realm_an_error_has_its_place_in_the_script() {
    let mut slices = begun(bare("  null.x", &[0xf6], &[]));
    let error = thrown(slices.enter(Entering::Start).await.unwrap()).error;
    assert_eq!(error.stack(), "    at script.js:1:3\n");
}

/// A clock that stands still.
struct Still(u64);

impl TimeSource for Still {
    fn now(&self) -> u64 {
        self.0
    }
}

#[tokio::test]
async fn in_a_bare_realm_reads_count_as_400_bytes_of_the_ledger_and_not_as_calls() {
    let data = bytes(Value::Null);
    let ended = async |source: &str, ledger: u64| {
        let limits = Limits { ledger, calls: 0, ..Limits::default() };
        let mut slices = begun(SlicesInput { limits, ..bare(source, &data, &[]) });
        let mut slice = slices.enter(Entering::Start).await;
        while let Ok(Slice::Draws) = slice {
            slice = slices.enter(Entering::Drawn(0.5)).await;
        }
        slice.map(value).map_err(|error| error.code())
    };
    for read in ["Date.now()", "Math.random()"] {
        let source = format!("for (let i = 0; i < 10; i++) {read}; return 1");
        assert_eq!(ended(&source, 5_000).await, Ok(Value::from(1.0)), "{read}");
        assert_eq!(ended(&source, 4_000).await, Err("LIMIT_LEDGER"), "{read}");
    }
}

#[tokio::test]
async fn in_a_bare_realm_a_request_for_a_module_is_before_the_reads_behind_it() {
    let source = "act(); Date.now(); await import('x').catch(() => {}); act(); Date.now(); return 'over'";
    let mut slices = begun(bare(source, &bytes(Value::Null), &[]));
    assert!(matches!(slices.enter(Entering::Start).await, Ok(Slice::Names { id: 2, .. })));
    assert_eq!(slices.take_reads().iter().map(|read| read.after).collect::<Vec<_>>(), [1]);
    let none = Entering::Named(Err(bytes("there is none")));
    assert_eq!(value(slices.enter(none).await.unwrap()), Value::from("over"));
    assert_eq!(slices.take_calls().iter().map(|call| call.id).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(slices.take_reads().iter().map(|read| read.after).collect::<Vec<_>>(), [3]);
}

#[tokio::test]
async fn what_draws_a_random_number_is_in_no_stack() {
    let source = "const f = () => { Math.random(); f() };\nf()";
    let mut slices = begun(bare(source, &bytes(Value::Null), &[]));
    let mut slice = slices.enter(Entering::Start).await.unwrap();
    while let Slice::Draws = slice {
        slice = slices.enter(Entering::Drawn(0.5)).await.unwrap();
    }
    let error = thrown(slice).error;
    assert_eq!(error.name.as_deref(), Some("RangeError"));
    assert_eq!(error.frames.iter().filter(|frame| frame.line == 0).count(), 0);
    assert!(error.frames.iter().all(|frame| frame.function.as_deref() == Some("f")), "{:?}", error.frames);
}
