//! What runners on one engine share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use intermission_engine::Engine;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::RunError;
use crate::scripts::Scripts;
use crate::workers::Workers;

/// An engine, the threads that help it, the places in it, and the scripts that were prepared last.
pub(crate) struct Premises {
    pub(crate) engine: Engine,
    pub(crate) workers: Workers,
    pub(crate) scripts: Scripts,
    slots: Arc<Semaphore>,
    queued: AtomicUsize,
    most_queued: usize,
}

impl Premises {
    pub(crate) fn new(engine: Engine, most_queued: usize) -> Self {
        Self {
            slots: Arc::new(Semaphore::new(engine.slots())),
            engine,
            workers: Workers::default(),
            scripts: Scripts::default(),
            queued: AtomicUsize::new(0),
            most_queued,
        }
    }

    /// A place for one more run, if there is one and nobody waits for it.
    pub(crate) fn try_slot(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.slots).try_acquire_owned().ok()
    }

    /// A place for one more run, in the order of asking.
    pub(crate) async fn slot(&self) -> Result<OwnedSemaphorePermit, RunError> {
        let _place = Place::take(&self.queued, self.most_queued)
            .ok_or_else(|| RunError::Busy { running: self.engine.slots(), queued: self.most_queued })?;
        Ok(Arc::clone(&self.slots).acquire_owned().await.expect("the semaphore is never closed"))
    }
}

/// A place in the queue.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(queued: &'a AtomicUsize, most: usize) -> Option<Self> {
        let one_more = |queued| (queued < most).then_some(queued + 1);
        queued.fetch_update(Ordering::AcqRel, Ordering::Acquire, one_more).ok().map(|_| Self(queued))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
