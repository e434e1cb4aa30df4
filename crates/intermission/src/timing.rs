//! How much CPU time the run itself has used: what a replay uses to get there does not count.

use std::time::Duration;

use intermission_ledger::entry::Spent;

use crate::drive::Drive;

#[derive(Debug)]
pub(crate) struct Meter {
    /// What the run had used before this invocation.
    before: Duration,
    /// What its sandbox had used before.
    began_at: Duration,
    /// What this invocation had used when it reached the frontier.
    live_since: Option<Duration>,
}

impl Meter {
    pub(crate) fn new(before: Duration, began_at: Duration, live: bool) -> Self {
        Self { before, began_at, live_since: live.then_some(began_at) }
    }

    /// What this invocation has used, the sandbox having used `cpu`.
    pub(crate) fn used(&self, cpu: Duration) -> Duration {
        cpu.saturating_sub(self.began_at)
    }
}

impl Drive<'_> {
    /// From here on the CPU limit is the run's own: what it has used before, and what it uses now.
    pub(crate) fn meter_live_slices(&mut self) {
        if self.meter.live_since.is_none() {
            let used = self.sandbox.as_ref().map(|sandbox| sandbox.usage().cpu).unwrap_or_default();
            self.meter.live_since = Some(used);
            self.budget.leave_replay(used, self.meter.before);
        }
    }

    /// What the run has used, this invocation included.
    pub(crate) fn spent(&self) -> Spent {
        let usage = self.sandbox.as_ref().map(|sandbox| sandbox.usage()).unwrap_or_default();
        let live = usage.cpu.saturating_sub(self.meter.live_since.unwrap_or(usage.cpu));
        let cpu = (self.meter.before + live).as_micros();
        Spent { fuel: usage.fuel, cpu: u64::try_from(cpu).unwrap_or(u64::MAX), console: usage.console }
    }
}
