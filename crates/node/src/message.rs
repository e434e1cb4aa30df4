//! Messages in and out: one canonical value each.

use intermission::value::{decode, encode, from_value};
use intermission::{HostError, Value};
use intermission_driver::{Refusal, host_error, interrupt};
use serde::de::DeserializeOwned;

pub(crate) use intermission_driver::maybe;

/// A value inside of a message, in its own bytes: what is shared in it stays its own affair.
pub(crate) fn nested(value: &Value) -> Value {
    // What cannot be encoded never came from a guest or a host: both are checked where they come in.
    encode(value).map_or(Value::Undefined, Value::bytes)
}

/// A list of values, likewise.
pub(crate) fn nested_list(values: &[Value]) -> Value {
    nested(&Value::array(values.iter().cloned()))
}

/// The bytes of a message.
pub(crate) fn write(message: &Value) -> Vec<u8> {
    encode(message).unwrap_or_default()
}

/// A message that JavaScript wrote.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> napi::Result<T, String> {
    let value = decode(bytes, usize::MAX).map_err(|error| coded("OPTIONS", &error))?;
    from_value(value).map_err(|error| coded("OPTIONS", &error))
}

/// What came of a call, as JavaScript says it: 0 a value, 1 an error, 2 a question.
pub(crate) fn outcome(kind: u32, body: &[u8]) -> Result<Value, HostError> {
    match (kind, read_value(body)) {
        (0, value) => value,
        (1, Ok(error)) => Err(host_error(&error)),
        (_, Ok(asked)) => Err(interrupt(&asked)),
        (_, Err(error)) => Err(error),
    }
}

/// A value that JavaScript wrote.
fn read_value(bytes: &[u8]) -> Result<Value, HostError> {
    decode(bytes, usize::MAX).map_err(HostError::from)
}

/// What the library refuses, with its code.
pub(crate) fn coded(code: &str, error: &dyn std::fmt::Display) -> napi::Error<String> {
    napi::Error::new(code.to_owned(), error.to_string())
}

/// The same, as it comes.
#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
pub(crate) fn refused(refusal: Refusal) -> napi::Error<String> {
    coded(&refusal.code, &refusal)
}
