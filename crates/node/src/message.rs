//! Messages in and out: one canonical value each.

use intermission::value::{decode, encode, from_value};
use intermission::{HostError, Value};
use serde::de::DeserializeOwned;

/// A property that may be absent.
pub(crate) fn maybe<T: Into<Value>>(value: Option<T>) -> Value {
    value.map_or(Value::Undefined, Into::into)
}

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
    let value = decode(bytes, usize::MAX).map_err(|error| refused(&error))?;
    from_value(value).map_err(|error| refused(&error))
}

/// A value that JavaScript wrote.
pub(crate) fn read_value(bytes: &[u8]) -> Result<Value, HostError> {
    decode(bytes, usize::MAX).map_err(HostError::from)
}

fn refused(error: &dyn std::fmt::Display) -> napi::Error<String> {
    napi::Error::new("OPTIONS".to_owned(), error.to_string())
}

/// What the library refuses, with its code.
pub(crate) fn coded(code: &str, error: &dyn std::fmt::Display) -> napi::Error<String> {
    napi::Error::new(code.to_owned(), error.to_string())
}
