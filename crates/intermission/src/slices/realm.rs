//! What a script finds in its realm, and where the time and the randomness come from that it reads there.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::clock::Time;

/// Which realm a script has.
#[derive(Clone, Copy, Debug)]
pub enum SlicesRealm<'a> {
    /// Nothing of the language can be changed by the script, and there is neither `input` nor `data`. Whatever it reads depends on nothing but what is given here.
    Locked {
        /// Of `Math.random`.
        seed: [u8; 32],
        /// What the first look at the clock gives; each look gives a millisecond more.
        time: u64,
    },
    /// ECMAScript, `console` and the global `data`; function bodies only. Each read is known to the driver, and can be the same in a replay. Reads count as about 400 bytes each of the limit
    /// [`ledger`](crate::Limits::ledger), and not as calls.
    Bare {
        /// The encoded `data`.
        data: &'a [u8],
        /// What the first reads of the clock give, in milliseconds since 1970. Those behind them give the runner's time, which never goes back; all are in
        /// [`Slices::take_reads`](super::Slices::take_reads). `Math.random` is asked for: [`Slice::Draws`](super::Slice::Draws).
        clock: &'a [u64],
    },
}

/// A read of the clock, in the [bare](SlicesRealm::Bare) realm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceRead {
    /// How many calls, draws and requests for modules were made before it.
    pub after: u32,
    /// What it gave, in milliseconds since 1970.
    pub time: u64,
}

/// What a driver's record takes of a read, about: a small object, and its slot.
pub(super) const READ_BYTES: u64 = 400;

/// Lends `Math.random` from the host function [`DRAW`], which no script sees.
pub(super) const DRAWN_RANDOM: &str = "((draw, math) => { delete globalThis['#draw']; math.random = { random() { return draw() } }.random })(globalThis['#draw'], Math)";
pub(super) const DRAW: &str = "#draw";

/// The clock of a realm.
pub(super) enum SlicesClock {
    Stepping(SteppingClock),
    Told(ToldClock),
}

/// Every look gives a millisecond more than the one before: what is read depends on nothing but the script.
#[derive(Clone)]
pub(super) struct SteppingClock(Arc<AtomicU64>);

impl SteppingClock {
    pub(super) fn new(first: u64) -> Self {
        Self(Arc::new(AtomicU64::new(first)))
    }

    pub(super) fn not_before(&self, time: u64) {
        self.0.fetch_max(time, Ordering::Relaxed);
    }
}

impl intermission_engine::Clock for SteppingClock {
    fn now(&mut self, _requests: usize) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// First what was recorded, then the time. Every read is kept for the driver.
#[derive(Clone)]
pub(super) struct ToldClock(Arc<Mutex<Told>>);

struct Told {
    source: Time,
    recorded: VecDeque<u64>,
    last: u64,
    /// The realm itself looks once while it is made: that is no read of the script's.
    is_made: bool,
    /// Calls before this slice.
    calls: u32,
    reads: Vec<SliceRead>,
}

impl ToldClock {
    pub(super) fn new(source: Time, recorded: &[u64]) -> Self {
        let recorded = recorded.iter().copied().collect();
        Self(Arc::new(Mutex::new(Told {
            source,
            recorded,
            last: 0,
            is_made: false,
            calls: 0,
            reads: Vec::new(),
        })))
    }

    /// A slice begins, behind so many calls.
    pub(super) fn enter(&self, calls: u32) {
        self.told().calls = calls;
    }

    pub(super) fn take_reads(&self) -> Vec<SliceRead> {
        std::mem::take(&mut self.told().reads)
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl intermission_engine::Clock for ToldClock {
    fn now(&mut self, requests: usize) -> u64 {
        let mut told = self.told();
        if !told.is_made {
            told.is_made = true;
            return told.recorded.front().copied().unwrap_or_else(|| told.source.now());
        }
        told.last = match told.recorded.pop_front() {
            Some(time) => time,
            None => told.source.now().max(told.last),
        };
        let read = SliceRead { after: told.calls + requests as u32, time: told.last };
        told.reads.push(read);
        told.last
    }
}
