//! The guest's side of conformance/vectors: what it sends for each JavaScript expression, and what it takes.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{engine, run, start};
use data_encoding::HEXLOWER;
use intermission_engine::{Event, FunctionTable, Outcome, Start, Step};
use serde_json::Value as Json;

fn vectors() -> Vec<Json> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/vectors/values.jsonl");
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a script gets for `bytes`, sent back; or the reason for which it is refused.
fn through_the_guest(bytes: &[u8]) -> Result<String, String> {
    let engine = engine();
    let functions = FunctionTable::new([("f", false)].into_iter());
    let mut sandbox =
        start(&engine, Start { functions: &functions, ..Start::function_body("return await f()") });
    assert_eq!(sandbox.advance(Event::Start), Ok(Step::Idle));
    let step = sandbox.advance(Event::Settled { call: 1, outcome: Outcome::Fulfilled(bytes.to_vec()) });
    let Ok(Step::Ended(end)) = step else { panic!("{step:?}") };
    end.result.map(|bytes| HEXLOWER.encode(&bytes)).map_err(|thrown| {
        let reason = thrown.properties.as_ref().and_then(|properties| properties.get("reason")?.as_str());
        reason.unwrap_or("none").to_owned()
    })
}

#[test]
fn the_guest_sends_the_bytes_of_each_vector() {
    let mut seen = 0;
    for vector in vectors() {
        let Some(js) = vector["js"].as_str() else { continue };
        let ran = run(&format!("return ({js})"));
        let Ok(end) = &ran.end else { panic!("{}: {:?}", vector["name"], ran.end) };
        let bytes = end.result.as_ref().unwrap_or_else(|thrown| panic!("{}: {thrown:?}", vector["name"]));
        assert_eq!(HEXLOWER.encode(bytes), vector["bytes"].as_str().unwrap(), "{}", vector["name"]);
        seen += 1;
    }
    assert!(seen > 200, "only {seen} vectors have an expression");
}

#[test]
fn the_guest_takes_the_bytes_of_each_vector_and_refuses_what_is_to_be_refused() {
    let mut refused = 0;
    for vector in vectors() {
        let bytes = vector["bytes"].as_str().unwrap();
        let got = through_the_guest(&HEXLOWER.decode(bytes.as_bytes()).unwrap());
        match vector["reject"].as_str() {
            None => assert_eq!(got.as_deref(), Ok(bytes), "{}", vector["name"]),
            Some(reason) => {
                refused += 1;
                assert_eq!(got, Err(reason.to_owned()), "{}", vector["name"]);
            }
        }
    }
    assert!(refused > 100, "only {refused} vectors are refused");
}
