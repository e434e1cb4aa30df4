//! Makes guests that compute for long stand still, so that others go on and whoever drives them can look at the clock.
//!
//! A guest is registered while it computes. At each tick the guests that were already there at the tick before are asked to pause. One that
//! has not paused for as many ticks as its driver has patience is stopped for good. Sandboxes that rest are counted the same ticks. The thread that ticks sleeps when nothing has run for a while.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::lane::Lane;
use crate::raw::StopFlag;

/// Ticks without anything to do after which the ticker sleeps.
const IDLE_TICKS: u32 = 50;

/// Tells the sandboxes of a process apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SandboxId(pub(crate) u64);

/// The guests of a lane that compute at this moment.
#[derive(Default)]
pub(crate) struct Running(Mutex<Vec<Computing>>);

struct Computing {
    sandbox: SandboxId,
    flag: StopFlag,
    /// Since it was entered.
    ticks: u32,
    /// How many of them it has; [`u32::MAX`]: as many as there are.
    patience: u32,
}

impl Computing {
    fn count(&mut self) {
        self.ticks = self.ticks.saturating_add(1);
        if self.ticks > self.patience {
            self.flag.stop();
        }
    }
}

/// A guest is computing, as long as this lives.
pub(crate) struct Entered<'a> {
    running: &'a Running,
    flag: StopFlag,
}

impl Running {
    /// Registers a guest that is about to be entered, and may compute for `patience` ticks without a pause.
    pub(crate) fn enter(&self, sandbox: SandboxId, flag: StopFlag, patience: u32) -> Entered<'_> {
        self.open().push(Computing { sandbox, flag, ticks: 0, patience });
        Entered { running: self, flag }
    }

    /// One tick. Whether anything runs.
    pub(crate) fn tick(&self) -> bool {
        let mut running = self.open();
        for computing in running.iter_mut() {
            computing.count();
            if computing.ticks > 1 {
                computing.flag.ask_to_pause();
            }
        }
        !running.is_empty()
    }

    /// A tick at which everybody pauses at once.
    pub(crate) fn raise(&self) {
        for computing in self.open().iter_mut() {
            computing.count();
            computing.flag.ask_to_pause();
        }
    }

    /// Stops a guest for good, if it computes.
    pub(crate) fn stop(&self, sandbox: SandboxId) {
        for computing in self.open().iter().filter(|computing| computing.sandbox == sandbox) {
            computing.flag.stop();
        }
    }

    fn open(&self) -> MutexGuard<'_, Vec<Computing>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entered<'_> {
    /// The guest has been left. Whether it was to stop.
    pub(crate) fn leave(self) -> bool {
        self.flag.stops()
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let mut running = self.running.open();
        running.retain(|computing| computing.flag != self.flag);
        // Raised too late to be seen: the next slice begins with a lowered flag. Most never were, and a write would cost a page.
        if self.flag.is_raised() {
            self.flag.lower();
        }
    }
}

/// The thread that ticks.
pub(crate) struct Ticker {
    shared: Arc<Shared>,
    tick: Duration,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    asleep: AtomicBool,
    over: Mutex<bool>,
    wake: Condvar,
}

impl Ticker {
    pub(crate) fn new(lanes: Arc<[Lane]>, tick: Duration) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            asleep: AtomicBool::new(false),
            over: Mutex::new(false),
            wake: Condvar::new(),
        });
        let thread = std::thread::Builder::new().name("intermission-tick".into()).spawn({
            let shared = Arc::clone(&shared);
            move || shared.tick_until_over(&lanes, tick)
        })?;
        Ok(Self { shared, tick, thread: Some(thread) })
    }

    /// How many ticks surely last for `span`.
    pub(crate) fn ticks_in(&self, span: Duration) -> u32 {
        let ticks = span.as_nanos().div_ceil(self.tick.as_nanos().max(1));
        u32::try_from(ticks).unwrap_or(u32::MAX)
    }

    /// A guest is about to compute.
    pub(crate) fn keep_awake(&self) {
        if self.shared.asleep.load(Ordering::SeqCst) {
            let _over = self.shared.over.lock().unwrap_or_else(PoisonError::into_inner);
            self.shared.asleep.store(false, Ordering::SeqCst);
            self.shared.wake.notify_one();
        }
    }
}

impl Shared {
    fn tick_until_over(&self, lanes: &[Lane], tick: Duration) {
        let mut idle = 0;
        let mut over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        while !*over {
            over = if idle < IDLE_TICKS {
                // To the end, whatever wakes it: patience is counted in whole ticks.
                let waited = self.wake.wait_timeout_while(over, tick, |over| !*over);
                waited.unwrap_or_else(PoisonError::into_inner).0
            } else {
                self.asleep.store(true, Ordering::SeqCst);
                // A guest that came in between saw no sleeper and woke nobody, and may have left again.
                if tick_all(lanes) {
                    self.asleep.store(false, Ordering::SeqCst);
                }
                let awake = |over: &mut bool| !*over && self.asleep.load(Ordering::SeqCst);
                self.wake.wait_while(over, awake).unwrap_or_else(PoisonError::into_inner)
            };
            idle = if tick_all(lanes) { 0 } else { idle + 1 };
        }
    }
}

/// One tick of everything. Whether there is anything that the next one is for.
fn tick_all(lanes: &[Lane]) -> bool {
    // Nobody who computes waits for those who rest.
    let runs = lanes.iter().fold(false, |any, lane| lane.running.tick() | any);
    lanes.iter().fold(runs, |any, lane| lane.resting.tick() | any)
}

impl Drop for Ticker {
    fn drop(&mut self) {
        *self.shared.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
