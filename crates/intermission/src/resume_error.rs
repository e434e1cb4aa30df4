//! Why a run is not gone on with. Nothing has run then, and nothing has changed.

use intermission_engine::Exhausted;
use intermission_ledger::{InterruptionId, RecordError};

use crate::codec::{CodecError, StoreError};

/// Why a resume is refused, before anything runs. The continuation stays good: the next correct resume works.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The continuation is none.
    #[error(transparent)]
    Ledger(#[from] RecordError),
    /// The run never asked this.
    #[error(
        "the run has no interruption {id}: it may belong to another run, or to a later state of this one"
    )]
    Unknown {
        /// What was answered.
        id: InterruptionId,
    },
    /// It was answered before, and the answer has been acted on.
    #[error("the interruption {id} has been answered already")]
    Stale {
        /// What was answered.
        id: InterruptionId,
    },
    /// It is answered twice.
    #[error("the interruption {id} is answered twice: give one answer")]
    Duplicate {
        /// What was answered.
        id: InterruptionId,
    },
    /// It cannot be answered so.
    #[error("the interruption {id} cannot be answered so: {why}")]
    Invalid {
        /// What was answered.
        id: InterruptionId,
        /// What is expected.
        why: String,
    },
    /// The answer was given to other arguments than the call has.
    #[error(
        "the answer to {id} was given to other arguments than the call has: look at the interruption again"
    )]
    ArgumentsDiffer {
        /// What was answered.
        id: InterruptionId,
    },
    /// The answer comes too late.
    #[error("the interruption {id} could be answered until {at} (milliseconds since 1970)")]
    Expired {
        /// What was answered.
        id: InterruptionId,
        /// Until when.
        at: u64,
    },
    /// A limit is below what the run has used already.
    #[error("{0}, by the invocations before: raise it, then resume")]
    LimitTooLow(Exhausted),
    /// A function with a call that is still open is no longer there.
    #[error(
        "a call of `{name}` is still open, and the function is not lent any more: lend it again, then resume"
    )]
    FunctionMissing {
        /// Which.
        name: String,
    },
    /// A function with a call that is still open has other schemas now: what was asked was asked of another function.
    #[error(
        "a call of `{name}` is still open, and the function's schemas have changed since: restore them, or start anew"
    )]
    FunctionChanged {
        /// Which.
        name: String,
    },
    /// The run cannot be retried.
    #[error("the run cannot be retried: it would be {why}")]
    NotRetryable {
        /// Why.
        why: &'static str,
    },
    /// The token could not be read.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// The claims failed.
    #[error("the claims failed: {0}")]
    Claims(#[from] StoreError),
    /// Other answers were first.
    #[error("other answers were first: {winner}")]
    Conflict {
        /// They.
        winner: String,
    },
    /// The run is over.
    #[error("the run is over: nothing is asked any more")]
    Over,
    /// The run was spoken to while it was under way, and is not any more: it is over, or was put away.
    #[error("the run is not under way any more: if it was put away, resume its continuation with the answer")]
    NotUnderWay,
}

impl ResumeError {
    /// The stable code: what a program decides by.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Ledger(error) => error.code(),
            Self::Unknown { .. } => "RESOLUTION_UNKNOWN",
            Self::Stale { .. } => "RESOLUTION_STALE",
            Self::Duplicate { .. } => "RESOLUTION_DUPLICATE",
            Self::Invalid { .. } => "RESOLUTION_INVALID",
            Self::ArgumentsDiffer { .. } => "RESOLUTION_ARGUMENTS_DIFFER",
            Self::Expired { .. } => "RESOLUTION_EXPIRED",
            Self::LimitTooLow(_) => "LIMIT_TOO_LOW",
            Self::FunctionMissing { .. } => "FUNCTION_MISSING",
            Self::FunctionChanged { .. } => "FUNCTION_CHANGED",
            Self::NotRetryable { .. } => "NOT_RETRYABLE",
            Self::Codec(error) => error.code(),
            Self::Claims(_) => "CLAIMS",
            Self::Conflict { .. } => "RESOLUTION_CONFLICT",
            Self::Over => "RUN_OVER",
            Self::NotUnderWay => "RUN_NOT_UNDER_WAY",
        }
    }
}
