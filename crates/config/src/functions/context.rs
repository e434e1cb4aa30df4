//! What a program or a service may want to know of a call besides its argument.

use std::fmt::Write;

use intermission::value::ExpandError;
use intermission::{HostCall, Resume, Value};
use serde_json::{Value as Json, json};

/// One thing to know: its name, such as `Run-Id`, and what it is.
pub(super) type Known = (&'static str, String);

/// Everything that there is to know of a call, in ASCII.
pub(super) fn of(call: &HostCall) -> Result<Vec<Known>, ExpandError> {
    let mut known = vec![
        ("Run-Id", call.run_id().to_string()),
        ("Invocation-Id", call.invocation_id().to_string()),
        ("Request-Id", call.request_id()),
        ("Request-Index", call.request_index().to_string()),
        ("Host-Function", ascii(call.host_function())),
        ("Idempotency-Key", call.idempotency_key()),
    ];
    if let Some(resume) = call.resume() {
        known.push(("Resume", ascii(&of_resume(resume)?.to_string())));
    }
    Ok(known)
}

/// The name of the environment variable: `INTERMISSION_RUN_ID`.
pub(super) fn variable(name: &str) -> String {
    format!("INTERMISSION_{}", name.to_ascii_uppercase().replace('-', "_"))
}

/// The name of the header: `Intermission-Run-Id`. That of the idempotency key is known without us.
pub(super) fn header(name: &str) -> String {
    if name == "Idempotency-Key" { name.to_owned() } else { format!("Intermission-{name}") }
}

fn of_resume(resume: &Resume) -> Result<Json, ExpandError> {
    let Resume { interruption_id, resolution, expired, payload, state } = resume;
    Ok(json!({
        "interruption_id": interruption_id.as_str(),
        "resolution": resolution.to_json()?,
        "payload": payload.to_json()?,
        "state": state.as_ref().map(Value::to_json).transpose()?,
        "expired": expired,
    }))
}

/// The text with everything that is not ASCII written as JSON's `\uXXXX`: headers carry nothing else safely.
fn ascii(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            ascii.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to memory cannot fail.
                let _ = write!(ascii, "\\u{unit:04x}");
            }
        }
    }
    ascii
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_ascii_is_written_as_json_does() {
        assert_eq!(ascii("\"é😀\""), "\"\\u00e9\\ud83d\\ude00\"");
        assert_eq!(serde_json::from_str::<String>(&ascii("\"é😀\"")).unwrap(), "é😀");
    }

    #[test]
    fn variables_and_headers_have_names_of_their_own() {
        assert_eq!(variable("Run-Id"), "INTERMISSION_RUN_ID");
        assert_eq!(header("Run-Id"), "Intermission-Run-Id");
        assert_eq!(header("Idempotency-Key"), "Idempotency-Key");
    }
}
