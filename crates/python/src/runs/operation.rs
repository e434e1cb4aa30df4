//! What Python does with runs, and what comes of it.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use intermission::{RunId, RunResult, Runner};
use intermission_driver::{Bytes, Given, Refusal, Span, continuation, given};
use intermission_store::{
    Emitted, InboxQuery, Notice, Resolved, Retention, RunQuery, Runs, RunsBuilder, RunsError, SqliteStore,
    StoreError, StoredInterruption, StoredRun, SyncLevel, Until,
};
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde::Deserialize;

use super::stored;
use crate::continuation::Continuation;
use crate::say;

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

/// Something to be done.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind", deny_unknown_fields)]
pub(super) enum Operation {
    Adopt { continuation: Bytes },
    Resolve { run: String, resolution: Given, by: Option<String> },
    Emit { run: String, key: String, value: Bytes, by: Option<String> },
    Cancel { run: String },
    Retry { run: String },
    Delete { run: String },
    Fork { run: String, at: Option<usize> },
    TakeUp { run: String },
    Get { run: String },
    List { states: Vec<String>, limit: Option<usize>, before: Option<String> },
    Inbox { run: Option<String>, events: bool, limit: Option<usize> },
    Answers { run: String },
    Ledger { run: String },
    Replay { run: String },
    Wait { run: String, over: bool },
    Notices { after: u64, run: Option<String> },
}

/// What comes of it.
pub(super) enum Came {
    Nothing,
    Text(String),
    Is(bool),
    Run(Box<StoredRun>),
    Runs(Vec<StoredRun>),
    Asked(Vec<StoredInterruption>),
    Answers(Vec<intermission_store::Given>),
    Ledger(Box<intermission::Continuation>),
    Result(Box<RunResult>),
    Notices(Vec<Notice>),
    Refused(Box<RunsError>),
}

type Doing = BoxFuture<'static, Result<Came, RunsError>>;

impl Operation {
    pub(super) fn on(self, runs: Runs) -> Result<Doing, Refusal> {
        Ok(match self {
            Self::Adopt { continuation: bytes } => {
                let continuation = continuation(bytes.get())?;
                async move { runs.adopt(continuation).await.map(text) }.boxed()
            }
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
            Self::Fork { run, at } => {
                let run = id(&run)?;
                async move { runs.fork(run, at).await.map(text) }.boxed()
            }
            Self::TakeUp { run } => {
                let run = id(&run)?;
                async move { runs.take_up(run).await.map(Came::Is) }.boxed()
            }
            Self::Get { run } => {
                let run = id(&run)?;
                async move { runs.get(run).await.map(|run| Came::Run(Box::new(run))) }.boxed()
            }
            Self::List { states, limit, before } => {
                let before = before.as_deref().map(id).transpose()?;
                let states = states.iter().map(|state| stored::state(state)).collect::<Result<_, _>>()?;
                let query = RunQuery { states, before, limit };
                async move { runs.list(query).await.map(Came::Runs) }.boxed()
            }
            Self::Inbox { run, events, limit } => {
                let run_id = run.as_deref().map(id).transpose()?;
                let query = InboxQuery { run_id, events, limit, ..InboxQuery::default() };
                async move { runs.inbox(query).await.map(Came::Asked) }.boxed()
            }
            Self::Answers { run } => {
                let run = id(&run)?;
                async move { runs.answers(run).await.map(Came::Answers) }.boxed()
            }
            Self::Ledger { run } => {
                let run = id(&run)?;
                async move { runs.ledger(run).await.map(|came| Came::Ledger(Box::new(came))) }.boxed()
            }
            Self::Replay { run } => {
                let run = id(&run)?;
                async move { runs.replay(run).await.map(|result| Came::Result(Box::new(result))) }.boxed()
            }
            Self::Wait { run, over } => {
                let (run, until) = (id(&run)?, if over { Until::Over } else { Until::Asks });
                async move { runs.wait(run, until).await.map(|run| Came::Run(Box::new(run))) }.boxed()
            }
            Self::Notices { after, run } => {
                let run = run.as_deref().map(id).transpose()?;
                async move { runs.notices(after, run).await.map(Came::Notices) }.boxed()
            }
        })
    }
}

fn text(run: RunId) -> Came {
    Came::Text(run.to_string())
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
            Self::Is(is) => is.into_pyobject(py)?.to_owned().into_any(),
            Self::Run(run) => stored::run(py, &run)?,
            Self::Runs(runs) => list(py, &runs, stored::run)?,
            Self::Asked(asked) => list(py, &asked, stored::asked)?,
            Self::Answers(answers) => list(py, &answers, stored::given)?,
            Self::Ledger(came) => Bound::new(py, Continuation(*came))?.into_any(),
            Self::Result(result) => say::result(py, *result)?,
            Self::Notices(notices) => list(py, &notices, stored::notice)?,
            Self::Refused(error) => return Ok((false, stored::runs_error(py, &error)?)),
        };
        Ok((true, value))
    }
}

fn list<'py, T>(
    py: Python<'py>,
    things: &[T],
    say: impl Fn(Python<'py>, &T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let said = things.iter().map(|thing| say(py, thing)).collect::<PyResult<Vec<_>>>()?;
    Ok(PyList::new(py, said)?.into_any())
}
