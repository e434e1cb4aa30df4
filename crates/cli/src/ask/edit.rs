//! An argument, edited with the user's own editor.

use std::io::{self, Write};

use intermission::Value;

use crate::interruptions::of_value;

/// What came of it.
pub(super) enum Edited {
    /// There is no editor: neither `VISUAL` nor `EDITOR` is set.
    NoEditor,
    Value(Value),
    Unchanged,
    /// Why there is no value.
    Failed(String),
}

/// Lets somebody edit a value as JSON. What is no JSON is left in `draft`, to be gone on with.
pub(super) async fn edit(value: &Value, draft: &mut Option<String>) -> io::Result<Edited> {
    let Some(editor) = editor() else { return Ok(Edited::NoEditor) };
    let original = format!("{:#}\n", of_value(value));
    let mut file = tempfile::Builder::new().prefix("argument").suffix(".json").tempfile()?;
    file.write_all(draft.as_ref().unwrap_or(&original).as_bytes())?;
    // As others do: the editor may have arguments.
    let status = tokio::process::Command::new("sh")
        .args(["-c", &format!("{editor} \"$1\""), "sh"])
        .arg(file.path())
        .status()
        .await?;
    if !status.success() {
        return Ok(Edited::Failed(format!("The editor failed ({status}).")));
    }
    // An editor may have put another file in its place.
    let text = std::fs::read_to_string(file.path())?;
    if text == original {
        return Ok(Edited::Unchanged);
    }
    match serde_json::from_str(&text) {
        Ok(json) => Ok(Edited::Value(Value::from_json(json))),
        Err(error) => {
            *draft = Some(text);
            Ok(Edited::Failed(format!("That is not JSON: {error}. Edit it again, or choose otherwise.")))
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the user's editor is a matter of the environment")]
fn editor() -> Option<String> {
    let set = |name| std::env::var(name).ok().filter(|editor| !editor.trim().is_empty());
    set("VISUAL").or_else(|| set("EDITOR"))
}
