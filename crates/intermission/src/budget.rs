//! How long a run may take: the deadline, the CPU limit, the caller's patience.

use std::time::Duration;

use intermission_engine::{Event, Exhausted, Limit, Sandbox, Step, Stop};
use tokio::time::Instant;

use crate::abort::StopOnAbort;
use crate::{AbortSignal, Limits, RunError};

#[derive(Clone, Debug)]
pub(crate) struct Budget {
    pub(crate) started: Instant,
    deadline: Duration,
    /// The run's own limit, over all its invocations.
    cpu: Duration,
    ceiling: Ceiling,
    aborts: Vec<AbortSignal>,
}

/// How much this invocation may compute.
#[derive(Clone, Copy, Debug)]
enum Ceiling {
    /// While it only does again what it has done.
    Replay(Duration),
    /// Since the frontier: what it had used by then, and what the run had used before.
    Live { used: Duration, before: Duration },
}

impl Budget {
    /// Of a run that begins, or of one that is to be replayed and had used so much CPU time before.
    pub(crate) fn new(limits: &Limits, replayed: Option<Duration>, aborts: Vec<AbortSignal>) -> Self {
        let ceiling = match replayed {
            None => Ceiling::Live { used: Duration::ZERO, before: Duration::ZERO },
            Some(spent) => Ceiling::Replay(spent.saturating_mul(10).saturating_add(Duration::from_secs(1))),
        };
        Self { started: Instant::now(), deadline: limits.deadline, cpu: limits.cpu, ceiling, aborts }
    }

    /// The frontier is reached, the invocation having used `used` and the run `before`.
    pub(crate) fn leave_replay(&mut self, used: Duration, before: Duration) {
        self.ceiling = Ceiling::Live { used, before };
    }

    /// When the deadline is.
    pub(crate) fn ends_at(&self) -> Instant {
        after(self.started, self.deadline)
    }

    /// How long it is until then.
    pub(crate) fn left(&self) -> Duration {
        self.deadline.saturating_sub(self.started.elapsed())
    }

    /// Whether somebody has aborted.
    pub(crate) fn is_aborted(&self) -> bool {
        self.aborts.iter().any(AbortSignal::is_aborted)
    }

    /// Waits until somebody aborts, perhaps for ever.
    pub(crate) async fn aborted(&self) {
        match self.aborts.as_slice() {
            [] => std::future::pending().await,
            [one] => one.aborted().await,
            [one, other, ..] => {
                tokio::select! {
                    () = one.aborted() => {}
                    () = other.aborted() => {}
                }
            }
        }
    }

    /// Enters the guest. One that does not come back is stopped at the deadline, or when somebody aborts.
    pub(crate) fn advance(&self, sandbox: &mut Sandbox, event: Event) -> Result<Step, RunError> {
        self.bound(sandbox);
        self.advance_bounded(sandbox, event)
    }

    /// From now on a guest that does not come back is stopped at the deadline.
    pub(crate) fn bound(&self, sandbox: &mut Sandbox) {
        sandbox.stop_after_span(self.left());
    }

    /// Enters a guest that was [bound](Self::bound) a moment ago: no clock is read.
    pub(crate) fn advance_bounded(&self, sandbox: &mut Sandbox, event: Event) -> Result<Step, RunError> {
        sandbox.advance(event).map_err(|stop| match stop {
            Stop::Stopped => self.check(sandbox.usage().cpu).err().unwrap_or_else(|| self.overdue()),
            stop => stop.into(),
        })
    }

    /// From now on, until what this gives is dropped, an abort stops the guest where it computes.
    pub(crate) fn stop_on_abort(&self, sandbox: &Sandbox) -> Vec<StopOnAbort> {
        self.aborts.iter().map(|signal| signal.stops(sandbox.stopper())).collect()
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
        match self.ceiling {
            Ceiling::Replay(most) if cpu > most => Err(exhausted(Limit::Replay, most, cpu)),
            Ceiling::Live { used, before } if before + cpu.saturating_sub(used) > self.cpu => {
                Err(exhausted(Limit::Cpu, self.cpu, before + cpu.saturating_sub(used)))
            }
            _ => Ok(()),
        }
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
