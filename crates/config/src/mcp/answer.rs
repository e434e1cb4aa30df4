//! What a tool answers, as a script gets it.

use intermission::{HostError, Value};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value as Json;

use crate::functions::answer::start_of;
use crate::secret_text::Secrets;

/// Structured content where there is some; else its text, where all of it is text; else its blocks as they are. Nothing that was `sent` along as a secret is in it.
///
/// # Errors
/// What the tool says is an error, with its text but for the `secrets` in it.
pub(super) fn value(
    function: &str,
    answer: CallToolResult,
    secrets: &Secrets,
    sent: &Secrets,
) -> Result<Value, HostError> {
    if answer.is_error == Some(true) {
        let text = text_of(&answer.content).filter(|text| !text.is_empty());
        let text = text.unwrap_or_else(|| match answer.structured_content {
            Some(content) => content.to_string(),
            None => "it failed and does not say why".to_owned(),
        });
        let text = start_of(secrets.hide_in(text).as_bytes());
        return Err(HostError::new(format!("{function}: {text}")).with_code("HOST_TOOL_ERROR"));
    }
    let mut json = match (answer.structured_content, text_of(&answer.content)) {
        (Some(content), _) => content,
        (None, Some(text)) => text.into(),
        (None, None) => {
            let blocks: Result<Vec<Json>, _> = answer.content.iter().map(serde_json::to_value).collect();
            Json::Array(blocks?)
        }
    };
    // What the script is told is in the ledger for ever.
    sent.hide_in_json(&mut json);
    Ok(Value::from_json(json))
}

/// The text of blocks that are all text, each beginning a line.
fn text_of(blocks: &[ContentBlock]) -> Option<String> {
    let texts: Option<Vec<&str>> =
        blocks.iter().map(|block| block.as_text().map(|text| text.text.as_str())).collect();
    texts.map(|texts| texts.join("\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(json: Json) -> Result<String, String> {
        let answer = serde_json::from_value(json).unwrap();
        let mut secrets = Secrets::default();
        secrets.add("s3cret".to_owned());
        let value = value("s.t", answer, &secrets, &secrets);
        value
            .map(|value| format!("{value:?}"))
            .map_err(|error| format!("{:?} {}", error.code(), error.message()))
    }

    #[test]
    fn structured_content_goes_before_text_and_text_before_blocks() {
        let text = json!([{ "type": "text", "text": "{\"n\":1}" }]);
        let both = json!({ "content": text, "structuredContent": { "n": 1 } });
        assert_eq!(answer(both), Ok("{n: 1}".to_owned()));
        assert_eq!(answer(json!({ "content": text })), Ok(r#""{\"n\":1}""#.to_owned()));
        let lines = json!({ "content": [{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }] });
        assert_eq!(answer(lines), Ok(r#""a\nb""#.to_owned()));
        assert_eq!(answer(json!({ "content": [] })), Ok(r#""""#.to_owned()));
        let told = json!({ "content": [{ "type": "text", "text": "it is s3cret" }] });
        assert_eq!(answer(told), Ok(r#""it is ***""#.to_owned()));
        let image = json!({ "content": [{ "type": "image", "data": "AA==", "mimeType": "image/png" }] });
        let blocks = r#"[{type: "image", data: "AA==", mimeType: "image/png"}]"#;
        assert_eq!(answer(image), Ok(blocks.to_owned()));
    }

    #[test]
    fn an_error_is_its_text_without_secrets() {
        let error = |text: &str| json!({ "isError": true, "content": [{ "type": "text", "text": text }] });
        let expected = r#"Some("HOST_TOOL_ERROR") s.t: no *** here"#;
        assert_eq!(answer(error("no s3cret here")), Err(expected.to_owned()));
        let silent = json!({ "isError": true, "content": [] });
        let expected = r#"Some("HOST_TOOL_ERROR") s.t: it failed and does not say why"#;
        assert_eq!(answer(silent), Err(expected.to_owned()));
    }
}
