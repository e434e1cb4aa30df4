//! Calls and answers as JSON, and what can go wrong between.

use std::time::Duration;

use intermission::value::ExpandError;
use intermission::{HostCall, HostError, Value};

use super::interrupt::{self, InterruptError};

/// What a program or a service says to a call.
#[derive(Debug)]
pub(super) enum Said {
    /// The answer, as JSON.
    Answer(Vec<u8>),
    /// Somebody is to be asked first: what and how, as JSON.
    Interrupt(Vec<u8>),
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum AnswerError {
    #[error("the argument cannot be written as JSON: {0}")]
    Argument(#[from] ExpandError),
    #[error("it cannot be started: {program}: {error}")]
    NotStarted { program: String, error: std::io::Error },
    #[error("it failed ({status}){}", because(complaint))]
    Failed { status: String, complaint: String },
    #[error("it was killed ({signal}){}", because(complaint))]
    Killed { signal: String, complaint: String },
    #[error("it did not answer within {}", humantime::format_duration(*.0))]
    TimedOut(Duration),
    #[error("it answered more than {0} bytes, which is the limit `output`")]
    TooMuch(usize),
    #[error("its answer is not JSON ({error}): {start}")]
    NotJson { error: serde_json::Error, start: String },
    #[error("it asks, but not so that it can be asked: {0}")]
    Interrupt(InterruptError),
    #[error("it answered {status}{}", because(text))]
    Status { status: String, text: String },
    #[error("it cannot be reached: {0}")]
    NotReached(String),
}

/// At most this many characters of a complaint are shown.
const MOST_SHOWN: usize = 500;

fn because(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}

impl AnswerError {
    /// The stable code, which the script sees.
    fn code(&self) -> &'static str {
        match self {
            Self::Argument(_) => "HOST_INPUT_INVALID",
            Self::NotStarted { .. } => "HOST_NOT_STARTED",
            Self::Failed { .. } => "HOST_FAILED",
            Self::Killed { .. } => "HOST_KILLED",
            Self::TimedOut(_) => "HOST_TIMED_OUT",
            Self::TooMuch(_) => "HOST_OUTPUT_TOO_LARGE",
            Self::NotJson { .. } => "HOST_OUTPUT_NOT_JSON",
            Self::Interrupt(_) => "HOST_INTERRUPT_INVALID",
            Self::Status { .. } => "HOST_STATUS",
            Self::NotReached(_) => "HOST_NOT_REACHED",
        }
    }
}

/// The first argument as JSON. No argument is `null`.
pub(super) fn argument(call: &HostCall) -> Result<Vec<u8>, AnswerError> {
    Ok(call.input().to_json()?.to_string().into_bytes())
}

/// What a script gets for an answer. No answer at all is `undefined`.
pub(super) fn value(call: &HostCall, said: Result<Said, AnswerError>) -> Result<Value, HostError> {
    let failed = |error: AnswerError| {
        HostError::new(format!("{}: {error}", call.host_function())).with_code(error.code())
    };
    match said.map_err(failed)? {
        Said::Answer(bytes) if bytes.trim_ascii().is_empty() => Ok(Value::Undefined),
        Said::Answer(bytes) => match serde_json::from_slice(&bytes) {
            Ok(json) => Ok(Value::from_json(json)),
            Err(error) => Err(failed(AnswerError::NotJson { error, start: start_of(&bytes) })),
        },
        Said::Interrupt(bytes) => {
            let interrupt = interrupt::read(&bytes).map_err(|error| failed(AnswerError::Interrupt(error)))?;
            Err(interrupt.into())
        }
    }
}

/// The beginning of a text, for a message.
pub(crate) fn start_of(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * MOST_SHOWN)]);
    let text = text.trim();
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The last lines of a text, for a message.
pub(crate) fn end_of(bytes: &[u8]) -> String {
    const LINES: usize = 5;
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<_> = text.trim().lines().collect();
    let text = lines[lines.len().saturating_sub(LINES)..].join("\n");
    match text.char_indices().rev().nth(MOST_SHOWN) {
        Some((at, character)) => format!("…{}", &text[at + character.len_utf8()..]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_answer_is_shown_from_its_start_and_a_long_complaint_from_its_end() {
        let text = format!("a{}z", "é".repeat(1000));
        assert_eq!(start_of(text.as_bytes()), format!("a{}…", "é".repeat(499)));
        assert_eq!(end_of(text.as_bytes()), format!("…{}z", "é".repeat(499)));
    }

    #[test]
    fn of_many_lines_the_last_five_are_shown() {
        assert_eq!(end_of(b"1\n2\n3\n4\n5\n6\n7\n"), "3\n4\n5\n6\n7");
        assert_eq!(end_of(b" \n"), "");
    }
}
