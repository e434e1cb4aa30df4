//! What a store keeps of runs, as objects of the package's own classes.

use intermission::{Answer, HostError};
use intermission_driver::Refusal;
use intermission_store::{Given, Notice, RunState, RunsError, StoredInterruption, StoredRun, What};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::classes::classes;
use crate::say;
use crate::value::{list_to_python, to_python};

type Said<'py> = PyResult<Bound<'py, PyAny>>;

pub(super) fn run<'py>(py: Python<'py>, run: &StoredRun) -> Said<'py> {
    let more = PyDict::new(py);
    match &run.state {
        RunState::Waiting { wake_at } => more.set_item("wake_at", *wake_at)?,
        RunState::Completed { value } => more.set_item("value", to_python(py, value)?)?,
        RunState::Failed { code, message } => {
            more.set_item("code", code)?;
            more.set_item("message", message)?;
        }
        RunState::Ready | RunState::Running { .. } | RunState::Cancelled => {}
    }
    if let Some(from) = run.forked_from {
        more.set_item("forked_from", from.to_string())?;
    }
    let parts = (
        run.run_id.to_string(),
        run.key.as_deref(),
        run.name.as_str(),
        run.created,
        run.updated,
        run.questions,
        run.state.name(),
    );
    classes(py)?.stored_run.bind(py).call(parts, Some(&more))
}

/// A state's name, for ever.
pub(super) fn state(name: &str) -> Result<&'static str, Refusal> {
    RunState::named(name).ok_or_else(|| Refusal::new("OPTIONS", &format!("{name:?} is no state of a run")))
}

pub(super) fn asked<'py>(py: Python<'py>, asked: &StoredInterruption) -> Said<'py> {
    let interruption = say::interruption(py, &asked.interruption)?;
    classes(py)?.asked.bind(py).call1((asked.run_id.to_string(), asked.name.as_str(), interruption))
}

pub(super) fn given<'py>(py: Python<'py>, given: &Given) -> Said<'py> {
    let none = || py.None().into_bound(py);
    let mut reason = None;
    let (kind, value) = match &given.answer {
        Answer::Value(value) => ("value", to_python(py, value)?),
        Answer::Approve => ("approve", none()),
        Answer::ApproveWith(arguments) => ("approveWith", list_to_python(py, arguments)?.into_any()),
        Answer::Deny { reason: why } => {
            reason = why.as_deref();
            ("deny", none())
        }
        Answer::Happened(Ok(value)) => ("happened", to_python(py, value)?),
        Answer::Happened(Err(error)) => ("failed", host_error(py, error)?),
        Answer::DidNotHappen => ("didNotHappen", none()),
        _ => ("unknown", none()),
    };
    let parts = (given.interruption_id.to_string(), kind, value, reason, given.at, given.by.as_deref());
    classes(py)?.given.bind(py).call1(parts)
}

fn host_error<'py>(py: Python<'py>, error: &HostError) -> Said<'py> {
    let said = classes(py)?.js_error.bind(py).call1((error.name(), error.message()))?;
    if let Some(code) = error.code() {
        said.setattr("code", code)?;
    }
    Ok(said)
}

pub(super) fn notice<'py>(py: Python<'py>, notice: &Notice) -> Said<'py> {
    let subject = match &notice.what {
        What::Emitted(_) => "key",
        What::Failed(_) => "code",
        _ => "interruption_id",
    };
    let more = PyDict::new(py);
    more.set_item(subject, notice.what.subject())?;
    let parts = (notice.number, notice.run_id.to_string(), notice.at, notice.what.name());
    classes(py)?.notice.bind(py).call(parts, Some(&more))
}

pub(super) fn runs_error<'py>(py: Python<'py>, failure: &RunsError) -> Said<'py> {
    match failure {
        RunsError::Refused(refused) => say::resume_error(py, refused),
        RunsError::Begin(failure) => say::run_error(py, failure),
        _ => {
            let winner: Option<Bound<'py, PyAny>> = match failure {
                RunsError::Conflict { winner } => Some(winner.text().into_pyobject(py)?.into_any()),
                RunsError::Emitted { winner, .. } => Some(to_python(py, winner)?),
                _ => None,
            };
            classes(py)?.runs_error.bind(py).call1((failure.code(), failure.to_string(), winner))
        }
    }
}
