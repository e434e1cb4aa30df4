//! Durable runs: a store, and what goes on with its runs on threads of its own. None of these touches the interpreter: what they ask and what they have done is taken by Python when it is woken.

mod operation;
mod stored;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::task::Waker;
use std::time::Duration;

use intermission::{
    AbortController, Decision, Ground, HostError, Interrupt, Limits, Policy, ProposedCall, Value,
};
use intermission_driver::{Asks, Callers, Refusal, RunnerOptions, Span, TaskWaker, host_error, waker};
use pyo3::prelude::*;
use pyo3::types::PyList;
use tokio::runtime::Runtime;
use tokio::task::AbortHandle;

use self::operation::{Came, Open, Operation};
use crate::calls::Calls;
use crate::classes::refused;
use crate::engine::{Engine, Standing};
use crate::kept::Kept;
use crate::lock::lock;
use crate::policy::decision;
use crate::runner::{Global, run_input};
use crate::value::{from_python, message};
use crate::wakes::Wakes;

/// The runs of a store. Nothing here waits: what is begun has a number that Python chose, and what comes of it is taken when Python is woken, with the calls of host functions.
#[pyclass(frozen, module = "intermission._native")]
pub(crate) struct Runs(Kept<Inner>);

struct Inner {
    /// It is there as long as this is.
    _engine: Arc<Kept<Standing>>,
    runner: intermission::Runner,
    limits: Limits,
    news: News,
    task: Arc<TaskWaker>,
    /// Gone once they are closed.
    runtime: Mutex<Option<Runtime>>,
    opened: Arc<Mutex<Option<intermission_store::Runs>>>,
}

/// What Python has not taken yet.
#[derive(Clone)]
struct News {
    asks: Asks,
    calls: Calls,
    done: Arc<Mutex<Vec<(u32, Came)>>>,
    under_way: Arc<Mutex<BTreeMap<u32, AbortHandle>>>,
    waker: Waker,
}

impl News {
    fn done(&self, operation: u32, came: Came) {
        lock(&self.done).push((operation, came));
        self.waker.wake_by_ref();
    }
}

/// Asked from a thread of the library's, which stands still meanwhile.
struct AskedPolicy(Asks);

impl Policy for AskedPolicy {
    fn decide(&self, call: &ProposedCall<'_>) -> Option<Decision> {
        let ask = self.0.begin(
            "decide",
            [
                ("runId", Value::from(call.run_id.to_string())),
                ("requestIndex", call.request_index.into()),
                ("hostFunction", call.function.name().into()),
                ("effect", call.function.declared().effect.name().into()),
                ("arguments", Value::array(call.arguments.iter().cloned())),
            ],
        );
        let said = match tokio::task::block_in_place(|| ask.wait()) {
            Ok(said) => said,
            Err(why) => return Some(Decision::Deny(Ground::new("policy").because(why.message()))),
        };
        let text = |at| said.at(at).and_then(Value::as_str).map(str::to_owned);
        let ground = Ground { rule: text(1).unwrap_or_default(), reason: text(2) };
        text(0).map(|said| decision(&said, ground))
    }
}

/// How many runs' slices go on at one time here, at most: long ones go on elsewhere.
const THREADS: usize = 4;

/// How long a closed store's last writes are waited for.
const LAST_WRITES: Duration = Duration::from_secs(10);

