//! What the exit code says.

use std::process::ExitCode;

use intermission::RunError;

/// Shown by `--help`.
pub(crate) const EXIT_CODES: &str = "Exit codes:
    0  completed; `check` and `doctor` found nothing wrong
    1  the script failed; `check` or `doctor` found something
    2  bad usage, configuration or input
    3  the source is no script
    4  a limit is exhausted
    5  the script waits for something that can never happen
    6  the script does not do what its ledger says
   70  a fault of Intermission itself
   75  put away: the run asks, or waits for long
  130  ended by Ctrl-C
  143  ended by SIGTERM";

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Completed = 0,
    Failed = 1,
    Usage = 2,
    NoScript = 3,
    Exhausted = 4,
    Deadlock = 5,
    Diverged = 6,
    Fault = 70,
    /// `EX_TEMPFAIL` of sysexits.h.
    PutAway = 75,
    Interrupted = 130,
    Terminated = 143,
}

impl Exit {
    /// That of a run without a value.
    pub(crate) fn of(error: &RunError) -> Self {
        match error {
            RunError::Source(_) => Self::NoScript,
            RunError::Script(_) | RunError::Detached { .. } | RunError::InterruptInSync { .. } => {
                Self::Failed
            }
            RunError::Diverged(_) => Self::Diverged,
            RunError::Exhausted(_) => Self::Exhausted,
            RunError::Deadlock => Self::Deadlock,
            RunError::Aborted => Self::Interrupted,
            RunError::Input(_)
            | RunError::FunctionMissing { .. }
            | RunError::Engine(intermission::EngineError::Limit { .. }) => Self::Usage,
            _ => Self::Fault,
        }
    }

    /// That of a run whose failure is known by its code alone.
    pub(crate) fn of_code(code: &str) -> Self {
        match code {
            "SCRIPT_ERROR" | "DETACHED_CALLS" | "INTERRUPT_IN_SYNC" => Self::Failed,
            "DEADLOCK" => Self::Deadlock,
            "DIVERGED" => Self::Diverged,
            "LIMIT_TOO_LOW" => Self::Usage,
            code if code.starts_with("LIMIT_") => Self::Exhausted,
            code if code.starts_with("FUNCTION_") || code.starts_with("RESOLUTION_") => Self::Usage,
            _ => Self::Fault,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
