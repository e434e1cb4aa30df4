//! Values given on the command line: JSON, a file of it, the standard input.

use std::path::Path;

use intermission::Value;
use intermission_config::read_file;

use crate::failure::Failure;
use crate::script::read_standard_input;

/// The value of an option; `undefined` where it is not given.
pub(crate) fn value(option: &str, given: Option<&str>) -> Result<Value, Failure> {
    let Some(given) = given else { return Ok(Value::Undefined) };
    let (what, bytes) = match given.strip_prefix('@') {
        None => (format!("the value of {option}"), given.as_bytes().to_vec()),
        Some("-") => ("the standard input".to_owned(), read_standard_input()?),
        Some(path) => (path.to_owned(), read_file(Path::new(path))?),
    };
    match serde_json::from_slice(&bytes) {
        Ok(json) => Ok(Value::from_json(json)),
        Err(error) => Err(Failure::NotJson { what, error }),
    }
}

/// Whether the standard input is asked for by an argument.
pub(crate) fn is_standard_input(given: Option<&str>) -> bool {
    given == Some("@-")
}

/// That at most one argument asks for the standard input.
///
/// # Errors
/// [`Failure::InputTwice`].
pub(crate) fn refuse_standard_input_twice(asks: impl IntoIterator<Item = bool>) -> Result<(), Failure> {
    if asks.into_iter().filter(|asks| *asks).count() > 1 { Err(Failure::InputTwice) } else { Ok(()) }
}
