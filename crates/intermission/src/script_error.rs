//! What a script threw, with positions in the text that its author wrote.

use std::fmt;

use intermission_engine::{Frame, Thrown};
use intermission_value::Value;

use crate::positions::Positions;

/// An exception of a script: an error with all that it carries, or any other value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScriptError {
    /// The error's name; absent where something else than an error was thrown.
    pub name: Option<String>,
    /// The error's message.
    pub message: Option<String>,
    /// The script's own frames, innermost first, at their places in the original text.
    pub frames: Vec<Frame>,
    /// The error's own data properties (`code` and the like).
    pub properties: Option<Value>,
    /// What caused it.
    pub cause: Option<Box<ScriptError>>,
    /// The errors of an `AggregateError`.
    pub errors: Vec<ScriptError>,
    /// What was thrown, where it was not an error.
    pub value: Option<Value>,
}

impl ScriptError {
    pub(crate) fn new(thrown: Thrown, positions: &Positions) -> Self {
        Self {
            name: thrown.name,
            message: thrown.message,
            frames: thrown.frames.into_iter().filter_map(|frame| positions.original(frame)).collect(),
            properties: thrown.properties,
            cause: thrown.cause.map(|cause| Box::new(Self::new(*cause, positions))),
            errors: thrown.errors.into_iter().map(|error| Self::new(error, positions)).collect(),
            value: thrown.value,
        }
    }

    /// The error's own `code`, where it has one that is a string.
    pub fn code(&self) -> Option<&str> {
        self.properties.as_ref()?.get("code")?.as_str()
    }

    /// The stack as engines print it: a line a frame, without the message.
    pub fn stack(&self) -> String {
        use fmt::Write;
        let mut stack = String::new();
        for Frame { function, file, line, column } in &self.frames {
            let _ = match function {
                Some(function) => writeln!(stack, "    at {function} ({file}:{line}:{column})"),
                None => writeln!(stack, "    at {file}:{line}:{column}"),
            };
        }
        stack
    }
}

/// `name: message`, or the value that was thrown.
impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.name, &self.message, &self.value) {
            (Some(name), Some(message), _) if !message.is_empty() => write!(f, "{name}: {message}"),
            (Some(text), ..) | (None, Some(text), _) => f.write_str(text),
            (None, None, Some(Value::String(text))) => {
                write!(f, "the script threw {:?}", text.to_string_lossy())
            }
            (None, None, Some(value)) => write!(f, "the script threw {value:?}"),
            (None, None, None) => f.write_str("the script threw"),
        }
    }
}

impl std::error::Error for ScriptError {}
