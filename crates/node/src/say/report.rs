//! What there is to say of a run besides its value.

use std::time::Duration;

use intermission::{ConsoleEntry, DetachedCall, Fate, Report, Stats, Value};

use super::error::script_error;
use super::{interruption, place};
use crate::message::{nested, nested_list};

/// Lists that are empty are left out: most are, most of the time.
pub(super) fn report(report: &Report) -> Value {
    let mut fields = vec![
        ("runId", Value::from(report.run_id.to_string())),
        ("invocationId", report.invocation_id.to_string().into()),
        ("stats", stats(&report.stats)),
    ];
    fields.extend(report.data.as_ref().map(|data| ("data", nested(data))));
    fields.extend(report.data_error.as_ref().map(|error| ("dataError", script_error(error))));
    let lists = [
        ("console", report.console.iter().map(console_entry).collect::<Vec<_>>()),
        ("detached", report.detached.iter().map(detached).collect()),
        ("abandoned", report.abandoned.iter().map(interruption).collect()),
        ("unhandled", report.unhandled.iter().map(script_error).collect()),
    ];
    let said = lists.into_iter().filter(|(_, list)| !list.is_empty());
    fields.extend(said.map(|(name, list)| (name, Value::array(list))));
    if report.replayed > 0 {
        fields.push(("replayed", Value::from(report.replayed as f64)));
    }
    Value::object(fields)
}

fn console_entry(entry: &ConsoleEntry) -> Value {
    Value::object([
        ("method", Value::from(entry.method.as_str())),
        ("text", entry.text.as_str().into()),
        ("arguments", nested_list(&entry.arguments)),
    ])
}

fn detached(call: &DetachedCall) -> Value {
    let fate = match call.fate {
        Fate::Fulfilled => "fulfilled",
        Fate::Rejected => "rejected",
        Fate::Aborted => "aborted",
        Fate::Unknown => "unknown",
        Fate::Refused => "refused",
    };
    let mut fields = vec![
        ("requestIndex", Value::from(call.request_index)),
        ("hostFunction", call.host_function.as_str().into()),
        ("fate", fate.into()),
    ];
    fields.extend(place(call.file.as_deref(), call.position));
    Value::object(fields)
}

fn stats(stats: &Stats) -> Value {
    let ms = |time: Duration| Value::from(time.as_nanos() as f64 / 1e6);
    Value::object([
        ("cpuMs", ms(stats.cpu)),
        ("wallMs", ms(stats.wall)),
        ("waitedMs", ms(stats.waited)),
        ("fuel", Value::from(stats.fuel as f64)),
        ("memory", Value::from(stats.memory as f64)),
        ("calls", stats.calls.into()),
        ("inPlace", stats.in_place.into()),
    ])
}
