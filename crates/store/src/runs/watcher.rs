//! What passes over runs come to, for whoever watches.

use std::fmt;
use std::sync::Arc;

use intermission::{RunId, RunResult};

use crate::StoreError;

/// What one pass over a run came to, for whoever [watches](crate::RunsBuilder::watch). Where a run stands the store says: somebody else may have the run meanwhile, or a late
/// answer may have brought another pass.
#[derive(Debug)]
#[non_exhaustive]
pub enum Passed {
    /// Its result, with the console and all that no store keeps. What becomes of the run is kept next.
    Result(Box<RunResult>),
    /// The store failed, so that the run is not gone on with here. It is as it was kept last.
    Stopped(StoreError),
}

/// Hears of every pass.
#[derive(Clone, Default)]
pub(super) struct Watcher(Option<Arc<dyn Fn(RunId, Passed) + Send + Sync>>);

impl Watcher {
    pub(super) fn new(watch: impl Fn(RunId, Passed) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(watch)))
    }

    pub(super) fn tell(&self, run_id: RunId, passed: Passed) {
        if let Some(watch) = &self.0 {
            watch(run_id, passed);
        }
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Watcher" } else { "nobody" })
    }
}
