//! Which run a script has that is executed again: a client that gave up waiting says the same once more.

use std::collections::BTreeMap;
use std::sync::Arc;

use intermission::ledger::digest;
use intermission::{RunId, RunInput, Value};
use intermission_store::{Runs, RunsError};
use tokio::sync::Mutex;

use crate::arguments::Execute;

/// Runs whose result nobody has been told yet, by what was to be executed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attached(Arc<Mutex<BTreeMap<String, RunId>>>);

/// Why there is no run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExecuteError {
    #[error("the key `{0}` belongs to another script: use another one, or the same script")]
    KeyTaken(String),
    #[error(transparent)]
    Runs(#[from] RunsError),
    #[error("the run cannot be started: {0}")]
    Lost(String),
}

impl Attached {
    /// The run of a script: of its key, else one of the very same script whose result nobody has been told, else a new one. A caller who no longer waits does not stop it
    /// half-way: a run that has begun is known.
    pub(crate) async fn run(&self, runs: &Runs, execute: Execute) -> Result<RunId, ExecuteError> {
        let (attached, runs) = (self.clone(), runs.clone());
        let started = tokio::spawn(async move { attached.find_or_start(&runs, &execute).await });
        started.await.unwrap_or_else(|error| Err(ExecuteError::Lost(error.to_string())))
    }

    async fn find_or_start(&self, runs: &Runs, execute: &Execute) -> Result<RunId, ExecuteError> {
        let input = || {
            let input = execute.input.clone().map_or(Value::Undefined, Value::from_json);
            RunInput::new(execute.code.as_str()).name("script.ts").input(input)
        };
        if let Some(key) = &execute.key {
            let run = runs.start_as(format!("mcp:{key}"), input()).await?;
            // A key that is given again may come with another script.
            return if runs.ledger(run).await?.source() == execute.code {
                Ok(run)
            } else {
                Err(ExecuteError::KeyTaken(key.clone()))
            };
        }
        let what = format!("{}\0{}", execute.code, execute.input.clone().unwrap_or_default());
        // Held while it starts: two that come at once are one.
        let mut open = self.0.lock().await;
        match open.entry(digest(what.as_bytes())) {
            std::collections::btree_map::Entry::Occupied(run) => Ok(*run.get()),
            std::collections::btree_map::Entry::Vacant(place) => {
                Ok(*place.insert(runs.start(input()).await?))
            }
        }
    }

    /// Somebody was told what came of a run.
    pub(crate) async fn told(&self, run: RunId) {
        self.0.lock().await.retain(|_, open| *open != run);
    }
}
