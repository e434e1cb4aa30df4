//! The run's clock.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Tells the time to runs: whole milliseconds since 1970.
pub trait TimeSource: Send + Sync {
    /// Now.
    fn now(&self) -> u64;
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemTimeSource;

impl TimeSource for SystemTimeSource {
    #[expect(clippy::disallowed_methods, reason = "this is where a live run's time comes from")]
    fn now(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
    }
}

/// A time source that never goes back: the guest reads max(last value, host time).
pub(crate) struct RunClock {
    source: Arc<dyn TimeSource>,
    last: u64,
}

impl RunClock {
    pub(crate) fn new(source: Arc<dyn TimeSource>) -> Self {
        Self { source, last: 0 }
    }
}

impl intermission_engine::Clock for RunClock {
    fn now(&mut self) -> u64 {
        self.last = self.last.max(self.source.now());
        self.last
    }
}
