//! What comes of a run.

use std::time::Duration;

use intermission_engine::{ConsoleEntry, Position};
use intermission_value::Value;

use crate::{Continuation, Interruption, InvocationId, RunError, RunId, ScriptError};

/// How a run ended. Nothing that it said on the way is lost, however it ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunResult {
    /// It has a value.
    Completed {
        /// What the script returned.
        value: Value,
        /// Its ledger, to be looked at, replayed or forked.
        continuation: Continuation,
        /// What there is to say of the run.
        report: Report,
    },
    /// It asks somebody, or waits for longer than its deadline: it was put away.
    Interrupted {
        /// What it asks, in order of the calls. Empty where it waits for a timer only.
        interruptions: Vec<Interruption>,
        /// What is needed to go on: [`Runner::resume`](crate::Runner::resume).
        continuation: Continuation,
        /// When it is worth going on without any answer, in milliseconds since 1970: a timer is due then, or a question expires.
        wake_at: Option<u64>,
        /// What there is to say of the run so far.
        report: Report,
    },
    /// It was cancelled: it can never go on.
    Cancelled {
        /// Its ledger, to be looked at.
        continuation: Continuation,
        /// What there is to say of the run.
        report: Report,
    },
    /// It has none.
    Failed {
        /// Why.
        error: RunError,
        /// What happened so far, to go on from: [`Runner::resume`](crate::Runner::resume) with [`retry`](crate::ResumeInput::retry), where the script's
        /// own error ended it. Absent where nothing happened.
        continuation: Option<Continuation>,
        /// What there is to say of the run.
        report: Report,
    },
}

/// What there is to say of a run besides its value.
#[derive(Debug)]
pub struct Report {
    /// The run.
    pub run_id: RunId,
    /// This pass over its source.
    pub invocation_id: InvocationId,
    /// The final state of the global `data`; absent where the run was stopped, or where it cannot be sent.
    pub data: Option<Value>,
    /// Why `data` cannot be sent, where that is so.
    pub data_error: Option<ScriptError>,
    /// Everything that came on the console, in order.
    pub console: Vec<ConsoleEntry>,
    /// How many of them an earlier invocation has said already.
    pub replayed: usize,
    /// Host calls that the script had not waited for when it ended.
    pub detached: Vec<DetachedCall>,
    /// What was asked and never answered, because the run ended without it.
    pub abandoned: Vec<Interruption>,
    /// Rejections that nothing in the script handled.
    pub unhandled: Vec<ScriptError>,
    /// What the run used.
    pub stats: Stats,
}

/// A host call that was under way when its script ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetachedCall {
    /// Its number.
    pub request_index: u32,
    /// Which function.
    pub host_function: String,
    /// The script or module that calls.
    pub file: Option<String>,
    /// Where in it.
    pub position: Option<Position>,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a detached call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was awaited, and finished.
    Fulfilled,
    /// It was awaited, and failed.
    Rejected,
    /// It had not finished in time: it was told to abort.
    Aborted,
    /// Nobody knows: the process that made it died.
    Unknown,
    /// It was not even made: in strict mode, when the script had ended before.
    Refused,
}

/// What a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// CPU time of the script.
    pub cpu: Duration,
    /// Wall-clock time, from the start to the result.
    pub wall: Duration,
    /// Wall-clock time in which the script waited for host calls and timers.
    pub waited: Duration,
    /// Backward jumps and calls of the script: the same number on every machine. Of a run that was stopped: up to the last slice that it
    /// finished.
    pub fuel: u64,
    /// The most linear memory that it had, in bytes.
    pub memory: u64,
    /// Host calls and module requests.
    pub calls: u32,
    /// Whether it went on in the sandbox in which it had paused: nothing was replayed.
    pub in_place: bool,
}

impl RunResult {
    /// The value, or why there is none.
    ///
    /// # Errors
    /// The error of a run that failed; [`RunError::Interrupted`] of one that was put away, [`RunError::Cancelled`] of one that was cancelled.
    pub fn into_value(self) -> Result<Value, RunError> {
        match self {
            Self::Completed { value, .. } => Ok(value),
            Self::Failed { error, .. } => Err(error),
            Self::Interrupted { interruptions, .. } => {
                Err(RunError::Interrupted { questions: interruptions.len() })
            }
            Self::Cancelled { .. } => Err(RunError::Cancelled),
        }
    }

    /// The same run, but it failed after all.
    pub(crate) fn failed(self, error: RunError) -> Self {
        match self {
            Self::Completed { continuation, report, .. }
            | Self::Interrupted { continuation, report, .. }
            | Self::Cancelled { continuation, report } => {
                Self::Failed { error, continuation: Some(continuation), report }
            }
            failed @ Self::Failed { .. } => failed,
        }
    }

    /// What is needed to go on, or to look at what happened. Absent where nothing happened.
    pub fn continuation(&self) -> Option<&Continuation> {
        match self {
            Self::Completed { continuation, .. }
            | Self::Interrupted { continuation, .. }
            | Self::Cancelled { continuation, .. } => Some(continuation),
            Self::Failed { continuation, .. } => continuation.as_ref(),
        }
    }

    /// What it asks; nothing where it does not.
    pub fn interruptions(&self) -> &[Interruption] {
        match self {
            Self::Interrupted { interruptions, .. } => interruptions,
            _ => &[],
        }
    }

    /// What there is to say of the run.
    pub fn report(&self) -> &Report {
        match self {
            Self::Completed { report, .. }
            | Self::Interrupted { report, .. }
            | Self::Cancelled { report, .. }
            | Self::Failed { report, .. } => report,
        }
    }

    /// Why it failed, if it did.
    pub fn error(&self) -> Option<&RunError> {
        match self {
            Self::Failed { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// `function (line:column)`.
impl std::fmt::Display for DetachedCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.host_function)?;
        match self.position {
            Some(Position { line, column }) => write!(f, " ({line}:{column})"),
            None => Ok(()),
        }
    }
}
