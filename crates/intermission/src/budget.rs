//! How long a run may take: the deadline, the CPU limit, the caller's patience.

use std::time::Duration;

use intermission_engine::{Exhausted, Limit};
use tokio::time::Instant;

use crate::{AbortSignal, Limits, RunError};

#[derive(Clone, Debug)]
pub(crate) struct Budget {
    pub(crate) started: Instant,
    deadline: Duration,
    cpu: Duration,
    caller: Option<AbortSignal>,
}

impl Budget {
    pub(crate) fn new(limits: &Limits, caller: Option<AbortSignal>) -> Self {
        Self { started: Instant::now(), deadline: limits.deadline, cpu: limits.cpu, caller }
    }

    /// When the deadline is.
    pub(crate) fn ends_at(&self) -> Instant {
        after(self.started, self.deadline)
    }

    /// Whether the caller has aborted.
    pub(crate) fn is_aborted(&self) -> bool {
        self.caller.as_ref().is_some_and(AbortSignal::is_aborted)
    }

    /// Waits until the caller aborts, perhaps for ever.
    pub(crate) async fn aborted(&self) {
        match &self.caller {
            Some(signal) => signal.aborted().await,
            None => std::future::pending().await,
        }
    }

    /// Whether a run that has computed for `cpu` may go on.
    pub(crate) fn check(&self, cpu: Duration) -> Result<(), RunError> {
        if self.is_aborted() {
            return Err(RunError::Aborted);
        }
        self.check_cpu(cpu)?;
        let elapsed = self.started.elapsed();
        if elapsed > self.deadline {
            return Err(exhausted(Limit::Deadline, self.deadline, elapsed));
        }
        Ok(())
    }

    /// Whether that was more computing than allowed.
    pub(crate) fn check_cpu(&self, cpu: Duration) -> Result<(), RunError> {
        if cpu > self.cpu { Err(exhausted(Limit::Cpu, self.cpu, cpu)) } else { Ok(()) }
    }

    /// The deadline has passed.
    pub(crate) fn overdue(&self) -> RunError {
        exhausted(Limit::Deadline, self.deadline, self.started.elapsed())
    }
}

/// `start` and `span`; a span that no clock can hold is for ever.
pub(crate) fn after(start: Instant, span: Duration) -> Instant {
    const FOR_EVER: Duration = Duration::from_hours(30 * 365 * 24);
    start.checked_add(span).unwrap_or(start + FOR_EVER)
}

fn exhausted(limit: Limit, allowed: Duration, used: Duration) -> RunError {
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Exhausted { limit, allowed: ms(allowed), used: ms(used) }.into()
}
