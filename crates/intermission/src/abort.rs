//! Telling what is under way that it is no longer wanted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use intermission_engine::Stopper;
use tokio::sync::Notify;

/// Aborts an invocation. Clones abort the same one.
///
/// ```
/// use intermission::AbortController;
///
/// let controller = AbortController::new();
/// let signal = controller.signal();
/// controller.abort();
/// assert!(signal.is_aborted());
/// ```
#[derive(Clone, Debug, Default)]
pub struct AbortController(AbortSignal);

/// Says whether an invocation was aborted, and waits for it.
#[derive(Clone, Debug, Default)]
pub struct AbortSignal(Arc<Aborted>);

#[derive(Debug, Default)]
struct Aborted {
    flag: AtomicBool,
    waiting: Notify,
    /// Of the guests that an abort stops where they compute.
    stoppers: Mutex<Vec<Stopper>>,
}

impl Aborted {
    fn stoppers(&self) -> MutexGuard<'_, Vec<Stopper>> {
        self.stoppers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AbortController {
    /// Not aborted yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The signal to hand out.
    pub fn signal(&self) -> AbortSignal {
        self.0.clone()
    }

    /// Aborts. Again: nothing.
    pub fn abort(&self) {
        self.0.0.flag.store(true, Ordering::SeqCst);
        self.0.0.waiting.notify_waiters();
        self.0.0.stoppers().iter().for_each(Stopper::stop);
    }
}

impl AbortSignal {
    /// Whether it was aborted.
    pub fn is_aborted(&self) -> bool {
        self.0.flag.load(Ordering::SeqCst)
    }

    /// Waits until it is aborted, perhaps for ever.
    pub async fn aborted(&self) {
        let notified = self.0.waiting.notified();
        if !self.is_aborted() {
            notified.await;
        }
    }
}

impl AbortSignal {
    /// Has an abort stop a guest, until what this gives is dropped.
    pub(crate) fn stops(&self, stopper: Stopper) -> StopOnAbort {
        self.0.stoppers().push(stopper.clone());
        StopOnAbort { signal: self.clone(), stopper }
    }
}

/// An abort stops a guest, as long as this lives.
pub(crate) struct StopOnAbort {
    signal: AbortSignal,
    stopper: Stopper,
}

impl Drop for StopOnAbort {
    fn drop(&mut self) {
        self.signal.0.stoppers().retain(|stopper| *stopper != self.stopper);
    }
}

/// Aborts when dropped: what a run has under way must not go on for nobody, however the run ends.
#[derive(Debug, Default)]
pub(crate) struct AbortOnDrop(pub(crate) AbortController);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
