//! Whether a process has to live on for its runs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use intermission_driver::Asks;
use intermission_store::{RunQuery, RunState, Runs};
use tokio::sync::Notify;
use tokio::time::timeout;

/// Says whether any run is gone on with here, or is about to be.
#[derive(Clone)]
pub(super) struct Liveness {
    runs: Runs,
    picks_up: bool,
    asks: Asks,
    /// What was said last.
    said: Arc<Mutex<bool>>,
    /// A run may have to be gone on with.
    looked: Arc<Notify>,
}

/// A run that can be gone on with here is, before this is over, where there is room. One that is not is for others.
const TAKEN_UP_WITHIN: Duration = Duration::from_secs(1);

impl Liveness {
    pub(super) fn new(runs: Runs, picks_up: bool, asks: Asks) -> Self {
        Self { runs, picks_up, asks, said: Arc::default(), looked: Arc::default() }
    }

    /// Says it, if there is one.
    pub(super) async fn look(&self) {
        if self.count() > 0 || self.is_one_ready().await {
            self.tell(true);
            self.looked.notify_one();
        }
    }

    /// Says what changes, until the runs are gone.
    pub(super) async fn tell_changes(self) {
        let mut live = self.runs.live();
        loop {
            if *live.borrow_and_update() > 0 {
                self.tell(true);
            } else if self.is_one_ready().await {
                self.tell(true);
                let taken_up = timeout(TAKEN_UP_WITHIN, live.wait_for(|runs| *runs > 0)).await;
                self.tell(taken_up.is_ok());
            } else {
                self.tell(false);
            }
            tokio::select! {
                changed = live.changed() => if changed.is_err() { return },
                () = self.looked.notified() => {}
            }
        }
    }

    fn count(&self) -> usize {
        *self.runs.live().borrow()
    }

    async fn is_one_ready(&self) -> bool {
        let query = RunQuery { states: vec![RunState::Ready.name()], limit: Some(1), before: None };
        self.picks_up && self.runs.list(query).await.is_ok_and(|ready| !ready.is_empty())
    }

    fn tell(&self, live: bool) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        // Never that there is none while there is one: it may have begun meanwhile.
        let live = live || self.count() > 0;
        if *said != live {
            *said = live;
            self.asks.tell("live", [("live", live.into())]);
        }
    }
}
