//! Why a run has no value.

use std::fmt;

use intermission_engine::{EngineError, Exhausted, Stop};
use intermission_source::SourceError;

use crate::{Diverged, ScriptError};

/// Why a run failed. Each variant has a stable code ([`RunError::code`]).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The text is no script.
    #[error("{0}")]
    Source(#[from] SourceError),
    /// The script threw, or rejected.
    #[error("{0}")]
    Script(#[from] Box<ScriptError>),
    /// A limit.
    #[error("{0}")]
    Exhausted(#[from] Exhausted),
    /// The script waits for what can never come: nothing is under way and no timer is set.
    #[error(
        "the script waits for something that can never happen: no host call is under way and no timer is set"
    )]
    Deadlock,
    /// The caller aborted the invocation.
    #[error("the run was aborted")]
    Aborted,
    /// It has no value yet: it asks, or waits. Given by [`into_value`](crate::RunResult::into_value) alone.
    #[error("the run was put away: {questions} of its questions are open")]
    Interrupted {
        /// How many questions are open.
        questions: usize,
    },
    /// It was cancelled.
    #[error("the run was cancelled")]
    Cancelled,
    /// The script does not do what its ledger says. Nothing was invoked.
    #[error("{0}")]
    Diverged(Box<Diverged>),
    /// A function that the run uses is no longer there.
    #[error(
        "the run uses the host function `{name}`, which is not lent any more: lend it again, then resume"
    )]
    FunctionMissing {
        /// Which.
        name: String,
    },
    /// A blocking host function, during which nothing can be put away, has interrupted.
    #[error(
        "the blocking host function `{name}` interrupted the run: only functions that the script awaits can"
    )]
    InterruptInSync {
        /// Which.
        name: String,
    },
    /// What happened could not be kept: by the [`LedgerSink`](crate::LedgerSink) while the run went on, or, when it had come to its result, by the
    /// [`Claims`](crate::Claims) or the [`Codec`](crate::codec::Codec) that a resume was begun with. It has happened all the same.
    #[error("what happened could not be kept: {0}")]
    Sink(String),
    /// In strict mode: the script ended without having waited for host calls.
    #[error(
        "the script ended without waiting for {}: await every call, or allow detached calls",
        list(calls)
    )]
    Detached {
        /// `function (line:column)` of each.
        calls: Vec<String>,
    },
    /// Every sandbox is in use, and so is every place in the queue.
    #[error("too many runs: {running} run and {queued} wait already; try again later, or allow more")]
    Busy {
        /// How many run.
        running: usize,
        /// How many wait.
        queued: usize,
    },
    /// The engine could not make a sandbox.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The guest trapped, or the host's code panicked under it: a fault, contained by the sandbox.
    #[error("the sandbox failed: {0}")]
    Trapped(String),
    /// The input cannot be sent to the script.
    #[error("the input cannot be sent: {0}")]
    Input(#[from] intermission_value::EncodeError),
}

impl RunError {
    /// The stable code: what a program decides by.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Source(error) => error.code(),
            Self::Script(_) => "SCRIPT_ERROR",
            Self::Exhausted(exhausted) => exhausted.limit.code(),
            Self::Deadlock => "DEADLOCK",
            Self::Aborted => "ABORTED",
            Self::Interrupted { .. } => "INTERRUPTED",
            Self::Cancelled => "CANCELLED",
            Self::Diverged(_) => intermission_ledger::Divergence::CODE,
            Self::FunctionMissing { .. } => "FUNCTION_MISSING",
            Self::InterruptInSync { .. } => "INTERRUPT_IN_SYNC",
            Self::Sink(_) => "LEDGER_NOT_KEPT",
            Self::Detached { .. } => "DETACHED_CALLS",
            Self::Busy { .. } => "BUSY",
            Self::Engine(_) => "ENGINE",
            Self::Trapped(_) => "SANDBOX_TRAPPED",
            Self::Input(_) => "INPUT_REFUSED",
        }
    }
}

impl From<Stop> for RunError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Exhausted(exhausted) => Self::Exhausted(exhausted),
            Stop::Trapped(reason) => Self::Trapped(reason),
            other => Self::Trapped(other.to_string()),
        }
    }
}

fn list(calls: &[String]) -> impl fmt::Display {
    calls.join(", ")
}
