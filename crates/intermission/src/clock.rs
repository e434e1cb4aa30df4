//! The run's clock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use intermission_ledger::{Faults, GuestClock, Ledger, Mark, SliceReads};

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

/// What tells a runner the time.
#[derive(Clone)]
pub(crate) enum Time {
    System,
    Given(Arc<dyn TimeSource>),
}

impl Time {
    pub(crate) fn now(&self) -> u64 {
        match self {
            Self::System => SystemTimeSource.now(),
            Self::Given(source) => source.now(),
        }
    }
}

/// Equal where they surely tell the same.
impl PartialEq for Time {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::System, Self::System) => true,
            (Self::Given(one), Self::Given(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

/// A run's clock: the guest's, which a replay reads as before, and the host's, for timers and outcomes. Neither goes back.
#[derive(Clone)]
pub(crate) struct RunClock(Arc<Inner>);

struct Inner {
    source: Time,
    last: AtomicU64,
    guest: Mutex<GuestClock>,
}

impl RunClock {
    /// A clock whose guest stands where the ledger does.
    pub(crate) fn new(source: Time, ledger: &Ledger, faults: Faults) -> Self {
        let each = ledger.record().started().record_reads;
        Self::of(source, GuestClock::new(ledger.clock()).marking_each(each).with_faults(faults))
    }

    fn of(source: Time, guest: GuestClock) -> Self {
        Self(Arc::new(Inner { source, last: AtomicU64::new(0), guest: Mutex::new(guest) }))
    }

    /// The host's time: the later of the last and the source's.
    pub(crate) fn now(&self) -> u64 {
        let now = self.0.source.now();
        self.0.last.fetch_max(now, Ordering::Relaxed).max(now)
    }

    /// Whether it has its time from there.
    pub(crate) fn is_of(&self, time: &Time) -> bool {
        self.0.source == *time
    }

    /// Another invocation begins: it knows nothing of the host's time in the one before, which may have been on another machine.
    pub(crate) fn begin_again(&self) {
        self.0.last.store(0, Ordering::Relaxed);
    }

    /// The guest enters a slice, or goes on in one.
    pub(crate) fn enter(&self, value: u64, reads: SliceReads) {
        self.guest().enter(value, reads);
    }

    /// The reads of the slice that gave another value than the one before.
    pub(crate) fn take_marks(&self) -> Vec<Mark> {
        self.guest().take_marks()
    }

    fn guest(&self) -> MutexGuard<'_, GuestClock> {
        self.0.guest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl intermission_engine::Clock for RunClock {
    fn now(&mut self, requests: usize) -> u64 {
        self.guest().read(requests, || Self::now(self))
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
        let clock = RunClock::of(Time::Given(Arc::new(Back(AtomicU64::new(100)))), GuestClock::new(0));
        assert_eq!([clock.now(), clock.now(), clock.now()], [100, 100, 100]);
    }
}
