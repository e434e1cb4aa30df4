//! How long it is since the clock was looked at.

use std::time::Duration;

use tokio::time::Instant;

/// A script whose calls are all answered at once never waits: now and then the clock is looked at, and others go first.
#[derive(Debug)]
pub(crate) struct Pace {
    at: Instant,
    /// What the guest had computed until then.
    cpu: Duration,
}

const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(1);

impl Pace {
    pub(crate) fn new(at: Instant) -> Self {
        Self { at, cpu: Duration::ZERO }
    }

    /// Whether to look again, the guest having computed for `cpu` by now. While it `replays`, time passes in the guest alone, and no clock has to be read for this.
    pub(crate) fn is_due(&self, cpu: Duration, replays: bool) -> bool {
        let since = if replays { cpu.saturating_sub(self.cpu) } else { self.at.elapsed() };
        since > LOOK_AGAIN_AFTER
    }

    pub(crate) fn look(&mut self, cpu: Duration) {
        *self = Self { at: Instant::now(), cpu };
    }
}
