//! Results, reports and errors as parts of messages.

mod error;
mod report;
pub(crate) mod stored;

use intermission::{Inspection, Interruption, Position, ResumeError, RunResult, Value};

pub(crate) use self::error::{codec_error, resume_error, run_error, script_error};
use crate::message::{maybe, nested, nested_list};

/// How a task that was a run ended.
pub(crate) fn end(end: Result<RunResult, ResumeError>) -> Value {
    match end {
        Ok(result) => self::result(&result),
        Err(error) => Value::object([("refused", resume_error(&error))]),
    }
}

fn result(result: &RunResult) -> Value {
    let mut fields = vec![("report", report::report(result.report()))];
    if let Some(continuation) = result.continuation() {
        fields.push(("continuation", Value::bytes(continuation.to_bytes())));
    }
    let status = match result {
        RunResult::Completed { value, .. } => {
            fields.push(("value", nested(value)));
            "completed"
        }
        RunResult::Interrupted { interruptions, wake_at, .. } => {
            fields.push(("interruptions", Value::array(interruptions.iter().map(interruption))));
            fields.push(("wakeAt", maybe(wake_at.map(time))));
            "interrupted"
        }
        RunResult::Cancelled { .. } => "cancelled",
        RunResult::Failed { error, .. } => {
            fields.push(("error", run_error(error)));
            "failed"
        }
        _ => "unknown",
    };
    fields.push(("status", status.into()));
    Value::object(fields)
}

/// Milliseconds since 1970.
pub(crate) fn time(time: u64) -> Value {
    Value::from(time as f64)
}

pub(crate) fn interruption(asked: &Interruption) -> Value {
    let mut fields = vec![
        ("id", Value::from(asked.id.to_string())),
        ("kind", asked.kind.name().into()),
        ("requestIndex", asked.request_index.into()),
        ("hostFunction", asked.host_function.as_str().into()),
        ("arguments", nested_list(&asked.arguments)),
        ("argumentsDigest", asked.arguments_digest.as_str().into()),
        ("payload", nested(&asked.payload)),
        ("created", time(asked.created)),
        ("expires", maybe(asked.expires.map(time))),
        ("default", maybe(asked.default.as_ref().map(nested))),
    ];
    fields.extend(place(asked.file.as_deref(), asked.position));
    Value::object(fields)
}

/// A place in a script, where there is one.
pub(crate) fn place(file: Option<&str>, position: Option<Position>) -> Vec<(&'static str, Value)> {
    let file = file.map(|file| ("file", Value::from(file)));
    let position = position
        .map(|Position { line, column }| [("line", Value::from(line)), ("column", Value::from(column))]);
    file.into_iter().chain(position.into_iter().flatten()).collect()
}

pub(crate) fn inspection(inspection: &Inspection) -> Value {
    Value::object([
        ("runId", Value::from(inspection.run_id.to_string())),
        ("name", inspection.name.as_str().into()),
        ("started", time(inspection.started)),
        ("interruptions", Value::array(inspection.interruptions.iter().map(interruption))),
        ("wakeAt", maybe(inspection.wake_at.map(time))),
        ("expires", maybe(inspection.expires.map(time))),
        ("calls", inspection.calls.into()),
        ("over", inspection.over.into()),
    ])
}
