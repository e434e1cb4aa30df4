//! A sandbox and the place that it takes.

use std::ops::{Deref, DerefMut};

use intermission_engine::Sandbox;
use tokio::sync::OwnedSemaphorePermit;

/// The place is given back when the sandbox is gone, wherever that is: a run that is dropped may have its sandbox on a worker.
pub(crate) struct Seat {
    sandbox: Sandbox,
    _place: OwnedSemaphorePermit,
}

impl Seat {
    pub(crate) fn new(sandbox: Sandbox, place: OwnedSemaphorePermit) -> Self {
        Self { sandbox, _place: place }
    }
}

impl Deref for Seat {
    type Target = Sandbox;

    fn deref(&self) -> &Sandbox {
        &self.sandbox
    }
}

impl DerefMut for Seat {
    fn deref_mut(&mut self) -> &mut Sandbox {
        &mut self.sandbox
    }
}
