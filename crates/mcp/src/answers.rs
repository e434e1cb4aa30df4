//! Answers of a model or a person as resolutions.

use intermission::{Answer as Given, Interruption, InterruptionKind, Resolution, Value};
use serde_json::Value as Json;

use crate::arguments::{Answer, interruption_id};

/// What an answer of the tool `resume` means.
///
/// # Errors
/// In words, where it is no answer, or says two things.
pub(crate) fn resolution(answer: Answer, asked: Option<&Interruption>) -> Result<Resolution, String> {
    let id = interruption_id(&answer.question)?;
    let Answer { question, value, approve, argument, reason, happened, did_not_happen } = answer;
    let forms = [value.is_some(), approve.is_some(), happened.is_some(), did_not_happen == Some(true)];
    if forms.iter().filter(|given| **given).count() != 1 {
        return Err(format!(
            "the answer to {question} has one of `value`, `approve`, `happened` and `did_not_happen`, as its kind is"
        ));
    }
    let given = if let Some(value) = value {
        Given::Value(Value::from_json(value))
    } else if let Some(happened) = happened {
        Given::Happened(Ok(Value::from_json(happened)))
    } else {
        match (approve, argument) {
            (Some(true), None) => Given::Approve,
            (Some(true), Some(argument)) => Given::ApproveWith(edited(asked, argument)),
            (Some(false), _) => Given::Deny { reason },
            (None, _) => Given::DidNotHappen,
        }
    };
    Ok(Resolution::new(id, given))
}

/// A call's arguments with another one in the first place.
fn edited(asked: Option<&Interruption>, argument: Json) -> Vec<Value> {
    let others = asked.map_or(&[][..], |asked| asked.arguments.get(1..).unwrap_or_default());
    std::iter::once(Value::from_json(argument)).chain(others.iter().cloned()).collect()
}

/// What a person says in the form of [`crate::elicit`]; nothing where it says nothing.
pub(crate) fn of_form(asked: &Interruption, content: &Json) -> Option<Given> {
    let text = |key: &str| content.get(key).and_then(Json::as_str).filter(|text| !text.trim().is_empty());
    match (asked.kind, text("decision")) {
        (InterruptionKind::Approval, Some("approve")) => Some(Given::Approve),
        (InterruptionKind::Approval, Some("deny")) => {
            Some(Given::Deny { reason: text("reason").map(str::to_owned) })
        }
        (InterruptionKind::OutcomeUnknown, Some("did not happen")) => Some(Given::DidNotHappen),
        (InterruptionKind::OutcomeUnknown, Some("happened")) => {
            Some(Given::Happened(Ok(json_or_text(text("answer").unwrap_or("null")))))
        }
        (InterruptionKind::Question, _) => text("answer").map(|answer| Given::Value(json_or_text(answer))),
        _ => None,
    }
}

/// What somebody has typed: JSON, or else a text.
fn json_or_text(typed: &str) -> Value {
    serde_json::from_str(typed).map_or_else(|_| Value::from(typed), Value::from_json)
}
