//! Asking the person at the client, by elicitation.

use intermission::{Interruption, InterruptionKind};
use rmcp::model::{ElicitRequestParams, ElicitationSchema};
use serde_json::{Value as Json, json};

use crate::view::of_value;

/// Of arguments, so many characters are shown.
const MOST_SHOWN: usize = 2000;

/// The form for a question.
///
/// # Errors
/// Never, unless the protocol's library knows other forms than it says.
pub(crate) fn form(asked: &Interruption) -> Result<ElicitRequestParams, serde_json::Error> {
    let requested_schema: ElicitationSchema = serde_json::from_value(fields(asked.kind))?;
    Ok(ElicitRequestParams::FormElicitationParams { meta: None, message: message(asked), requested_schema })
}

fn message(asked: &Interruption) -> String {
    let function = &asked.host_function;
    let mut lines = match asked.kind {
        InterruptionKind::Approval => vec![format!("A script wants to call {function}. Is that all right?")],
        InterruptionKind::OutcomeUnknown => vec![format!(
            "A script was calling {function} when it was stopped, and nobody knows what came of it. Did it happen?"
        )],
        _ => vec![format!("{function} asks: {}", shown(&of_value(&asked.payload)))],
    };
    for argument in &asked.arguments {
        lines.push(format!("with: {}", shown(&of_value(argument))));
    }
    if asked.kind == InterruptionKind::Approval {
        for key in ["rule", "reason"] {
            lines.extend(asked.payload[key].as_str().map(|text| format!("{key}: {text}")));
        }
    }
    lines.join("\n")
}

/// Nothing in it begins a line of its own: a script has written it.
fn shown(json: &Json) -> String {
    let text = json.to_string();
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}… ({} more bytes)", &text[..end], text.len() - end),
        None => text,
    }
}

fn fields(kind: InterruptionKind) -> Json {
    match kind {
        InterruptionKind::Approval => json!({
            "type": "object",
            "properties": {
                "decision": { "type": "string", "enum": ["approve", "deny"], "title": "Decision" },
                "reason": { "type": "string", "title": "Why not", "description": "What the script is told if it is denied." },
            },
            "required": ["decision"],
        }),
        InterruptionKind::OutcomeUnknown => json!({
            "type": "object",
            "properties": {
                "decision": { "type": "string", "enum": ["happened", "did not happen"], "title": "What came of it" },
                "answer": { "type": "string", "title": "What it gave", "description": "If it happened: JSON, or a text." },
            },
            "required": ["decision"],
        }),
        _ => json!({
            "type": "object",
            "properties": { "answer": { "type": "string", "title": "Answer", "description": "JSON, or a text." } },
            "required": ["answer"],
        }),
    }
}
