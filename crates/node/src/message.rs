//! Messages in and out: one canonical value each.

use intermission::value::decode;
use intermission::{HostError, Value};
use intermission_driver::Refusal;
use serde::de::DeserializeOwned;

pub(crate) use intermission_driver::{maybe, nested, nested_list, write};

/// A message that JavaScript wrote.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> napi::Result<T, String> {
    intermission_driver::read(bytes).map_err(refused)
}

/// A value that JavaScript wrote.
pub(crate) fn read_value(bytes: &[u8]) -> Result<Value, HostError> {
    decode(bytes, usize::MAX).map_err(HostError::from)
}

/// What the library refuses, with its code.
pub(crate) fn coded(code: &str, error: &dyn std::fmt::Display) -> napi::Error<String> {
    napi::Error::new(code.to_owned(), error.to_string())
}

/// The same, as it comes.
#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
pub(crate) fn refused(refusal: Refusal) -> napi::Error<String> {
    coded(&refusal.code, &refusal)
}
