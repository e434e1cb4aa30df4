//! What Python does with runs, and what comes of it.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use intermission::{RunId, Runner};
use intermission_driver::{Bytes, Given, Refusal, Span};
use intermission_store::{
    Emitted, InboxQuery, Resolved, Retention, RunQuery, RunState, Runs, RunsBuilder, RunsError, SqliteStore,
    StoreError, StoredInterruption, StoredRun, SyncLevel, Until,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Deserialize;

use crate::classes::classes;
use crate::continuation::Continuation;
use crate::say;
use crate::value::to_python;

/// What `open_runs` was given. What is absent has the library's default.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Open {
    path: String,
    /// Whether a write is on the disk before it counts, and not only out of the process.
    full_sync: Option<bool>,
    lease_ms: Option<Span>,
    longest_wait_ms: Option<Span>,
    retention_ms: Option<Span>,
    picks_up: Option<bool>,
    max_live: Option<usize>,
}

impl Open {
    pub(super) async fn open(self, runner: Runner) -> Result<Runs, RunsError> {
        let mut options = SqliteStore::options();
        if let Some(full) = self.full_sync {
            options = options.sync(if full { SyncLevel::Full } else { SyncLevel::Normal });
        }
        let place = self.path.clone();
        let store = tokio::task::spawn_blocking(move || options.open(self.path)).await;
        let store = store.map_err(|error| StoreError::Failed { place, why: error.to_string() })??;
        let mut builder = Runs::builder(Arc::new(store), runner);
        builder = given(builder, self.lease_ms.map(Span::get), RunsBuilder::lease);
        builder = given(builder, self.longest_wait_ms.map(Span::get), RunsBuilder::longest_wait);
        builder =
            given(builder, self.retention_ms.map(|span| Retention::For(span.get())), RunsBuilder::retention);
        builder = given(builder, self.picks_up, RunsBuilder::picks_up);
        builder = given(builder, self.max_live, RunsBuilder::max_live);
        builder.build().await
    }
}

fn given<T>(
    builder: RunsBuilder,
    value: Option<T>,
    set: impl FnOnce(RunsBuilder, T) -> RunsBuilder,
) -> RunsBuilder {
    match value {
        Some(value) => set(builder, value),
        None => builder,
    }
}

/// Something to be done.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind", deny_unknown_fields)]
pub(super) enum Operation {
    Resolve { run: String, resolution: Given, by: Option<String> },
    Emit { run: String, key: String, value: Bytes, by: Option<String> },
    Cancel { run: String },
    Retry { run: String },
    Delete { run: String },
    Get { run: String },
    List { limit: Option<usize>, before: Option<String> },
    Inbox { run: Option<String>, limit: Option<usize> },
    Ledger { run: String },
    Wait { run: String, over: bool },
}

/// What comes of it.
pub(super) enum Came {
    Nothing,
    Text(String),
    Run(Box<StoredRun>),
    Runs(Vec<StoredRun>),
    Asked(Vec<StoredInterruption>),
    Ledger(Box<intermission::Continuation>),
    Refused(Box<RunsError>),
}

type Doing = BoxFuture<'static, Result<Came, RunsError>>;

