//! What runners on one engine share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use intermission_engine::Engine;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::RunError;
use crate::scripts::Scripts;
use crate::snapshots::{Snapshot, Snapshots};
use crate::workers::Workers;

/// An engine, the threads that help it, the places in it, the scripts that were prepared last, and the sandboxes of runs that paused.
pub(crate) struct Premises {
    pub(crate) engine: Engine,
    pub(crate) workers: Workers,
    pub(crate) scripts: Scripts,
    pub(crate) snapshots: Snapshots,
    slots: Arc<Semaphore>,
    queued: AtomicUsize,
    most_queued: usize,
}

impl Premises {
    pub(crate) fn new(engine: Engine, most_queued: usize, snapshots: u64) -> Self {
        Self {
            slots: Arc::new(Semaphore::new(engine.slots())),
            engine,
            workers: Workers::default(),
            scripts: Scripts::default(),
            snapshots: Snapshots::new(snapshots),
            queued: AtomicUsize::new(0),
            most_queued,
        }
    }

    /// A place for one more run, if there is one that no run is in. A snapshot makes room.
    pub(crate) fn try_slot(&self) -> Option<OwnedSemaphorePermit> {
        loop {
            match Arc::clone(&self.slots).try_acquire_owned() {
                Ok(place) => return Some(place),
                Err(_) if self.snapshots.give_up_one() => {}
                Err(_) => return None,
            }
        }
    }

    /// A place for one more run, in the order of asking.
    pub(crate) async fn slot(&self) -> Result<OwnedSemaphorePermit, RunError> {
        let _place = Place::take(&self.queued, self.most_queued)
            .ok_or_else(|| RunError::Busy { running: self.engine.slots(), queued: self.most_queued })?;
        // One that was kept meanwhile: from now on whoever keeps one sees that a place is wanted.
        self.snapshots.give_up_one();
        Ok(Arc::clone(&self.slots).acquire_owned().await.expect("the semaphore is never closed"))
    }

    /// Keeps a paused run's sandbox, unless its place is wanted.
    pub(crate) fn keep_snapshot(&self, snapshot: Snapshot) {
        self.snapshots.keep(snapshot);
        if self.queued.load(Ordering::Acquire) > 0 {
            self.snapshots.give_up_one();
        }
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
