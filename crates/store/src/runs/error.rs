//! Why something could not be done with a run.

use intermission::ledger::{LedgerError, RecordError};
use intermission::value::EncodeError;
use intermission::{ResumeError, RunError, RunId, Value};

use crate::StoreError;
use crate::answer::Given;

/// Why something could not be done with a run. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunsError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such run.
    #[error("there is no run {run_id} in this store")]
    NoRun {
        /// Which.
        run_id: RunId,
    },
    /// It is not over.
    #[error("the run {run_id} is not over: cancel it, then delete it")]
    NotOver {
        /// Which.
        run_id: RunId,
    },
    /// Another answer was first.
    #[error("another answer was first: {}", winner.text())]
    Conflict {
        /// It.
        winner: Box<Given>,
    },
    /// Another event of this key was first.
    #[error("another event `{key}` was first: {winner:?}")]
    Emitted {
        /// The key.
        key: String,
        /// Its value.
        winner: Box<Value>,
    },
    /// It is refused, as a resume would be.
    #[error(transparent)]
    Refused(#[from] ResumeError),
    /// The run cannot begin.
    #[error(transparent)]
    Begin(#[from] RunError),
    /// What is kept is no ledger.
    #[error(transparent)]
    Ledger(#[from] RecordError),
    /// The ledger cannot be forked there.
    #[error(transparent)]
    Fork(#[from] LedgerError),
    /// The value cannot be sent.
    #[error(transparent)]
    Value(#[from] EncodeError),
}

impl RunsError {
    /// The stable code: what a program decides by.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => error.code(),
            Self::NoRun { .. } => "RUN_UNKNOWN",
            Self::NotOver { .. } => "RUN_NOT_OVER",
            Self::Conflict { .. } => "RESOLUTION_CONFLICT",
            Self::Emitted { .. } => "EVENT_CONFLICT",
            Self::Refused(error) => error.code(),
            Self::Begin(error) => error.code(),
            Self::Ledger(error) => error.code(),
            Self::Fork(error) => error.code(),
            Self::Value(_) => "INPUT_REFUSED",
        }
    }
}
