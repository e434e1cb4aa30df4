//! The locked realm: the bare one, none of whose built-ins can be changed.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::engine;
use intermission_engine::{Event, FixedClock, FunctionTable, Request, SandboxLimits, Start, Step, Thrown};
use intermission_value::{Value, decode};

#[test]
fn nothing_of_the_locked_realm_can_be_changed_and_ordinary_objects_can() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/locked/globals.js")).unwrap();
    let functions = FunctionTable::new([("tools.one", false), ("tools.", false)].into_iter());
    let start = Start { functions: &functions, ..Start::function_body(&text) };
    let mut sandbox = engine().start_locked(start, FixedClock(0)).unwrap();
    let Step::Ended(end) = sandbox.advance(Event::Start).unwrap() else { panic!("it waits for nothing") };
    let value = end.result.unwrap_or_else(|thrown| panic!("{:?} {:?}", thrown.message, thrown.frames));
    assert!(decode(&value, usize::MAX).unwrap().as_f64().unwrap() > 30.0);
    let calls: Vec<_> = sandbox.take_requests().into_iter().map(call).collect();
    assert_eq!(calls, [(0, Value::array::<Value>([])), (1, unknown("tools.two.three"))]);
    assert_eq!(sandbox.take_console()[0].text, "{ a: 1 } Mistake [] Map(0) {}");
}

fn call(request: Request) -> (u32, Value) {
    let Request::Call(call) = request else { panic!("{request:?} is no call") };
    (call.function, decode(&call.arguments, usize::MAX).unwrap())
}

/// The arguments of a call of what is not lent.
fn unknown(name: &str) -> Value {
    Value::array([Value::from(name), Value::array([Value::from(1.0), Value::from("x")])])
}

#[test]
fn an_error_of_the_boundary_is_told_from_one_of_the_locked_realms_script() {
    let by = |text: &str| {
        let functions = FunctionTable::new([("tools.one", false)].into_iter());
        let start = Start { functions: &functions, ..Start::function_body(text) };
        let mut sandbox = engine().start_locked(start, FixedClock(0)).unwrap();
        let Step::Ended(end) = sandbox.advance(Event::Start).unwrap() else { panic!("it waits for nothing") };
        end.result.unwrap_err().call
    };
    assert_eq!(by("return { a: () => 1 }"), Some(Thrown::REFUSED_VALUE));
    assert_eq!(by("tools.one(() => 1)"), Some(Thrown::REFUSED_VALUE));
    assert_eq!(by("throw Object.assign(new TypeError('mine'), { code: 'VALUE_REFUSED' })"), None);
    let getter =
        "tools.one({ get a() { throw Object.assign(new TypeError('mine'), { code: 'VALUE_REFUSED' }) } })";
    assert_eq!(by(getter), None);
}

#[test]
fn the_console_of_the_locked_realm_drops_what_goes_beyond_its_limit() {
    let limits = SandboxLimits { console: 100, ..SandboxLimits::default() };
    let text = "console.log('a'); console.log('x'.repeat(200)); console.log('b'); return 1";
    let start = Start { limits, ..Start::function_body(text) };
    let mut sandbox = engine().start_locked(start, FixedClock(0)).unwrap();
    assert!(matches!(sandbox.advance(Event::Start), Ok(Step::Ended(_))));
    let printed: Vec<_> = sandbox.take_console().into_iter().map(|entry| entry.text).collect();
    assert_eq!(printed, ["a"]);
}
