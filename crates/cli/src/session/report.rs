//! All that there is to say of a run, as JSON.

use std::time::Duration;

use intermission::{DetachedCall, Fate, Frame, Report, RunError, RunResult, ScriptError, Stats, Value};
use serde_json::{Value as Json, json};

use crate::diagnostic::Diagnostic;
use crate::explain::cancelled;
use crate::failure::Failure;
use crate::interruptions;
use crate::keeping::Kept;

/// The object that `--report` prints.
pub(super) fn to_json(result: &RunResult, kept: Option<&Kept>) -> Result<Json, Failure> {
    let json = |value: &Value| value.to_json().map_err(Failure::ValueNotJson);
    let Report { run_id, data, data_error, console, detached, abandoned, unhandled, stats, .. } =
        result.report();
    let wake_at = match result {
        RunResult::Interrupted { wake_at, .. } => *wake_at,
        _ => None,
    };
    let (value, error) = match result {
        RunResult::Completed { value, .. } => (json(value)?, Json::Null),
        RunResult::Failed { error, .. } => (Json::Null, of_error(error)),
        RunResult::Cancelled { .. } => (Json::Null, of_failure(&cancelled())),
        _ => (Json::Null, Json::Null),
    };
    let console: Vec<_> =
        console.iter().map(|entry| json!({ "method": entry.method, "text": entry.text })).collect();
    Ok(json!({
        "run_id": run_id.to_string(),
        "completed": matches!(result, RunResult::Completed { .. }),
        "value": value,
        "error": error,
        "data": data.as_ref().map(json).transpose()?,
        "data_error": data_error.as_ref().map(of_script_error),
        "console": console,
        "interruptions": interruptions::to_json(result.interruptions()),
        "wake_at": wake_at,
        "continuation": kept.map(Kept::to_json),
        "abandoned": interruptions::to_json(abandoned),
        "detached": detached.iter().map(of_detached).collect::<Vec<_>>(),
        "unhandled": unhandled.iter().map(of_script_error).collect::<Vec<_>>(),
        "stats": of_stats(stats),
    }))
}

/// Of a failure that the store tells of.
pub(super) fn of_failure(failure: &Diagnostic) -> Json {
    json!({ "code": failure.code, "message": failure.message })
}

fn of_error(error: &RunError) -> Json {
    let mut told = match error {
        RunError::Script(error) => of_script_error(error),
        RunError::Source(error) => {
            let position = error.position();
            json!({ "message": error.to_string(), "line": position.map(|at| at.line), "column": position.map(|at| at.column) })
        }
        RunError::Exhausted(exhausted) => json!({
            "message": exhausted.to_string(),
            "limit": exhausted.limit.name(),
            "allowed": exhausted.allowed,
            "used": exhausted.used,
        }),
        error => json!({ "message": error.to_string() }),
    };
    // The run's code, before whatever code the script's error has for itself.
    told["code"] = error.code().into();
    told
}

fn of_script_error(error: &ScriptError) -> Json {
    let frame = |Frame { function, file, line, column }: &Frame| json!({ "function": function, "file": file, "line": line, "column": column });
    json!({
        "name": error.name,
        "message": error.message.clone().unwrap_or_else(|| error.to_string()),
        "error_code": error.code(),
        "stack": error.frames.iter().map(frame).collect::<Vec<_>>(),
        "cause": error.cause.as_deref().map(of_script_error),
        "errors": error.errors.iter().map(of_script_error).collect::<Vec<_>>(),
    })
}

fn of_detached(call: &DetachedCall) -> Json {
    json!({
        "function": call.host_function,
        "request_index": call.request_index,
        "file": call.file,
        "line": call.position.map(|at| at.line),
        "column": call.position.map(|at| at.column),
        "fate": match call.fate {
            Fate::Fulfilled => "fulfilled",
            Fate::Rejected => "rejected",
            Fate::Aborted => "aborted",
            Fate::Unknown => "unknown",
            Fate::Refused => "refused",
        },
    })
}

fn of_stats(stats: &Stats) -> Json {
    let ms = |time: Duration| time.as_micros() as f64 / 1000.0;
    json!({
        "cpu_ms": ms(stats.cpu),
        "wall_ms": ms(stats.wall),
        "waited_ms": ms(stats.waited),
        "fuel": stats.fuel,
        "memory_bytes": stats.memory,
        "calls": stats.calls,
    })
}
