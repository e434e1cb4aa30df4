//! How long a guest computes.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// The thread's CPU clock costs a system call, a tenth of a small run. The beginning of a slice is measured by the wall, which is off only
/// where the thread loses its core in between; what goes on after a guest stood still is measured exactly.
pub(crate) enum Meter {
    Beginning(Instant),
    GoingOn(Duration),
}

/// A guest that has computed for longer has mostly stood still: more than this of the wall was not the guest's.
const LONGEST_BEGINNING: Duration = Duration::from_millis(20);

impl Meter {
    #[expect(clippy::disallowed_methods, reason = "the meter is not what the guest sees")]
    pub(crate) fn start(going_on: bool) -> Self {
        if going_on { Self::GoingOn(thread_cpu()) } else { Self::Beginning(Instant::now()) }
    }

    pub(crate) fn read(self) -> Duration {
        match self {
            Self::Beginning(since) => since.elapsed().min(LONGEST_BEGINNING),
            Self::GoingOn(before) => thread_cpu().saturating_sub(before),
        }
    }
}

fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
