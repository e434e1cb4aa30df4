//! What is refused before anything runs.

use std::fmt;

/// What the library refuses, or what cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Stable: `ENGINE`, `OPTIONS`, or one of the library's.
    pub code: String,
    /// For people.
    pub message: String,
}

impl Refusal {
    /// With a code.
    pub fn new(code: &str, error: &dyn fmt::Display) -> Self {
        Self { code: code.to_owned(), message: error.to_string() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
