//! What the library says, as objects of the package's own classes.

use std::time::Duration;

use intermission::codec::CodecError;
use intermission::{
    ConsoleEntry, DetachedCall, Diverged, Exhausted, Fate, Frame, Inspection, Interruption, Position,
    ResumeError, RunError, RunResult, ScriptError, SourceError, Stats,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::classes::classes;
use crate::continuation::Continuation;
use crate::report::Report;
use crate::value::{list_to_python, to_python};

type Said<'py> = PyResult<Bound<'py, PyAny>>;

pub(crate) fn result(py: Python<'_>, result: RunResult) -> Said<'_> {
    let classes = classes(py)?;
    match result {
        RunResult::Completed { value, continuation, report } => {
            let parts = (to_python(py, &value)?, Continuation(continuation), Report(report));
            classes.completed.bind(py).call1(parts)
        }
        RunResult::Interrupted { interruptions, continuation, wake_at, report } => {
            let parts = (
                self::interruptions(py, &interruptions)?,
                Continuation(continuation),
                wake_at,
                Report(report),
            );
            classes.interrupted.bind(py).call1(parts)
        }
        RunResult::Cancelled { continuation, report } => {
            classes.cancelled.bind(py).call1((Continuation(continuation), Report(report)))
        }
        RunResult::Failed { error, continuation, report } => {
            let continuation = continuation.map(Continuation);
            classes.failed.bind(py).call1((run_error(py, &error)?, continuation, Report(report)))
        }
        _ => Err(pyo3::exceptions::PyRuntimeError::new_err(
            "a run ended in a way that this version does not know",
        )),
    }
}

pub(crate) fn interruptions<'py>(py: Python<'py>, asked: &[Interruption]) -> PyResult<Bound<'py, PyTuple>> {
    let asked = asked.iter().map(|asked| interruption(py, asked)).collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, asked)
}

pub(crate) fn interruption<'py>(py: Python<'py>, asked: &Interruption) -> Said<'py> {
    let default = asked.default.as_ref().map(|default| to_python(py, default)).transpose()?;
    let parts = PyTuple::new(
        py,
        [
            asked.id.to_string().into_pyobject(py)?.into_any(),
            asked.kind.name().into_pyobject(py)?.into_any(),
            asked.request_index.into_pyobject(py)?.into_any(),
            asked.host_function.as_str().into_pyobject(py)?.into_any(),
            list_to_python(py, &asked.arguments)?.into_any(),
            asked.arguments_digest.as_str().into_pyobject(py)?.into_any(),
            to_python(py, &asked.payload)?,
            asked.file.as_deref().into_pyobject(py)?.into_any(),
            position(py, asked.position)?.into_pyobject(py)?.into_any(),
            asked.created.into_pyobject(py)?.into_any(),
            asked.expires.into_pyobject(py)?.into_any(),
            default.into_pyobject(py)?.into_any(),
        ],
    )?;
    classes(py)?.interruption.bind(py).call1(parts)
}

pub(crate) fn position(py: Python<'_>, position: Option<Position>) -> PyResult<Option<Bound<'_, PyAny>>> {
    let classes = classes(py)?;
    position.map(|at| classes.position.bind(py).call1((at.line, at.column))).transpose()
}

pub(crate) fn inspection<'py>(py: Python<'py>, said: &Inspection) -> Said<'py> {
    classes(py)?.inspection.bind(py).call1((
        said.run_id.to_string(),
        said.name.as_str(),
        said.started,
        interruptions(py, &said.interruptions)?,
        said.wake_at,
        said.expires,
        said.calls,
        said.over,
    ))
}

pub(crate) fn stats<'py>(py: Python<'py>, stats: &Stats) -> Said<'py> {
    let ms = |time: Duration| time.as_nanos() as f64 / 1e6;
    let Stats { cpu, wall, waited, .. } = stats;
    let parts = (ms(*cpu), ms(*wall), ms(*waited), stats.fuel, stats.memory, stats.calls, stats.in_place);
    classes(py)?.stats.bind(py).call1(parts)
}

pub(crate) fn console_entry<'py>(py: Python<'py>, entry: &ConsoleEntry) -> Said<'py> {
    let arguments = list_to_python(py, &entry.arguments)?;
    classes(py)?.console_entry.bind(py).call1((entry.method.as_str(), entry.text.as_str(), arguments))
}

pub(crate) fn detached_call<'py>(py: Python<'py>, call: &DetachedCall) -> Said<'py> {
    let fate = match call.fate {
        Fate::Fulfilled => "fulfilled",
        Fate::Rejected => "rejected",
        Fate::Aborted => "aborted",
        Fate::Unknown => "unknown",
        Fate::Refused => "refused",
    };
    let (file, position) = (call.file.as_deref(), position(py, call.position)?);
    let parts = (call.request_index, call.host_function.as_str(), fate, file, position);
    classes(py)?.detached_call.bind(py).call1(parts)
}

