//! What a store keeps of runs, and why something could not be done with one, as parts of messages.

use intermission::{Answer, HostError, Value};
use intermission_store::{Given, Notice, RunState, RunsError, StoredInterruption, StoredRun, What};

use super::error::error;
use super::{interruption, resume_error, run_error, time};
use crate::message::{maybe, nested, nested_list};

pub(crate) fn run(run: &StoredRun) -> Value {
    let mut fields = vec![
        ("runId", Value::from(run.run_id.to_string())),
        ("key", maybe(run.key.as_deref())),
        ("name", run.name.as_str().into()),
        ("forkedFrom", maybe(run.forked_from.map(|from| from.to_string()))),
        ("created", time(run.created)),
        ("updated", time(run.updated)),
        ("questions", run.questions.into()),
        ("state", run.state.name().into()),
    ];
    match &run.state {
        RunState::Running { until } => fields.push(("until", time(*until))),
        RunState::Waiting { wake_at } => fields.push(("wakeAt", maybe(wake_at.map(time)))),
        RunState::Completed { value } => fields.push(("value", nested(value))),
        RunState::Failed { code, message } => {
            fields.push(("code", code.as_str().into()));
            fields.push(("message", message.as_str().into()));
        }
        RunState::Ready | RunState::Cancelled => {}
    }
    Value::object(fields)
}

pub(crate) fn asked(asked: &StoredInterruption) -> Value {
    Value::object([
        ("runId", Value::from(asked.run_id.to_string())),
        ("name", asked.name.as_str().into()),
        ("interruption", interruption(&asked.interruption)),
    ])
}

pub(crate) fn given(given: &Given) -> Value {
    let mut fields = vec![
        ("interruptionId", Value::from(given.interruption_id.to_string())),
        ("at", time(given.at)),
        ("by", maybe(given.by.as_deref())),
    ];
    fields.extend(answer(&given.answer));
    Value::object(fields)
}

fn answer(answer: &Answer) -> Vec<(&'static str, Value)> {
    let kind = |kind: &str| ("kind", Value::from(kind));
    match answer {
        Answer::Value(value) => vec![kind("value"), ("body", nested(value))],
        Answer::Approve => vec![kind("approve")],
        Answer::ApproveWith(arguments) => vec![kind("approveWith"), ("body", nested_list(arguments))],
        Answer::Deny { reason } => vec![kind("deny"), ("reason", maybe(reason.as_deref()))],
        Answer::Happened(Ok(value)) => vec![kind("happened"), ("body", nested(value))],
        Answer::Happened(Err(error)) => vec![kind("failed"), ("error", host_error(error))],
        Answer::DidNotHappen => vec![kind("didNotHappen")],
        _ => vec![kind("unknown")],
    }
}

fn host_error(error: &HostError) -> Value {
    Value::object([
        ("name", Value::from(error.name())),
        ("message", error.message().into()),
        ("code", maybe(error.code())),
    ])
}

pub(crate) fn notice(notice: &Notice) -> Value {
    let what = match &notice.what {
        What::PutAway => "putAway",
        what => what.name(),
    };
    Value::object([
        ("number", Value::from(notice.number as f64)),
        ("runId", notice.run_id.to_string().into()),
        ("at", time(notice.at)),
        ("what", what.into()),
        ("subject", maybe(notice.what.subject())),
    ])
}

/// An error, and whose it is.
fn of(of: &str, error: Value) -> Value {
    Value::object([("of", Value::from(of)), ("error", error)])
}

/// With `of`: whose error it is.
pub(crate) fn runs_error(failure: &RunsError) -> Value {
    let mut fields = error(failure.code(), failure);
    match failure {
        RunsError::Store(_) => return of("store", Value::object(fields)),
        RunsError::Refused(refused) => return of("resume", resume_error(refused)),
        RunsError::Begin(failure) => return of("run", run_error(failure)),
        RunsError::Conflict { winner } => fields.push(("winner", given(winner))),
        RunsError::Emitted { key, winner } => {
            fields.push(("key", key.as_str().into()));
            fields.push(("value", nested(winner)));
        }
        RunsError::NoRun { run_id } | RunsError::NotOver { run_id } => {
            fields.push(("runId", run_id.to_string().into()));
        }
        _ => {}
    }
    of("runs", Value::object(fields))
}

/// The same of a text that is no run's id.
pub(crate) fn no_run(text: &str) -> Value {
    let mut fields = error("RUN_UNKNOWN", &format!("there is no run {text:?}: that is no run's id"));
    fields.push(("runId", text.into()));
    of("runs", Value::object(fields))
}
