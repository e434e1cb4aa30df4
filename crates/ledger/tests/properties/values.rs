//! Values to put into records: such as JSON has, and such as it has not.

use intermission_ledger::entry::Encoded;
use intermission_value::{Value, encode};

pub(crate) fn value(seed: u8) -> Encoded {
    let value = match seed % 9 {
        0 => Value::Null,
        1 => Value::Undefined,
        2 => Value::from(f64::from(seed) / 7.0),
        3 => Value::from("text"),
        4 => Value::object([("$cbor", seed)]),
        5 => Value::object([("b", Value::array([seed])), ("a", Value::from(-0.0))]),
        6 => Value::array([Value::Shared(Box::new(Value::array([seed]))), Value::Reference(0)]),
        7 => Value::Date(Some(i64::from(seed))),
        _ => Value::array([Value::object([("to", "ann"), ("cc", "bob")]), Value::from(u64::MAX)]),
    };
    encode(&value).unwrap().into()
}

pub(crate) fn arguments(seed: u8) -> Encoded {
    encode(&Value::array([Value::from(seed), Value::from("more")])).unwrap().into()
}
