//! Errors as parts of messages: code, message, and what a program may want to know.

use intermission::codec::CodecError;
use intermission::{
    Diverged, Exhausted, Frame, Position, ResumeError, RunError, ScriptError, SourceError, Value,
};

use super::place;
use crate::message::{maybe, nested};

pub(super) fn error(code: &str, message: &dyn std::fmt::Display) -> Vec<(&'static str, Value)> {
    vec![("code", Value::from(code)), ("message", message.to_string().into())]
}

pub(crate) fn run_error(failure: &RunError) -> Value {
    let mut fields = error(failure.code(), failure);
    match failure {
        RunError::Script(thrown) => fields.push(("thrown", script_error(thrown))),
        RunError::Exhausted(exhausted) => fields.extend(limit(exhausted)),
        RunError::Source(source) => fields.extend(source_place(source)),
        RunError::Diverged(diverged) => {
            let Diverged { divergence, file, position } = &**diverged;
            fields.push(("entry", Value::from(divergence.entry as f64)));
            fields.extend(place(file.as_deref(), *position));
        }
        RunError::FunctionMissing { name } | RunError::InterruptInSync { name } => {
            fields.push(("hostFunction", name.as_str().into()));
        }
        RunError::Detached { calls } => {
            fields.push(("calls", Value::array(calls.iter().map(String::as_str))));
        }
        _ => {}
    }
    Value::object(fields)
}

pub(crate) fn resume_error(refused: &ResumeError) -> Value {
    let mut fields = error(refused.code(), refused);
    match refused {
        ResumeError::Unknown { id }
        | ResumeError::Stale { id }
        | ResumeError::Duplicate { id }
        | ResumeError::Invalid { id, .. }
        | ResumeError::ArgumentsDiffer { id }
        | ResumeError::Expired { id, .. } => fields.push(("interruptionId", id.to_string().into())),
        ResumeError::LimitTooLow(exhausted) => fields.extend(limit(exhausted)),
        ResumeError::FunctionMissing { name } | ResumeError::FunctionChanged { name } => {
            fields.push(("hostFunction", name.as_str().into()));
        }
        ResumeError::Conflict { winner } => fields.push(("winner", winner.as_str().into())),
        _ => {}
    }
    Value::object(fields)
}

pub(crate) fn codec_error(refused: &CodecError) -> Value {
    Value::object(error(refused.code(), refused))
}

fn limit(exhausted: &Exhausted) -> [(&'static str, Value); 4] {
    let Exhausted { limit, allowed, used } = exhausted;
    [
        ("limit", limit.name().into()),
        ("allowed", Value::from(*allowed as f64)),
        ("used", Value::from(*used as f64)),
        ("unit", limit.unit().into()),
    ]
}

fn source_place(source: &SourceError) -> Vec<(&'static str, Value)> {
    let position = source.position().map(|at| Position { line: at.line, column: at.column });
    place(None, position)
}

pub(crate) fn script_error(thrown: &ScriptError) -> Value {
    let mut fields = vec![
        ("name", maybe(thrown.name.as_deref())),
        ("message", maybe(thrown.message.as_deref())),
        ("text", thrown.to_string().into()),
        ("stack", thrown.stack().into()),
        ("frames", Value::array(thrown.frames.iter().map(frame))),
    ];
    fields.extend(thrown.properties.as_ref().map(|properties| ("properties", nested(properties))));
    fields.extend(thrown.cause.as_ref().map(|cause| ("cause", script_error(cause))));
    if !thrown.errors.is_empty() {
        fields.push(("errors", Value::array(thrown.errors.iter().map(script_error))));
    }
    fields.extend(thrown.value.as_ref().map(|value| ("value", nested(value))));
    Value::object(fields)
}

fn frame(frame: &Frame) -> Value {
    let Frame { function, file, line, column } = frame;
    Value::object([
        ("function", maybe(function.as_deref())),
        ("file", file.as_str().into()),
        ("line", (*line).into()),
        ("column", (*column).into()),
    ])
}
