//! Errors as values.

use crate::{JsString, Value};

/// A JavaScript error, without its stack, which stays where it was made.
///
/// ```
/// use intermission_value::{ErrorCode, ErrorValue, Value};
///
/// let error = ErrorValue {
///     code: Some(ErrorCode::String("ENOENT".into())),
///     ..ErrorValue::new("Error", "no such file")
/// };
/// assert_eq!(format!("{:?}", Value::from(error)), r#"Error {message: "no such file", code: "ENOENT"}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorValue {
    /// The class's name: `TypeError`, or any other text.
    pub name: JsString,
    /// What went wrong.
    pub message: JsString,
    /// What brought it about. Absent is not the same as `undefined`.
    pub cause: Option<Value>,
    /// The errors of an `AggregateError`: an array (or a shared one, or a reference to one).
    pub errors: Option<Value>,
    /// A code for programs.
    pub code: Option<ErrorCode>,
}

impl ErrorValue {
    /// An error with neither cause, errors nor code.
    pub fn new(name: impl Into<JsString>, message: impl Into<JsString>) -> Self {
        Self { name: name.into(), message: message.into(), cause: None, errors: None, code: None }
    }
}

/// The `code` of an error.
#[derive(Clone, Debug)]
pub enum ErrorCode {
    /// A text such as `ENOENT`.
    String(JsString),
    /// A number such as that of a `DOMException`.
    Number(f64),
}

/// Numbers as `Object.is` compares them.
impl PartialEq for ErrorCode {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::String(one), Self::String(other)) => one == other,
            (Self::Number(one), Self::Number(other)) => crate::number::same(*one, *other),
            _ => false,
        }
    }
}

impl Eq for ErrorCode {}
