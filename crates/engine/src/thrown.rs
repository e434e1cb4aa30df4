//! What the guest tells of an exception.

use intermission_value::{Value, decode};

use crate::CallId;

/// An exception that ended a run, or a rejection that nobody handled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thrown {
    /// The error's name; absent where something else than an error was thrown.
    pub name: Option<String>,
    /// The error's message.
    pub message: Option<String>,
    /// The script's own frames, innermost first.
    pub frames: Vec<Frame>,
    /// The error's own data properties, but for name, message, stack, cause and errors.
    pub properties: Option<Value>,
    /// What caused it.
    pub cause: Option<Box<Thrown>>,
    /// The errors of an `AggregateError`.
    pub errors: Vec<Thrown>,
    /// What was thrown, where it was not an error.
    pub value: Option<Value>,
    /// The host call whose rejection this is, where it is one's and not a new error made of it.
    pub call: Option<CallId>,
}

/// A frame of a stack trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function; absent for the script's top level and for anonymous functions.
    pub function: Option<String>,
    /// The file, as the guest knows it.
    pub file: String,
    /// From 1, in the text that the guest runs.
    pub line: u32,
    /// From 1, in bytes of UTF-8.
    pub column: u32,
}

impl Thrown {
    /// In the place of a [`call`](Self::call), in a [locked](crate::Engine::start_locked) realm: the error says that a value of the script's cannot cross.
    pub const REFUSED_VALUE: CallId = 0x7fff_ffff;

    /// Reads what `guest/c/thrown.c` wrote: the same error twice, shortly and with all that it carries, each behind its length. Anything unexpected
    /// is left out: the guest may be hostile.
    pub(crate) fn from_message(bytes: &[u8]) -> Self {
        let mut parts = parts(bytes);
        let mut error = || {
            parts
                .next()
                .and_then(|part| decode(part, usize::MAX).ok())
                .map(Self::from_value)
                .unwrap_or_default()
        };
        let (short, full) = (error(), error());
        let call = parts.next().and_then(|part| part.try_into().ok()).map(u32::from_le_bytes);
        Self {
            name: short.name,
            message: short.message,
            frames: short.frames,
            call: call.filter(|call| *call != 0),
            ..full
        }
    }

    fn from_value(mut told: Value) -> Self {
        let text = |key| match told.get(key) {
            Some(Value::String(text)) => Some(text.to_string_lossy().into_owned()),
            _ => None,
        };
        let mut thrown = Self {
            name: text("name"),
            message: text("message"),
            frames: text("stack").map(|stack| frames(&stack)).unwrap_or_default(),
            ..Self::default()
        };
        if let Value::Object(told) = &mut told {
            thrown.properties = told.remove("properties");
            thrown.cause = told.remove("cause").map(|cause| Box::new(Self::from_value(cause)));
            thrown.value = told.remove("value");
            if let Some(Value::Array(errors)) = told.remove("errors") {
                thrown.errors = errors.into_iter().flatten().map(Self::from_value).collect();
            }
        }
        thrown
    }
}

/// Pieces of a message, each behind its length.
pub(crate) fn parts(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        bytes = rest;
        Some(part)
    })
}

/// The frames of QuickJS's `stack` text that are the script's: `    at name (file:line:column)`. The realm's own files begin with
/// `intermission:`, native functions have no place.
fn frames(stack: &str) -> Vec<Frame> {
    stack.lines().filter_map(frame).filter(|frame| !frame.file.starts_with("intermission:")).collect()
}

fn frame(line: &str) -> Option<Frame> {
    let line = line.trim_start().strip_prefix("at ")?;
    let (function, place) = match line.strip_suffix(')').and_then(|line| line.rsplit_once(" (")) {
        Some((function, place)) => (Some(function), place),
        None => (None, line),
    };
    let (rest, column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let function = function.filter(|name| *name != "<anonymous>" && *name != "<eval>").map(str::to_owned);
    Some(Frame { function, file: file.to_owned(), line: line.parse().ok()?, column: column.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_scripts_own_frames_are_kept() {
        let stack = "    at inner (script.js:2:9)\n    at map (native)\n    at <anonymous> (script.js:5:3)\n    \
                     at log (intermission:console:1:1)\n    at script.js:7:1\n";
        let frame = |function: Option<&str>, line, column| Frame {
            function: function.map(str::to_owned),
            file: "script.js".to_owned(),
            line,
            column,
        };
        assert_eq!(frames(stack), [frame(Some("inner"), 2, 9), frame(None, 5, 3), frame(None, 7, 1)]);
    }
}
