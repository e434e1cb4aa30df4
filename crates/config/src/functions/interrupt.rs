//! How a program or a service asks before it answers.

use intermission::{Interrupt, Value};
use serde::Deserialize;
use serde_json::Value as Json;

/// `{ "payload": ..., "state": ..., "expires_at": ..., "default": ... }`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    payload: Json,
    state: Option<Json>,
    expires_at: Option<u64>,
    #[serde(default, deserialize_with = "given")]
    default: Option<Json>,
}

/// A default of `null` is one; none at all is not.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

/// What is wrong with a question.
#[derive(Debug, thiserror::Error)]
#[error("{0}; expected is an object with `payload`, and if you like `state`, `expires_at`, `default`")]
pub(super) struct InterruptError(serde_json::Error);

/// The question that these bytes say.
pub(super) fn read(bytes: &[u8]) -> Result<Interrupt, InterruptError> {
    let Question { payload, state, expires_at, default } =
        serde_json::from_slice(bytes).map_err(InterruptError)?;
    let mut interrupt = Interrupt::new(Value::from_json(payload));
    if let Some(state) = state {
        interrupt = interrupt.state(Value::from_json(state));
    }
    if let Some(time) = expires_at {
        interrupt = interrupt.expires_at(time);
    }
    if let Some(default) = default {
        interrupt = interrupt.default(Value::from_json(default));
    }
    Ok(interrupt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_of_null_is_a_default() {
        let with = read(br#"{"payload": 1, "expires_at": 5, "default": null}"#).unwrap();
        assert_eq!(with, Interrupt::new(1.0).expires_at(5).default(Value::Null));
        assert_eq!(read(br#"{"payload": 1}"#).unwrap(), Interrupt::new(1.0));
    }

    #[test]
    fn what_is_no_question_says_what_one_is() {
        let complaint = |json: &str| read(json.as_bytes()).unwrap_err().to_string();
        let expected =
            "expected is an object with `payload`, and if you like `state`, `expires_at`, `default`";
        assert_eq!(complaint("{}"), format!("missing field `payload` at line 1 column 2; {expected}"));
        assert_eq!(
            complaint(r#"{"payload":1,"expires":2}"#),
            format!(
                "unknown field `expires`, expected one of `payload`, `state`, `expires_at`, `default` at line 1 column 22; {expected}"
            )
        );
    }
}
