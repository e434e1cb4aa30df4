//! What JavaScript does with runs, a message each.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use intermission::{AbortController, InterruptionId, Limits, RunId, Value};
use intermission_driver::{Asks, Bytes, Given, Run};
use intermission_store::{Emitted, InboxQuery, Resolved, RunQuery, RunState, Runs, RunsError, Until};
use serde::Deserialize;

use crate::ledger::continuation;
use crate::message::{coded, refused};
use crate::say;

/// Something to be done.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind", deny_unknown_fields)]
pub(super) enum Operation {
    Start { input: Run, key: Option<String> },
    Adopt { continuation: Bytes },
    Resolve { run: String, resolution: Given, by: Option<String> },
    Emit { run: String, key: String, value: Bytes, by: Option<String> },
    Cancel { run: String },
    Retry { run: String },
    Delete { run: String },
    Fork { run: String, at: Option<usize> },
    TakeUp { run: String },
    Get { run: String },
    List { states: Vec<String>, before: Option<String>, limit: Option<usize> },
    Inbox { run: Option<String>, events: bool, after: Option<After>, limit: Option<usize> },
    Answers { run: String },
    Ledger { run: String },
    Replay { run: String },
    Wait { run: String, until: WaitFor },
    Notices { after: u64, run: Option<String> },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum WaitFor {
    Asks,
    Over,
}

/// The last question of the page before.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct After {
    created: u64,
    id: String,
}

/// What comes of it, or why it is refused.
type Came = Result<Value, Value>;

impl Operation {
    /// Whether nobody knows how long it takes: it is not waited for when runs are closed.
    pub(super) fn may_last(&self) -> bool {
        matches!(self, Self::Wait { .. } | Self::Notices { .. } | Self::Replay { .. })
    }

    /// Whether there may be a run to be gone on with afterwards.
    pub(super) fn may_ready_a_run(&self) -> bool {
        matches!(
            self,
            Self::Start { .. }
                | Self::Adopt { .. }
                | Self::Resolve { .. }
                | Self::Emit { .. }
                | Self::Cancel { .. }
                | Self::Retry { .. }
                | Self::Fork { .. }
                | Self::TakeUp { .. }
        )
    }

    /// What is to be waited for.
    ///
    /// # Errors
    /// Where what was given is of no use.
    pub(super) fn on(self, runs: Runs, limits: Limits) -> napi::Result<BoxFuture<'static, Came>, String> {
        Ok(match self {
            Self::Start { input, key } => {
                let input =
                    input.input(limits, &Asks::default(), &AbortController::new()).map_err(refused)?;
                acted(async move {
                    match key {
                        Some(key) => runs.start_as(key, input).await,
                        None => runs.start(input).await,
                    }
                    .map(id)
                })
            }
            Self::Adopt { continuation: bytes } => {
                let continuation = continuation(bytes.get())?;
                acted(async move { runs.adopt(continuation).await.map(id) })
            }
            Self::Resolve { run, resolution, by } => {
                let resolution = resolution.resolution().map_err(refused)?;
                of(&run, async move |run| {
                    let resolved = runs.resolve(run, resolution, by.as_deref()).await?;
                    Ok(Value::from(match resolved {
                        Resolved::First => "first",
                        Resolved::Early => "early",
                        _ => "same",
                    }))
                })
            }
            Self::Emit { run, key, value, by } => {
                let value = value.value().map_err(refused)?;
                of(&run, async move |run| {
                    let emitted = runs.emit(run, key, value, by.as_deref()).await?;
                    Ok(Value::from(if emitted == Emitted::First { "first" } else { "same" }))
                })
            }
            Self::Cancel { run } => of(&run, async move |run| runs.cancel(run).await.map(nothing)),
            Self::Retry { run } => of(&run, async move |run| runs.retry(run).await.map(nothing)),
            Self::Delete { run } => of(&run, async move |run| runs.delete(run).await.map(nothing)),
            Self::Fork { run, at } => of(&run, async move |run| runs.fork(run, at).await.map(id)),
            Self::TakeUp { run } => of(&run, async move |run| runs.take_up(run).await.map(Value::from)),
            Self::Get { run } => of(&run, async move |run| Ok(say::stored::run(&runs.get(run).await?))),
            Self::List { states, before, limit } => {
                let states = states.iter().map(|state| name_of(state)).collect::<Result<_, _>>()?;
                maybe_of(before.as_deref(), async move |before| {
                    let listed = runs.list(RunQuery { states, before, limit }).await?;
                    Ok(Value::array(listed.iter().map(say::stored::run)))
                })
            }
            Self::Inbox { run, events, after, limit } => {
                let after = after.map(After::place).transpose()?;
                maybe_of(run.as_deref(), async move |run_id| {
                    let asked = runs.inbox(InboxQuery { run_id, events, after, limit }).await?;
                    Ok(Value::array(asked.iter().map(say::stored::asked)))
                })
            }
            Self::Answers { run } => of(&run, async move |run| {
                Ok(Value::array(runs.answers(run).await?.iter().map(say::stored::given)))
            }),
            Self::Ledger { run } => {
                of(&run, async move |run| Ok(Value::bytes(runs.ledger(run).await?.to_bytes())))
            }
            Self::Replay { run } => of(&run, async move |run| Ok(say::end(Ok(runs.replay(run).await?)))),
            Self::Wait { run, until } => of(&run, async move |run| {
                let until = match until {
                    WaitFor::Asks => Until::Asks,
                    WaitFor::Over => Until::Over,
                };
                Ok(say::stored::run(&runs.wait(run, until).await?))
            }),
            Self::Notices { after, run } => maybe_of(run.as_deref(), async move |run| {
                Ok(Value::array(runs.notices(after, run).await?.iter().map(say::stored::notice)))
            }),
        })
    }
}

fn acted(act: impl Future<Output = Result<Value, RunsError>> + Send + 'static) -> BoxFuture<'static, Came> {
    async move { act.await.map_err(|error| say::stored::runs_error(&error)) }.boxed()
}

fn of<F>(run: &str, act: impl FnOnce(RunId) -> F) -> BoxFuture<'static, Came>
where
    F: Future<Output = Result<Value, RunsError>> + Send + 'static,
{
    match run.parse() {
        Ok(run) => acted(act(run)),
        Err(_) => std::future::ready(Err(say::stored::no_run(run))).boxed(),
    }
}

fn maybe_of<F>(run: Option<&str>, act: impl FnOnce(Option<RunId>) -> F) -> BoxFuture<'static, Came>
where
    F: Future<Output = Result<Value, RunsError>> + Send + 'static,
{
    match run {
        None => acted(act(None)),
        Some(run) => of(run, |run| act(Some(run))),
    }
}

fn id(run: RunId) -> Value {
    run.to_string().into()
}

fn nothing((): ()) -> Value {
    Value::Undefined
}

/// A state's name, for ever.
fn name_of(state: &str) -> napi::Result<&'static str, String> {
    RunState::named(state).ok_or_else(|| coded("OPTIONS", &format!("{state} is no state of a run")))
}

impl After {
    fn place(self) -> napi::Result<(u64, InterruptionId), String> {
        let id = self.id.parse().map_err(|error| coded("RESOLUTION_UNKNOWN", &error))?;
        Ok((self.created, id))
    }
}