impl Operation {
    pub(super) fn on(self, runs: Runs) -> Result<Doing, Refusal> {
        Ok(match self {
            Self::Resolve { run, resolution, by } => {
                let (run, resolution) = (id(&run)?, resolution.resolution()?);
                async move {
                    let resolved = runs.resolve(run, resolution, by.as_deref()).await?;
                    let text = match resolved {
                        Resolved::First => "first",
                        Resolved::Early => "early",
                        _ => "same",
                    };
                    Ok(Came::Text(text.to_owned()))
                }
                .boxed()
            }
            Self::Emit { run, key, value, by } => {
                let (run, value) = (id(&run)?, value.value()?);
                async move {
                    let emitted = runs.emit(run, key, value, by.as_deref()).await?;
                    Ok(Came::Text(if emitted == Emitted::First { "first" } else { "same" }.to_owned()))
                }
                .boxed()
            }
            Self::Cancel { run } => {
                let run = id(&run)?;
                async move { runs.cancel(run).await.map(|()| Came::Nothing) }.boxed()
            }
            Self::Retry { run } => {
                let run = id(&run)?;
                async move { runs.retry(run).await.map(|()| Came::Nothing) }.boxed()
            }
            Self::Delete { run } => {
                let run = id(&run)?;
                async move { runs.delete(run).await.map(|()| Came::Nothing) }.boxed()
            }
            Self::Get { run } => {
                let run = id(&run)?;
                async move { runs.get(run).await.map(|run| Came::Run(Box::new(run))) }.boxed()
            }
            Self::List { limit, before } => {
                let before = before.as_deref().map(id).transpose()?;
                let query = RunQuery { before, limit, ..RunQuery::default() };
                async move { runs.list(query).await.map(Came::Runs) }.boxed()
            }
            Self::Inbox { run, limit } => {
                let run_id = run.as_deref().map(id).transpose()?;
                let query = InboxQuery { run_id, limit, ..InboxQuery::default() };
                async move { runs.inbox(query).await.map(Came::Asked) }.boxed()
            }
            Self::Ledger { run } => {
                let run = id(&run)?;
                async move { runs.ledger(run).await.map(|came| Came::Ledger(Box::new(came))) }.boxed()
            }
            Self::Wait { run, over } => {
                let (run, until) = (id(&run)?, if over { Until::Over } else { Until::Asks });
                async move { runs.wait(run, until).await.map(|run| Came::Run(Box::new(run))) }.boxed()
            }
        })
    }
}

fn id(run: &str) -> Result<RunId, Refusal> {
    let unknown = |_| Refusal::new("RUN_UNKNOWN", &format!("there is no run {run:?}: that is no run's id"));
    run.parse().map_err(unknown)
}

impl Came {
    /// Whether it was done, and the value or the exception.
    pub(super) fn say(self, py: Python<'_>) -> PyResult<(bool, Bound<'_, PyAny>)> {
        let value = match self {
            Self::Nothing => py.None().into_bound(py),
            Self::Text(text) => text.into_pyobject(py)?.into_any(),
            Self::Run(run) => stored_run(py, &run)?,
            Self::Runs(runs) => {
                let runs = runs.iter().map(|run| stored_run(py, run)).collect::<PyResult<Vec<_>>>()?;
                PyList::new(py, runs)?.into_any()
            }
            Self::Asked(asked) => {
                let asked = asked.iter().map(|one| self::asked(py, one)).collect::<PyResult<Vec<_>>>()?;
                PyList::new(py, asked)?.into_any()
            }
            Self::Ledger(came) => Bound::new(py, Continuation(*came))?.into_any(),
            Self::Refused(error) => return Ok((false, runs_error(py, &error)?)),
        };
        Ok((true, value))
    }
}

fn stored_run<'py>(py: Python<'py>, run: &StoredRun) -> PyResult<Bound<'py, PyAny>> {
    let more = PyDict::new(py);
    match &run.state {
        RunState::Waiting { wake_at } => more.set_item("wake_at", *wake_at)?,
        RunState::Completed { value } => more.set_item("value", to_python(py, value)?)?,
        RunState::Failed { code, message } => {
            more.set_item("code", code)?;
            more.set_item("message", message)?;
        }
        RunState::Ready | RunState::Running { .. } | RunState::Cancelled => {}
    }
    let parts = (
        run.run_id.to_string(),
        run.key.as_deref(),
        run.name.as_str(),
        run.created,
        run.updated,
        run.questions,
        run.state.name(),
    );
    classes(py)?.stored_run.bind(py).call(parts, Some(&more))
}

fn asked<'py>(py: Python<'py>, asked: &StoredInterruption) -> PyResult<Bound<'py, PyAny>> {
    let interruption = say::interruption(py, &asked.interruption)?;
    classes(py)?.asked.bind(py).call1((asked.run_id.to_string(), asked.name.as_str(), interruption))
}

fn runs_error<'py>(py: Python<'py>, failure: &RunsError) -> PyResult<Bound<'py, PyAny>> {
    match failure {
        RunsError::Refused(refused) => say::resume_error(py, refused),
        RunsError::Begin(failure) => say::run_error(py, failure),
        _ => {
            let winner: Option<Bound<'py, PyAny>> = match failure {
                RunsError::Conflict { winner } => Some(winner.text().into_pyobject(py)?.into_any()),
                RunsError::Emitted { winner, .. } => Some(to_python(py, winner)?),
                _ => None,
            };
            classes(py)?.runs_error.bind(py).call1((failure.code(), failure.to_string(), winner))
        }
    }
}
