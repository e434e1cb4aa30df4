//! Durable runs: a store, and what goes on with its runs on threads of its own.

mod operation;
mod options;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use intermission::{HostError, Limits, Runner, Value};
use intermission_driver::{Asks, Callers, RunnerOptions, Span, TaskWaker, host_error, interrupt, waker};
use intermission_store::Runs;
use napi::bindgen_prelude::Uint8ArraySlice;
use napi::{Env, Result};
use napi_derive::napi;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use self::operation::Operation;
use self::options::RunsOptions;
use crate::engine::NativeEngine;
use crate::ledger::copied;
use crate::message::{coded, read, read_value, refused, write};
use crate::policy::AskedPolicy;
use crate::progress;

/// The runs of a store, opened. Nothing here waits: what is begun has a number that JavaScript chose, and what comes of it is taken when JavaScript is woken, with the calls of host functions.
#[napi]
pub struct NativeRuns {
    runner: Runner,
    limits: Limits,
    asks: Asks,
    waker: Arc<TaskWaker>,
    /// Gone once they are closed.
    runtime: Option<Runtime>,
    opened: Arc<OnceLock<Opened>>,
    under_way: UnderWay,
}

/// Runs, and what was last said of them: whether any is gone on with here.
struct Opened {
    runs: Runs,
    said: Mutex<bool>,
}

impl Opened {
    /// Says what has changed. Not later than whatever JavaScript could conclude it from: the process lives as long as it has to.
    fn tell_live(&self, asks: &Asks) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let live = *self.runs.live().borrow() > 0;
        if *said != live {
            *said = live;
            asks.tell("live", [("live", live.into())]);
        }
    }
}

/// Operations, by their numbers.
#[derive(Clone, Default)]
struct UnderWay(Arc<Mutex<BTreeMap<u32, AbortHandle>>>);

impl UnderWay {
    fn get(&self) -> MutexGuard<'_, BTreeMap<u32, AbortHandle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many runs' slices go on at one time here, at most: long ones go on elsewhere.
const THREADS: usize = 4;

/// How long a closed store's last writes are waited for.
const LAST_WRITES: Duration = Duration::from_secs(10);

#[napi]
impl NativeRuns {
    /// Runs of a runner of these options; the engine has to be there as long as this is. JavaScript is woken under the number `task`, and asked about each call where it has a policy.
    #[napi(constructor)]
    pub fn new(engine: &NativeEngine, task: u32, options: &[u8], has_policy: bool) -> Result<Self, String> {
        let options: RunnerOptions = read(options)?;
        let task = TaskWaker::new(task, Arc::clone(&engine.wake));
        let (asks, limits) = (Asks::waking(waker(&task)), options.limits());
        let policy = has_policy.then(|| AskedPolicy(asks.clone()));
        let callers = Callers::Library(Arc::new(progress::call));
        let runner = options.build(&engine.runner, &asks, &callers, policy).map_err(refused)?;
        let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(THREADS));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads)
            .thread_name("intermission-runs")
            .enable_time()
            .build()
            .map_err(|error| coded("ENGINE", &error))?;
        let (opened, under_way) = (Arc::default(), UnderWay::default());
        Ok(Self { runner, limits, asks, waker: task, runtime: Some(runtime), opened, under_way })
    }

    /// Opens the store, and begins to go on with its runs.
    #[napi]
    pub fn open(&self, operation: u32, options: &[u8]) -> Result<(), String> {
        let options: RunsOptions = read(options)?;
        let (opened, runner, asks) = (Arc::clone(&self.opened), self.runner.clone(), self.asks.clone());
        self.begin_with(operation, async move {
            let runs = options.open(runner).await?;
            let live = runs.live();
            let _ = opened.set(Opened { runs, said: Mutex::new(false) });
            tokio::spawn(tell_changes(live, Arc::downgrade(&opened), asks));
            Ok(Value::Undefined)
        })
    }

    /// Begins something, as `operation.rs` has it.
    #[napi]
    pub fn begin(&self, operation: u32, message: &[u8]) -> Result<(), String> {
        let act: Operation = read(message)?;
        let opened = self.opened.get().ok_or_else(closed)?;
        self.begin_with(operation, act.on(opened.runs.clone(), self.limits)?)
    }

    /// Nobody waits for this any more.
    #[napi]
    pub fn forget(&self, operation: u32) {
        let under_way = self.under_way.get().remove(&operation);
        under_way.iter().for_each(AbortHandle::abort);
    }

    /// What was asked and told since the last time.
    #[napi]
    pub fn take<'e>(&self, env: &'e Env) -> Result<Option<Uint8ArraySlice<'e>>, String> {
        self.waker.begin();
        let said = self.asks.take();
        if self.waker.finish() {
            self.waker.later();
        }
        let message = (!said.is_empty()).then(|| write(&Value::array(said)));
        message.map(|bytes| copied(env, &bytes)).transpose()
    }

    /// Answers what was asked: 0 with a value, 1 with an error, 2 with a question.
    #[napi]
    pub fn answer(&self, ask: u32, kind: u32, body: &[u8]) {
        let answer = match (kind, read_value(body)) {
            (0, value) => value,
            (1, Ok(error)) => Err::<Value, HostError>(host_error(&error)),
            (_, Ok(asked)) => Err(interrupt(&asked)),
            (_, Err(error)) => Err(error),
        };
        self.asks.answer(ask, answer);
    }

    /// Ends what is done here, as [`Runs::close`] does, and lets go of the store and all threads. Afterwards nothing can be begun.
    #[napi]
    pub fn close(&mut self, operation: u32, patience_ms: f64) -> Result<(), String> {
        let patience = Span::try_from(patience_ms).map_err(refused)?.get();
        let asks = self.asks.clone();
        let closing = self.close_beside(patience, move || {
            done(&asks, operation, Ok(Value::Undefined));
        });
        if closing { Ok(()) } else { Err(closed()) }
    }

    /// TypeScript declarations of what scripts can call.
    #[napi]
    pub fn types(&self) -> String {
        self.runner.types()
    }
}

