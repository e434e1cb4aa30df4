//! A divergence, with its place in the source.

use std::fmt;

use intermission_engine::Position;
use intermission_ledger::Divergence;

/// The script does not do what its ledger says.
#[derive(Clone, Debug, PartialEq)]
pub struct Diverged {
    /// What was recorded and what was attempted.
    pub divergence: Divergence,
    /// The script or module that makes the call, where it is one.
    pub file: Option<String>,
    /// Where in it.
    pub position: Option<Position>,
}

impl Diverged {
    pub(crate) fn new(divergence: Divergence) -> Self {
        Self { divergence, file: None, position: None }
    }
}

impl fmt::Display for Diverged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.position) {
            (Some(file), Some(Position { line, column })) => {
                write!(f, "{file}:{line}:{column}: {}", self.divergence)
            }
            _ => self.divergence.fmt(f),
        }
    }
}

impl std::error::Error for Diverged {}
