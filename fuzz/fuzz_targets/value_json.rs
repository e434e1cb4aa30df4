//! Values and what stands beside them: JSON, Rust's types, trees. Never a panic; what JSON has comes through whole.
#![no_main]

use std::collections::BTreeMap;

use intermission_value::{Value, decode, encode, from_value, to_value};
use libfuzzer_sys::fuzz_target;

/// What repeated objects may add here: small, for the bound to be met.
const ADDED: usize = 64 << 10;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(value) = decode(bytes, bytes.len()) {
        leave(&value);
    }
    if let Ok(json) = serde_json::from_slice::<serde_json::Value>(bytes) {
        enter(json);
    }
});

fn leave(value: &Value) {
    // As a tree it is small, or it is not one: only then is the larger bound of the conversions worth its time.
    let Ok(tree) = value.clone().expand(ADDED) else { return };
    assert!(encode(&tree).is_ok());
    let json = value.to_json().expect("it expands");
    assert_eq!(tree.to_json().as_ref(), Ok(&json));
    assert_eq!(Value::from_json(json.clone()).to_json(), Ok(json));
    assert_eq!(from_value::<Value>(value.clone()).as_ref(), Ok(&tree));
    let _ = from_value::<serde_json::Value>(value.clone());
    let _ = from_value::<BTreeMap<String, Value>>(value.clone());
    let _ = from_value::<Vec<(Option<f64>, String)>>(value.clone());
    let _ = from_value::<(u8, i64, u128)>(value.clone());
}

fn enter(json: serde_json::Value) {
    let value = Value::from_json(json.clone());
    let Ok(bytes) = encode(&value) else { return };
    assert_eq!(decode(&bytes, bytes.len()).as_ref(), Ok(&value));
    assert!(value.to_json().is_ok());
    let _ = to_value(&json);
}
