//! The run's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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

/// A run's clock: never goes back, and is the same for the guest and for its timers.
#[derive(Clone)]
pub(crate) struct RunClock {
    source: Arc<dyn TimeSource>,
    last: Arc<AtomicU64>,
}

impl RunClock {
    pub(crate) fn new(source: Arc<dyn TimeSource>) -> Self {
        Self { source, last: Arc::default() }
    }

    /// The later of the last time and the source's.
    pub(crate) fn now(&self) -> u64 {
        let now = self.source.now();
        self.last.fetch_max(now, Ordering::Relaxed).max(now)
    }
}

impl intermission_engine::Clock for RunClock {
    fn now(&mut self) -> u64 {
        Self::now(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Back(AtomicU64);

    impl TimeSource for Back {
        fn now(&self) -> u64 {
            self.0.fetch_sub(10, Ordering::Relaxed)
        }
    }

    #[test]
    fn the_runs_clock_never_goes_back() {
        let clock = RunClock::new(Arc::new(Back(AtomicU64::new(100))));
        assert_eq!([clock.now(), clock.now(), clock.now()], [100, 100, 100]);
    }
}