/// Code, message and what else is known, for `errors.run_error`.
pub(crate) fn run_error<'py>(py: Python<'py>, failure: &RunError) -> Said<'py> {
    let more = PyDict::new(py);
    match failure {
        RunError::Script(error) => more.set_item("thrown", thrown_parts(py, error)?)?,
        RunError::Exhausted(exhausted) => limit(&more, exhausted)?,
        RunError::Source(source) => source_place(&more, source)?,
        RunError::Diverged(diverged) => {
            let Diverged { divergence, file, position } = &**diverged;
            more.set_item("entry", divergence.entry)?;
            more.set_item("file", file.as_deref())?;
            more.set_item("position", self::position(py, *position)?)?;
        }
        RunError::FunctionMissing { name } | RunError::InterruptInSync { name } => {
            more.set_item("host_function", name)?;
        }
        RunError::Detached { calls } => more.set_item("calls", calls)?,
        _ => {}
    }
    classes(py)?.run_error.bind(py).call1((failure.code(), failure.to_string(), more))
}

fn source_place(more: &Bound<'_, PyDict>, source: &SourceError) -> PyResult<()> {
    let place = source.position().map(|at| Position { line: at.line, column: at.column });
    more.set_item("source", position(more.py(), place)?)
}

fn limit(more: &Bound<'_, PyDict>, exhausted: &Exhausted) -> PyResult<()> {
    let Exhausted { limit, allowed, used } = exhausted;
    more.set_item("limit", limit.name())?;
    more.set_item("allowed", *allowed)?;
    more.set_item("used", *used)?;
    more.set_item("unit", limit.unit())
}

pub(crate) fn resume_error<'py>(py: Python<'py>, refused: &ResumeError) -> Said<'py> {
    if let ResumeError::Codec(error) = refused {
        return codec_error(py, error);
    }
    let more = PyDict::new(py);
    match refused {
        ResumeError::Unknown { id }
        | ResumeError::Stale { id }
        | ResumeError::Duplicate { id }
        | ResumeError::Invalid { id, .. }
        | ResumeError::ArgumentsDiffer { id }
        | ResumeError::Expired { id, .. } => more.set_item("interruption_id", id.to_string())?,
        ResumeError::FunctionMissing { name } | ResumeError::FunctionChanged { name } => {
            more.set_item("host_function", name)?;
        }
        ResumeError::Conflict { winner } => more.set_item("winner", winner)?,
        _ => {}
    }
    classes(py)?.resume_error.bind(py).call((refused.code(), refused.to_string()), Some(&more))
}

pub(crate) fn codec_error<'py>(py: Python<'py>, refused: &CodecError) -> Said<'py> {
    classes(py)?.codec_error.bind(py).call1((refused.code(), refused.to_string()))
}

/// What a script threw, as an exception or another value.
pub(crate) fn thrown<'py>(py: Python<'py>, error: &ScriptError) -> Said<'py> {
    classes(py)?.thrown.bind(py).call1((thrown_parts(py, error)?,))
}

/// For `errors.thrown_value`.
fn thrown_parts<'py>(py: Python<'py>, error: &ScriptError) -> PyResult<Bound<'py, PyDict>> {
    let parts = PyDict::new(py);
    parts.set_item("name", error.name.as_deref())?;
    parts.set_item("message", error.message.as_deref())?;
    parts.set_item("stack", error.stack())?;
    let frames = error.frames.iter().map(|at| frame(py, at)).collect::<PyResult<Vec<_>>>()?;
    parts.set_item("frames", PyTuple::new(py, frames)?)?;
    if let Some(properties) = &error.properties {
        parts.set_item("properties", to_python(py, properties)?)?;
    }
    if let Some(cause) = &error.cause {
        parts.set_item("cause", thrown_parts(py, cause)?)?;
    }
    if !error.errors.is_empty() {
        let errors =
            error.errors.iter().map(|error| thrown_parts(py, error)).collect::<PyResult<Vec<_>>>()?;
        parts.set_item("errors", PyList::new(py, errors)?)?;
    }
    if let Some(value) = &error.value {
        parts.set_item("value", to_python(py, value)?)?;
    }
    Ok(parts)
}

fn frame<'py>(py: Python<'py>, frame: &Frame) -> Said<'py> {
    let Frame { function, file, line, column } = frame;
    classes(py)?.frame.bind(py).call1((function.as_deref(), file.as_str(), *line, *column))
}
