//! A ledger's entries, each on a line.

use intermission::ledger::entry::{Ending, Outcome, Request, Resolution};
use intermission::ledger::{Entry, Record};
use intermission::value::decode;
use intermission::{InterruptionKind, Value};

use crate::table::shorten;

/// What is shown of a value, in characters.
const SHOWN: usize = 100;

/// Every entry in short, in order.
pub(crate) fn lines(record: &Record) -> Vec<String> {
    let functions: Vec<&str> = record.started().functions.iter().map(|lent| lent.name.as_str()).collect();
    record.entries().iter().map(|entry| line(entry, &functions)).collect()
}

fn line(entry: &Entry, functions: &[&str]) -> String {
    let name = entry.name();
    match entry {
        Entry::Started(started) => format!("{name} {}", started.name),
        Entry::Called { call, request } => format!("{name} {call}: {}", request_text(request, functions)),
        Entry::Settled { call, outcome, .. } => format!("{name} {call}: {}", outcome_text(outcome)),
        Entry::Interrupted(question) => {
            format!("{name} {}: {}", question.call, InterruptionKind::from(question.kind).name())
        }
        Entry::Resolved { call, resolution, .. } => format!("{name} {call}: {}", resolution_text(resolution)),
        Entry::Dispatched { call } | Entry::Abandoned { call } | Entry::Retried { call } => {
            format!("{name} {call}")
        }
        Entry::TimerSet { timer, delay, .. } => format!("{name} {timer}: {delay} ms"),
        Entry::TimerCleared { timer } | Entry::TimerFired { timer, .. } => format!("{name} {timer}"),
        Entry::Clock { elapsed, .. } => format!("{name}: {elapsed} ms later"),
        Entry::Random { value } | Entry::Ended(Ending::Returned(value)) => {
            format!("{name}: {}", value_text(value))
        }
        Entry::Ended(Ending::Threw { message, .. }) => format!("{name}: {}", shorten(message, SHOWN)),
        Entry::Forked { from, run_id, .. } => format!("{name}: {run_id} from {from}"),
        Entry::Used { function, .. } => {
            format!("{name} {}", functions.get(*function as usize).copied().unwrap_or("?"))
        }
        _ => name.to_owned(),
    }
}

fn request_text(request: &Request, functions: &[&str]) -> String {
    match request {
        Request::Function { function, arguments } => {
            let name = functions.get(*function as usize).copied().unwrap_or("?");
            let texts: Vec<_> =
                arguments_of(arguments).iter().map(|argument| format!("{argument:?}")).collect();
            format!("{name}({})", shorten(&texts.join(", "), SHOWN))
        }
        Request::Normalize { specifier, importer } => format!("import of {specifier:?} by {importer}"),
        Request::Load { name } => format!("text of {name}"),
    }
}

/// A call's arguments. None where they cannot be decoded.
pub(crate) fn arguments_of(arguments: &[u8]) -> Vec<Value> {
    match decode(arguments, usize::MAX) {
        Ok(Value::Array(arguments)) => arguments.into_iter().map(Option::unwrap_or_default).collect(),
        _ => Vec::new(),
    }
}

fn outcome_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Fulfilled(value) => format!("fulfilled, {}", value_text(value)),
        Outcome::Rejected(value) => format!("rejected, {}", value_text(value)),
    }
}

/// An answer in short: `approved`, `denied, too dear`.
pub(crate) fn resolution_text(resolution: &Resolution) -> String {
    match resolution {
        Resolution::Answered(value) => format!("answered, {}", value_text(value)),
        Resolution::Approved { arguments: None } => "approved".to_owned(),
        Resolution::Approved { arguments: Some(arguments) } => {
            format!("approved with {}", value_text(arguments))
        }
        Resolution::Denied { reason: None } => "denied".to_owned(),
        Resolution::Denied { reason: Some(reason) } => format!("denied, {}", shorten(reason, SHOWN)),
        Resolution::Happened(outcome) => format!("happened, {}", outcome_text(outcome)),
        Resolution::DidNotHappen => "did not happen".to_owned(),
        Resolution::Expired => "expired".to_owned(),
    }
}

/// A value in short. What cannot be decoded is shown as its size.
fn value_text(bytes: &[u8]) -> String {
    decode(bytes, usize::MAX)
        .map_or_else(|_| format!("{} bytes", bytes.len()), |value| shorten(&format!("{value:?}"), SHOWN))
}
