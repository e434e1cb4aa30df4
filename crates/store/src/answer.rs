//! Answers in the form in which a store keeps them.

use intermission::value::{self, Object};
use intermission::{Answer, HostError, InterruptionId, Resolution, Value, answers_text};

/// An answer that was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// To which interruption.
    pub interruption_id: InterruptionId,
    /// The answer.
    pub answer: Answer,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// By whom, where that is known.
    pub by: Option<String>,
}

impl Given {
    /// For the run.
    pub fn resolution(&self) -> Resolution {
        Resolution::new(self.interruption_id.clone(), self.answer.clone()).at(self.at)
    }

    /// For people: `int_…: approved`.
    pub fn text(&self) -> String {
        let answer = answers_text(&[self.resolution()]);
        match &self.by {
            Some(by) => format!("{answer} (by {by})"),
            None => answer,
        }
    }
}

/// An answer's bytes: those of a value. Two answers are the same where their bytes are.
///
/// # Errors
/// Where a value in it cannot be sent.
pub fn answer_bytes(answer: &Answer) -> Result<Vec<u8>, value::EncodeError> {
    let one =
        |kind: &str, field: &str, value: Value| Value::object([("answer", kind.into()), (field, value)]);
    let alone = |kind: &str| Value::object([("answer", Value::from(kind))]);
    value::encode(&match answer {
        Answer::Value(value) => one("value", "value", value.clone()),
        Answer::Approve => alone("approve"),
        Answer::ApproveWith(arguments) => one("approve_with", "arguments", Value::array(arguments.clone())),
        Answer::Deny { reason: None } => alone("deny"),
        Answer::Deny { reason: Some(reason) } => one("deny", "reason", reason.as_str().into()),
        Answer::Happened(Ok(value)) => one("happened", "value", value.clone()),
        Answer::Happened(Err(error)) => one("failed", "error", error_value(error)),
        Answer::DidNotHappen => alone("did_not_happen"),
        // An answer that this version cannot keep is one that it cannot make.
        _ => alone("unknown"),
    })
}

/// The answer in such bytes; `None` where they are none.
pub fn answer_of(bytes: &[u8]) -> Option<Answer> {
    let Value::Object(fields) = value::decode(bytes, usize::MAX).ok()? else { return None };
    let field = |name: &str| fields.get(name).cloned();
    Some(match text(fields.get("answer")?)?.as_str() {
        "value" => Answer::Value(field("value")?),
        "approve" => Answer::Approve,
        "approve_with" => match field("arguments")? {
            Value::Array(arguments) => {
                Answer::ApproveWith(arguments.into_iter().map(Option::unwrap_or_default).collect())
            }
            _ => return None,
        },
        "deny" => Answer::Deny { reason: field("reason").as_ref().and_then(text) },
        "happened" => Answer::Happened(Ok(field("value")?)),
        "failed" => Answer::Happened(Err(host_error(&field("error")?)?)),
        "did_not_happen" => Answer::DidNotHappen,
        _ => return None,
    })
}

fn error_value(error: &HostError) -> Value {
    let mut fields = vec![("name", Value::from(error.name())), ("message", error.message().into())];
    fields.extend(error.code().map(|code| ("code", code.into())));
    Value::object(fields)
}

fn host_error(error: &Value) -> Option<HostError> {
    let Value::Object(fields) = error else { return None };
    let of = |fields: &Object, name: &str| fields.get(name).and_then(text);
    let host = HostError::new(of(fields, "message")?).with_name(of(fields, "name")?);
    Some(match of(fields, "code") {
        Some(code) => host.with_code(code),
        None => host,
    })
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.to_string_lossy().into_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_comes_back_as_it_was() {
        let answers = [
            Answer::Value(Value::array([1.0, 2.0])),
            Answer::Approve,
            Answer::ApproveWith(vec![Value::Undefined, 7.into()]),
            Answer::Deny { reason: None },
            Answer::Deny { reason: Some("too dear".to_owned()) },
            Answer::Happened(Ok(Value::Null)),
            Answer::Happened(Err(HostError::new("no").with_name("TypeError").with_code("E"))),
            Answer::Happened(Err(HostError::new("no"))),
            Answer::DidNotHappen,
        ];
        for answer in answers {
            assert_eq!(answer_of(&answer_bytes(&answer).unwrap()), Some(answer));
        }
        assert_eq!(answer_of(&[0xf6]), None);
        assert_eq!(answer_of(b"nonsense"), None);
    }
}
