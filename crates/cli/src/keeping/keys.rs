//! The keys that continuations are sealed with.

use std::path::Path;

use intermission::codec::Keys;
use intermission_config::read_file;

use super::error::KeepError;
use crate::failure::Failure;

const VARIABLE: &str = "INTERMISSION_KEY";

/// Those of the environment, else those of the file, if there are any.
#[expect(
    clippy::disallowed_methods,
    reason = "a key is a secret: it comes by the environment, not as an argument"
)]
pub(super) fn load(key_file: Option<&Path>) -> Result<Option<Keys>, Failure> {
    let (from, text) = match (std::env::var_os(VARIABLE), key_file) {
        (Some(text), _) => (VARIABLE.to_owned(), text.to_string_lossy().into_owned()),
        (None, Some(path)) => {
            (path.display().to_string(), String::from_utf8_lossy(&read_file(path)?).into_owned())
        }
        (None, None) => return Ok(None),
    };
    let keys = Keys::parse(&text).map_err(|error| KeepError::Key { from, error })?;
    Ok(Some(keys))
}