#[pymethods]
impl Runs {
    /// Of a runner of these options. Python is woken under `number`, and asked about each call where it has a policy.
    #[new]
    fn new(
        py: Python<'_>,
        engine: &Engine,
        wakes: &Wakes,
        number: u32,
        options: &Bound<'_, PyAny>,
        has_policy: bool,
    ) -> PyResult<Self> {
        let options: RunnerOptions = message(options)?;
        let limits = options.limits();
        let task = TaskWaker::new(number, wakes.wake());
        let asks = Asks::waking(waker(&task));
        let news = News {
            asks: asks.clone(),
            calls: Calls::default(),
            done: Arc::default(),
            under_way: Arc::default(),
            waker: waker(&task),
        };
        let policy = has_policy.then(|| AskedPolicy(asks.clone()));
        let runner = options
            .build(&engine.standing.runner, &asks, &Callers::Library(news.calls.say()), policy)
            .map_err(|refusal| refused(py, &refusal))?;
        let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(THREADS));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads)
            .thread_name("intermission-runs")
            .enable_time()
            .build()
            .map_err(|error| refused(py, &Refusal::new("ENGINE", &error)))?;
        let inner = Inner {
            _engine: Arc::clone(&engine.standing),
            runner,
            limits,
            news,
            task,
            runtime: Mutex::new(Some(runtime)),
            opened: Arc::default(),
        };
        Ok(Self(Kept::new(inner, &engine.left)))
    }

    /// Opens the store, and begins to go on with its runs.
    fn open(&self, py: Python<'_>, operation: u32, options: &Bound<'_, PyAny>) -> PyResult<()> {
        let options: Open = message(options)?;
        let (opened, runner) = (Arc::clone(&self.0.opened), self.0.runner.clone());
        self.begin_with(py, operation, async move {
            let runs = options.open(runner).await?;
            *lock(&opened) = Some(runs);
            Ok(Came::Nothing)
        })
    }

    /// Starts a run: `Runner.run` has what is given.
    fn start(
        &self,
        py: Python<'_>,
        operation: u32,
        given: &Bound<'_, PyAny>,
        input: Global<'_>,
        data: Global<'_>,
        key: Option<String>,
    ) -> PyResult<()> {
        let abort = AbortController::new();
        let run = run_input(given, input, data, self.0.limits, &Asks::default(), &abort)?;
        let runs = self.runs(py)?;
        self.begin_with(py, operation, async move {
            let run = match key {
                Some(key) => runs.start_as(key, run).await,
                None => runs.start(run).await,
            };
            Ok(Came::Text(run?.to_string()))
        })
    }

    /// Begins something else, as `runs/operation.rs` has it.
    fn begin(&self, py: Python<'_>, operation: u32, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let act: Operation = message(given)?;
        let act = act.on(self.runs(py)?).map_err(|refusal| refused(py, &refusal))?;
        self.begin_with(py, operation, act)
    }

    /// Nobody waits for this any more.
    fn forget(&self, operation: u32) {
        if let Some(task) = lock(&self.0.news.under_way).remove(&operation) {
            task.abort();
        }
    }

    /// What was asked, and what was done, since the last time: two lists. A call that is asked for has the call itself.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyList>)> {
        let news = &self.0.news;
        self.0.task.begin();
        let (asked, done) = (news.asks.take(), std::mem::take(&mut *lock(&news.done)));
        if self.0.task.finish() {
            self.0.task.later();
        }
        let asks = PyList::empty(py);
        for ask in asked {
            asks.append(news.calls.ask(py, &ask)?)?;
        }
        let ended = PyList::empty(py);
        for (operation, came) in done {
            let (ok, value) = came.say(py)?;
            ended.append((operation, ok, value))?;
        }
        Ok((asks, ended))
    }

    /// Answers what was asked: with a value, or with an error of `name`, `message` and `code`.
    fn answer(&self, ask: u32, ok: bool, body: &Bound<'_, PyAny>) -> PyResult<()> {
        let body = from_python(body, "")?;
        let answer = if ok { Ok(body) } else { Err::<Value, HostError>(host_error(&body)) };
        self.0.news.asks.answer(ask, answer);
        Ok(())
    }

    /// Has a call ask.
    fn interrupt(
        &self,
        ask: u32,
        payload: &Bound<'_, PyAny>,
        state: &Bound<'_, PyAny>,
        expires_at: Option<u64>,
        default: Option<(Bound<'_, PyAny>,)>,
    ) -> PyResult<()> {
        let asked: Interrupt = crate::task::asked(payload, state, expires_at, default)?;
        self.0.news.asks.answer(ask, Err(asked.into()));
        Ok(())
    }

    /// Ends what is done here, and lets go of the store and all threads. Afterwards nothing can be begun.
    fn close(&self, py: Python<'_>, operation: u32, patience_ms: f64) -> PyResult<()> {
        let patience = Span::try_from(patience_ms).map_err(|refusal| refused(py, &refusal))?.get();
        let news = self.0.news.clone();
        let closing = self.0.close_beside(patience, move || news.done(operation, Came::Nothing));
        if closing { Ok(()) } else { Err(closed(py)) }
    }

    /// How many runs are gone on with here.
    fn live(&self) -> usize {
        lock(&self.0.opened).as_ref().map_or(0, |runs| *runs.live().borrow())
    }

    /// TypeScript declarations of what scripts can call.
    fn types(&self) -> String {
        self.0.runner.types()
    }
}

fn closed(py: Python<'_>) -> PyErr {
    refused(py, &Refusal::new("RUNS_CLOSED", &"the runs were closed: open them again"))
}

impl Runs {
    fn runs(&self, py: Python<'_>) -> PyResult<intermission_store::Runs> {
        lock(&self.0.opened).clone().ok_or_else(|| closed(py))
    }

    fn begin_with(
        &self,
        py: Python<'_>,
        operation: u32,
        act: impl Future<Output = Result<Came, intermission_store::RunsError>> + Send + 'static,
    ) -> PyResult<()> {
        let runtime = lock(&self.0.runtime);
        let runtime = runtime.as_ref().ok_or_else(|| closed(py))?;
        let news = self.0.news.clone();
        // It is not over before it is in the list.
        let mut under_way = lock(&self.0.news.under_way);
        let task = runtime.spawn(async move {
            let came = act.await.unwrap_or_else(|error| Came::Refused(Box::new(error)));
            if lock(&news.under_way).remove(&operation).is_some() {
                news.done(operation, came);
            }
        });
        under_way.insert(operation, task.abort_handle());
        Ok(())
    }
}

impl Inner {
    /// Closes, if that is still to be done, on a thread of its own. Whether it is.
    fn close_beside(&self, patience: Duration, then: impl FnOnce() + Send + 'static) -> bool {
        let Some(runtime) = lock(&self.runtime).take() else { return false };
        let opened = lock(&self.opened).take();
        let closing = move || {
            if let Some(runs) = &opened {
                let longest = patience.saturating_add(LAST_WRITES);
                // A policy may never answer, whose thread has ended.
                let _ = runtime.block_on(async { tokio::time::timeout(longest, runs.close(patience)).await });
            }
            drop(opened);
            runtime.shutdown_timeout(LAST_WRITES);
            then();
        };
        std::thread::Builder::new().name("intermission-closing".to_owned()).spawn(closing).is_ok()
    }
}

/// Nobody has closed them: others may have their runs at once.
impl Drop for Inner {
    fn drop(&mut self) {
        self.close_beside(Duration::ZERO, || {});
    }
}
