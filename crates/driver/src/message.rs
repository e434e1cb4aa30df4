//! Parts of messages.

use intermission::Value;

/// A property that may be absent.
pub fn maybe<T: Into<Value>>(value: Option<T>) -> Value {
    value.map_or(Value::Undefined, Into::into)
}
