//! Makes guests that compute for long stand still, so that others go on and whoever drives them can look at the clock.
//!
//! A guest is registered while it computes. At each tick the guests that were already there at the tick before have their stop
//! flag raised. The thread that ticks sleeps when nothing has run for a while.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::lane::Lane;
use crate::raw::StopFlag;

/// Ticks without any guest after which the ticker sleeps.
const IDLE_TICKS: u32 = 50;

/// The guests of a lane that compute at this moment.
#[derive(Default)]
pub(crate) struct Running(Mutex<Vec<Computing>>);

struct Computing {
    flag: StopFlag,
    seen: bool,
}

/// A guest is computing, as long as this lives.
pub(crate) struct Entered<'a> {
    running: &'a Running,
    flag: StopFlag,
}

impl Running {
    /// Registers a guest that is about to be entered.
    pub(crate) fn enter(&self, flag: StopFlag) -> Entered<'_> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Computing { flag, seen: false });
        Entered { running: self, flag }
    }

    /// One tick. Whether anything runs.
    pub(crate) fn tick(&self) -> bool {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for computing in running.iter_mut() {
            if std::mem::replace(&mut computing.seen, true) {
                computing.flag.set(true);
            }
        }
        !running.is_empty()
    }

    /// Raises every flag at once.
    pub(crate) fn raise(&self) {
        for computing in self.0.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            computing.flag.set(true);
        }
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let mut running = self.running.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|computing| computing.flag != self.flag);
        // Raised too late to be seen: the next slice begins with a lowered flag. Most never were, and a write would cost a page.
        if self.flag.is_set() {
            self.flag.set(false);
        }
    }
}

/// The thread that ticks.
pub(crate) struct Ticker {
    shared: Arc<Shared>,
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
        Ok(Self { shared, thread: Some(thread) })
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
                self.wake.wait_timeout(over, tick).unwrap_or_else(PoisonError::into_inner).0
            } else {
                self.asleep.store(true, Ordering::SeqCst);
                // A guest that came in between saw no sleeper and woke nobody.
                if lanes.iter().any(|lane| lane.running.tick()) {
                    self.asleep.store(false, Ordering::SeqCst);
                }
                let awake = |over: &mut bool| !*over && self.asleep.load(Ordering::SeqCst);
                self.wake.wait_while(over, awake).unwrap_or_else(PoisonError::into_inner)
            };
            let running = lanes.iter().fold(false, |any, lane| lane.running.tick() | any);
            idle = if running { 0 } else { idle + 1 };
        }
    }
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
