//! Why an invocation stops before its script has ended.

use intermission_ledger::LedgerError;

use crate::RunError;

/// Why an invocation stops before its script has ended.
#[derive(Debug)]
pub(crate) enum Halt {
    /// It cannot go on.
    Failed(RunError),
    /// It asks, or a timer is due later than anybody would wait: it is put away.
    Paused,
    /// It was cancelled.
    Cancelled,
}

impl<E: Into<RunError>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl From<LedgerError> for RunError {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Diverged(divergence) => Self::Diverged(Box::new(crate::Diverged::new(*divergence))),
            LedgerError::Refused(why) => Self::Trapped(format!("the guest did what no guest does: {why}")),
        }
    }
}
