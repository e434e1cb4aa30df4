//! Messages, where they are canonical values, and their parts.

use intermission::value::{decode, encode, from_value};
use intermission::{HostCall, Position, Value};
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// A property that may be absent.
pub fn maybe<T: Into<Value>>(value: Option<T>) -> Value {
    value.map_or(Value::Undefined, Into::into)
}

/// A value inside of a message, in its own bytes: what is shared in it stays its own affair.
pub fn nested(value: &Value) -> Value {
    // What cannot be encoded never came from a guest or a host: both are checked where they come in.
    encode(value).map_or(Value::Undefined, Value::bytes)
}

/// A list of values, likewise.
pub fn nested_list(values: &[Value]) -> Value {
    nested(&Value::array(values.iter().cloned()))
}

/// The bytes of a message.
pub fn write(message: &Value) -> Vec<u8> {
    encode(message).unwrap_or_default()
}

/// A message that a door wrote.
///
/// # Errors
/// `OPTIONS`, where it is none or has another shape.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let value = decode(bytes, usize::MAX).map_err(|error| Refusal::new("OPTIONS", &error))?;
    from_value(value).map_err(|error| Refusal::new("OPTIONS", &error))
}

/// A call of a host function.
pub fn call(call: &HostCall) -> Value {
    let mut fields = vec![
        ("index", Value::from(call.request_index())),
        ("name", call.host_function().into()),
        ("arguments", Value::bytes(call.argument_bytes().to_vec())),
    ];
    if let Some(Position { line, column }) = call.position() {
        fields.extend([("line", line.into()), ("column", column.into())]);
    }
    if let Some(resume) = call.resume() {
        let resume = [
            ("interruptionId", resume.interruption_id.to_string().into()),
            ("resolution", nested(&resume.resolution)),
            ("expired", resume.expired.into()),
            ("payload", nested(&resume.payload)),
            ("state", maybe(resume.state.as_ref().map(nested))),
        ];
        fields.push(("resume", Value::object(resume)));
    }
    if let Some(edited) = call.edited_from() {
        fields.push(("editedFrom", nested_list(&edited)));
    }
    Value::object(fields)
}
