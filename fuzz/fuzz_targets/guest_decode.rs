//! Bytes as the outcome of a host call: the guest never traps, takes what the host's decoder takes and nothing else, and sends back the same bytes.
#![no_main]

use std::num::NonZeroU32;
use std::sync::LazyLock;

use intermission_engine::{
    End, Engine, EngineConfig, Event, FixedClock, FunctionTable, Outcome, Profile, Start, Step, Thrown,
};
use intermission_value::{ErrorCode, Value, decode, validate};
use libfuzzer_sys::fuzz_target;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let slots = const { NonZeroU32::new(2).unwrap() };
    Engine::new(EngineConfig { slots, lanes: NonZeroU32::MIN, tick: None }).expect("an engine can be made")
});
static FUNCTIONS: LazyLock<FunctionTable> =
    LazyLock::new(|| FunctionTable::new([("f", false), ("now", true)].into_iter()));

fuzz_target!(|input: &[u8]| {
    let Some((&way, bytes)) = input.split_first() else { return };
    let came_back = match way & 3 {
        0 => settled("return f()", Outcome::Fulfilled(bytes.to_vec())),
        1 => settled("return f().then(() => { throw 1 }, error => error)", Outcome::Rejected(bytes.to_vec())),
        2 => settled("return now()", Outcome::Fulfilled(bytes.to_vec())),
        _ => settled("try { now() } catch (error) { return error }", Outcome::Rejected(bytes.to_vec())),
    };
    let host = validate(bytes, bytes.len());
    match came_back {
        // An error that the guest made of malformed bytes is caught as any other, and returned.
        Ok(sent) if host.is_err() => {
            assert!(way & 1 == 1 && is_refusal(&sent), "{host:?}, but the guest takes it")
        }
        Ok(sent) if is_refusal(&sent) && sent != bytes => {}
        Ok(sent) => assert_eq!(sent, bytes),
        Err(thrown) => match reason(&thrown) {
            Some("invalid-regexp") => {}
            reason => assert!(host.is_err(), "the guest refuses: {reason:?}"),
        },
    }
});

fn settled(text: &str, outcome: Outcome) -> Result<Vec<u8>, Box<Thrown>> {
    let start = Start { functions: &FUNCTIONS, profile: Profile::Bare, ..Start::function_body(text) };
    let mut sandbox = ENGINE.start(start, FixedClock(0)).expect("a slot is free");
    let step = match sandbox.advance(Event::Start).expect("it starts") {
        Step::Idle => sandbox.advance(Event::Settled { call: 1, outcome }),
        Step::Blocked(_) => sandbox.advance(Event::Answered(outcome)),
        other => panic!("{other:?}"),
    };
    match step.expect("it is not stopped") {
        Step::Ended(End { result, .. }) => result,
        other => panic!("{other:?}"),
    }
}

fn reason(thrown: &Thrown) -> Option<&str> {
    thrown.properties.as_ref()?.get("reason")?.as_str()
}

/// Whether these are the bytes of the error that the guest makes of malformed bytes.
fn is_refusal(bytes: &[u8]) -> bool {
    let Ok(Value::Error(error)) = decode(bytes, bytes.len()) else { return false };
    error.code == Some(ErrorCode::String("VALUE_MALFORMED".into()))
}
