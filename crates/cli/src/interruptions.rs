//! What a run asks, as JSON.

use intermission::{Interruption, InterruptionKind, RunId, Value};
use serde_json::{Value as Json, json};

use crate::keeping::Kept;

/// The object that is printed instead of a value.
pub(crate) fn put_away(
    run_id: RunId,
    interruptions: &[Interruption],
    wake_at: Option<u64>,
    kept: Option<&Kept>,
) -> Json {
    json!({
        "run_id": run_id.to_string(),
        "interruptions": to_json(interruptions),
        "wake_at": wake_at,
        "continuation": kept.map(Kept::to_json),
    })
}

/// An array of them.
pub(crate) fn to_json(interruptions: &[Interruption]) -> Json {
    interruptions.iter().map(of_interruption).collect()
}

/// One of them.
pub(crate) fn of_interruption(interruption: &Interruption) -> Json {
    let position = interruption
        .position
        .map(|at| json!({ "file": interruption.file, "line": at.line, "column": at.column }));
    json!({
        "id": interruption.id.as_str(),
        "kind": interruption.kind.name(),
        "host_function": interruption.host_function,
        "request_index": interruption.request_index,
        "arguments": interruption.arguments.iter().map(of_value).collect::<Vec<_>>(),
        "digest": interruption.arguments_digest,
        "payload": of_value(&interruption.payload),
        "position": position,
        "created": interruption.created,
        "expires_at": interruption.expires,
        "default": interruption.default.as_ref().map(of_value),
    })
}

/// A value as JSON; one that contains itself as a text.
pub(crate) fn of_value(value: &Value) -> Json {
    value.to_json().unwrap_or_else(|_| format!("{value:?}").into())
}

/// The first of the options by which it can be answered.
pub(crate) fn option(interruption: &Interruption) -> String {
    let id = &interruption.id;
    match interruption.kind {
        InterruptionKind::Question | InterruptionKind::Event => format!("--answer {id}=JSON"),
        InterruptionKind::Approval => format!("--approve {id}"),
        InterruptionKind::OutcomeUnknown => format!("--happened {id}=JSON"),
    }
}