impl NativeRuns {
    /// Closes, if that is still to be done, on a thread of its own: nothing is waited for on the event loop's. Whether it is.
    fn close_beside(&mut self, patience: Duration, then: impl FnOnce() + Send + 'static) -> bool {
        let Some(runtime) = self.runtime.take() else { return false };
        let opened = std::mem::take(&mut self.opened);
        let closing = move || {
            if let Some(opened) = opened.get() {
                let closing = opened.runs.close(patience);
                // A policy may never answer, whose thread has ended.
                let _ =
                    runtime.block_on(async { timeout(patience.saturating_add(LAST_WRITES), closing).await });
            }
            drop(opened);
            runtime.shutdown_timeout(LAST_WRITES);
            then();
        };
        std::thread::Builder::new().name("intermission-closing".to_owned()).spawn(closing).is_ok()
    }

    fn begin_with(
        &self,
        operation: u32,
        act: impl Future<Output = std::result::Result<Value, Value>> + Send + 'static,
    ) -> Result<(), String> {
        let runtime = self.runtime.as_ref().ok_or_else(closed)?;
        let (asks, under_way, opened) = (self.asks.clone(), self.under_way.clone(), Arc::clone(&self.opened));
        // It is not over before it is in the list.
        let mut list = self.under_way.get();
        let task = runtime.spawn(async move {
            let came = act.await;
            if under_way.get().remove(&operation).is_some() {
                opened.get().iter().for_each(|opened| opened.tell_live(&asks));
                done(&asks, operation, came);
            }
        });
        list.insert(operation, task.abort_handle());
        Ok(())
    }
}

/// The thread that had them has ended: others may have its runs at once.
impl Drop for NativeRuns {
    fn drop(&mut self) {
        self.close_beside(Duration::ZERO, || {});
    }
}

async fn tell_changes(mut live: watch::Receiver<usize>, opened: Weak<OnceLock<Opened>>, asks: Asks) {
    while live.changed().await.is_ok() {
        let Some(opened) = opened.upgrade() else { return };
        opened.get().iter().for_each(|opened| opened.tell_live(&asks));
    }
}

fn done(asks: &Asks, operation: u32, came: std::result::Result<Value, Value>) {
    let came = match came {
        Ok(value) => ("ok", value),
        Err(refused) => ("refused", refused),
    };
    asks.tell("done", [("operation", operation.into()), came]);
}

fn closed() -> napi::Error<String> {
    coded("RUNS_CLOSED", &"the runs were closed: open them again")
}
