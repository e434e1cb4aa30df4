//! Stopping a guest from another thread.

use std::sync::Arc;

use crate::lane::Lane;
use crate::ticker::SandboxId;

/// Stops what a sandbox computes, from any thread. Clones stop the same sandbox.
///
/// ```
/// use intermission_engine::{Engine, EngineConfig, Event, FixedClock, Start, Stop};
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// let engine = Engine::new(EngineConfig { tick: None, ..EngineConfig::default() })?;
/// let mut sandbox = engine.start(Start::function_body("for (;;) {}"), FixedClock(0))?;
/// let (stopper, stopped) = (sandbox.stopper(), AtomicBool::new(false));
/// std::thread::scope(|scope| {
///     scope.spawn(|| while !stopped.load(Ordering::Relaxed) { stopper.stop() });
///     assert_eq!(sandbox.advance(Event::Start), Err(Stop::Stopped));
///     stopped.store(true, Ordering::Relaxed);
/// });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Stopper {
    lanes: Arc<[Lane]>,
    lane: usize,
    sandbox: SandboxId,
}

impl Stopper {
    pub(crate) fn new(lanes: Arc<[Lane]>, lane: usize, sandbox: SandboxId) -> Self {
        Self { lanes, lane, sandbox }
    }

    /// Stops the guest for good if it computes at this moment: [`Sandbox::advance`](crate::Sandbox::advance) comes back with
    /// [`Stop::Stopped`](crate::Stop::Stopped). A guest that does not compute is left alone: whoever drives it need not enter it again.
    pub fn stop(&self) {
        self.lanes[self.lane].running.stop(self.sandbox);
    }
}

impl PartialEq for Stopper {
    fn eq(&self, other: &Self) -> bool {
        self.sandbox == other.sandbox
    }
}

impl Eq for Stopper {}

impl std::fmt::Debug for Stopper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stopper").field(&self.sandbox).finish()
    }
}
