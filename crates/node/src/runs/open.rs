//! What there is of runs between their opening and their end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use intermission_store::Runs;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::liveness::Liveness;

/// Shared by JavaScript's thread and whatever is under way.
#[derive(Clone, Default)]
pub(super) struct Open(Arc<Mutex<State>>);

pub(super) struct State {
    /// The runs, once they are opened and until they are closed.
    pub(super) opened: Option<(Runs, Liveness)>,
    /// Operations, by their numbers.
    pub(super) under_way: BTreeMap<u32, AbortHandle>,
    /// Whatever is awaited before runs are closed listens to it. Gone once nothing can be begun any more.
    pub(super) acts: Option<watch::Sender<()>>,
}

/// Whether an operation is awaited before runs are closed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    Awaited,
    Left,
}

impl Open {
    pub(super) fn get(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets go of everything.
    pub(super) fn close(&self) {
        let state = std::mem::replace(&mut *self.get(), State { acts: None, ..State::default() });
        drop(state);
    }
}

impl Default for State {
    fn default() -> Self {
        Self { opened: None, under_way: BTreeMap::new(), acts: Some(watch::Sender::new(())) }
    }
}
