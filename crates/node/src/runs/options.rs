//! From what JavaScript wants to opened runs.

use std::sync::Arc;
use std::time::Duration;

use intermission::{Runner, Value};
use intermission_driver::{Span, given};
use intermission_store::{Retention, Runs, RunsBuilder, RunsError, SqliteStore, StoreError, SyncLevel};
use serde::Deserialize;

use crate::say;

/// What `openRuns` was given. What is absent has the library's default.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RunsOptions {
    path: String,
    sync: Option<Sync>,
    patience_ms: Option<Span>,
    lease_ms: Option<Span>,
    look_again_ms: Option<Span>,
    longest_wait_ms: Option<Span>,
    retention_ms: Option<Span>,
    picks_up: Option<bool>,
    max_live: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Sync {
    Full,
    Normal,
}

/// SQLite's own.
const LONGEST_PATIENCE: Duration = Duration::from_millis(i32::MAX as u64);

impl RunsOptions {
    /// Whether runs are gone on with that others have started or answered.
    pub(super) fn picks_up(&self) -> bool {
        self.picks_up.unwrap_or(true)
    }

    pub(super) async fn open(self, runner: Runner) -> Result<Runs, Value> {
        self.build(runner).await.map_err(|error| say::stored::runs_error(&error))
    }

    async fn build(self, runner: Runner) -> Result<Runs, RunsError> {
        let mut options = SqliteStore::options();
        if let Some(sync) = self.sync {
            options = options.sync(match sync {
                Sync::Full => SyncLevel::Full,
                Sync::Normal => SyncLevel::Normal,
            });
        }
        if let Some(patience) = self.patience_ms {
            options = options.patience(patience.get().min(LONGEST_PATIENCE));
        }
        let place = self.path.clone();
        let store = tokio::task::spawn_blocking(move || options.open(self.path)).await;
        let store = store.map_err(|error| StoreError::Failed { place, why: error.to_string() })??;
        let mut builder = Runs::builder(Arc::new(store), runner);
        builder = given(builder, self.lease_ms.map(Span::get), RunsBuilder::lease);
        builder = given(builder, self.look_again_ms.map(Span::get), RunsBuilder::look_again);
        builder = given(builder, self.longest_wait_ms.map(Span::get), RunsBuilder::longest_wait);
        let retention = self.retention_ms.map(|span| Retention::For(span.get()));
        builder = given(builder, retention, RunsBuilder::retention);
        builder = given(builder, self.picks_up, RunsBuilder::picks_up);
        builder = given(builder, self.max_live, RunsBuilder::max_live);
        builder.build().await
    }
}
