//! What is asked of the runs without changing them.

use futures_util::FutureExt;
use futures_util::stream::{Stream, StreamExt, unfold};
use intermission::{Continuation, RunId, RunResult};
use tokio::sync::watch;

use super::{Runs, RunsError};
use crate::answer::Given;
use crate::rows::{InboxQuery, Notice, RunQuery, RunState, StoredInterruption, StoredRun};

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// The run is over, or was put away: it asks, or waits for an event or a time.
    PutAway,
    /// The run is over, or was put away and asks something.
    Asks,
    /// The run is over: it has a value, has failed, or was cancelled.
    Over,
}

/// How many notices are read at once.
const PAGE: usize = 100;

impl Runs {
    /// A run.
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn get(&self, run_id: RunId) -> Result<StoredRun, RunsError> {
        self.0.store.run(run_id).await?.ok_or(RunsError::NoRun { run_id })
    }

    /// Runs, the newest first.
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn list(&self, query: RunQuery) -> Result<Vec<StoredRun>, RunsError> {
        Ok(self.0.store.runs(query).await?)
    }

    /// Questions that nobody has answered, the oldest first.
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn inbox(&self, query: InboxQuery) -> Result<Vec<StoredInterruption>, RunsError> {
        Ok(self.0.store.inbox(query).await?)
    }

    /// The answers of a run, and who gave them.
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn answers(&self, run_id: RunId) -> Result<Vec<Given>, RunsError> {
        Ok(self.0.store.answers(run_id).await?)
    }

    /// A run's ledger, as far as it is kept: everything that it was told and asked.
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn ledger(&self, run_id: RunId) -> Result<Continuation, RunsError> {
        let loaded = self.0.store.load(run_id).await?.ok_or(RunsError::NoRun { run_id })?;
        Ok(Continuation::from_bytes(&loaded.ledger)?)
    }

    /// Says again what came of a run, its console too, and invokes nothing.
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn replay(&self, run_id: RunId) -> Result<RunResult, RunsError> {
        Ok(self.0.runner.replay(self.ledger(run_id).await?).await)
    }

    /// How many runs are gone on with here, now and as it changes. Those that were put away are not.
    pub fn live(&self) -> watch::Receiver<usize> {
        self.0.count.subscribe()
    }

    /// Waits, perhaps for days, in whatever process the run is gone on with.
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn wait(&self, run_id: RunId, until: Until) -> Result<StoredRun, RunsError> {
        loop {
            let written = self.0.written.notified();
            // What is gone on with here, and nowhere else, is written here once it is put down.
            if !self.0.has(run_id) {
                let run = self.get(run_id).await?;
                let is_put_away = matches!(run.state, RunState::Waiting { .. });
                let is_there = match until {
                    Until::PutAway => is_put_away,
                    Until::Asks => is_put_away && run.questions > 0,
                    Until::Over => false,
                };
                if run.state.is_over() || is_there {
                    return Ok(run);
                }
            }
            let _ = tokio::time::timeout(self.0.settings.look_again, written).await;
        }
    }

    /// The next notices, at most a page of them, as [`events`](Self::events) has them: something, if only it is waited for, and what else is there already.
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn notices(&self, after: u64, run_id: Option<RunId>) -> Result<Vec<Notice>, RunsError> {
        let mut notices = Box::pin(self.events(after, run_id));
        let mut page = Vec::new();
        let mut next = notices.next().await;
        while let Some(notice) = next {
            page.push(notice?);
            next = if page.len() < PAGE { notices.next().now_or_never().flatten() } else { None };
        }
        Ok(page)
    }

    /// What happens to runs, in order, for ever: what happened behind the notice of this number (0: everything that is kept) and what is to come; to one run, or to any.
    pub fn events(
        &self,
        after: u64,
        run_id: Option<RunId>,
    ) -> impl Stream<Item = Result<Notice, RunsError>> + Send + use<> {
        let page = std::collections::VecDeque::new();
        unfold((self.clone(), after, page), move |(runs, mut after, mut page)| async move {
            loop {
                if let Some(notice) = page.pop_front() {
                    return Some((Ok(notice), (runs, after, page)));
                }
                let shared = std::sync::Arc::clone(&runs.0);
                let written = shared.written.notified();
                match runs.0.store.notices(after, run_id, PAGE).await {
                    Ok(notices) => page.extend(notices),
                    Err(error) => return Some((Err(error.into()), (runs, after, page))),
                }
                match page.back() {
                    Some(last) => after = last.number,
                    None => {
                        let _ = tokio::time::timeout(runs.0.settings.look_again, written).await;
                    }
                }
            }
        })
    }
}
