//! Durable runs: a store, and what goes on with its runs on threads of its own.

mod liveness;
mod open;
mod operation;
mod options;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use intermission::{Limits, Runner, Value};
use intermission_driver::{Asks, Callers, RunnerOptions, Span, TaskWaker, waker};
use intermission_store::Runs;
use napi::bindgen_prelude::Uint8ArraySlice;
use napi::{Env, Result};
use napi_derive::napi;
use tokio::runtime::{Handle, Runtime};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use self::liveness::Liveness;
use self::open::{Open, Wait};
use self::operation::Operation;
use self::options::RunsOptions;
use crate::engine::NativeEngine;
use crate::ledger::copied;
use crate::message::{coded, outcome, read, refused, write};
use crate::policy::AskedPolicy;
use crate::progress;

/// The runs of a store, opened. Nothing here waits: what is begun has a number that JavaScript chose, and what comes of it is taken when JavaScript is woken, with the calls of host functions.
#[napi]
pub struct NativeRuns {
    runner: Runner,
    limits: Limits,
    asks: Asks,
    waker: Arc<TaskWaker>,
    /// Gone once they are being closed.
    runtime: Option<Runtime>,
    handle: Handle,
    open: Open,
}

/// How many runs' slices go on at one time here, at most: long ones go on elsewhere.
const THREADS: usize = 4;

/// Longer than whatever is due at once.
const MOMENT: Duration = Duration::from_millis(5);

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
        let (handle, open) = (runtime.handle().clone(), Open::default());
        Ok(Self { runner, limits, asks, waker: task, runtime: Some(runtime), handle, open })
    }

    /// Opens the store, and begins to go on with its runs. `false` once they are closed.
    #[napi]
    pub fn open(&self, operation: u32, options: &[u8]) -> Result<bool, String> {
        let options: RunsOptions = read(options)?;
        let (open, runner, asks) = (self.open.clone(), self.runner.clone(), self.asks.clone());
        Ok(self.begin_with(operation, Wait::Awaited, async move {
            let picks_up = options.picks_up();
            let runs = options.open(runner).await?;
            let liveness = Liveness::new(runs.clone(), picks_up, asks);
            open.get().opened = Some((runs, liveness.clone()));
            tokio::spawn(liveness.tell_changes());
            Ok(Value::Undefined)
        }))
    }

    /// Begins something, as `operation.rs` has it. `false` once they are closed.
    #[napi]
    pub fn begin(&self, operation: u32, message: &[u8]) -> Result<bool, String> {
        let act: Operation = read(message)?;
        let Some((runs, liveness)) = self.open.get().opened.clone() else { return Ok(false) };
        let wait = if act.may_last() { Wait::Left } else { Wait::Awaited };
        let may_ready_a_run = act.may_ready_a_run();
        let act = act.on(runs, self.limits)?;
        Ok(self.begin_with(operation, wait, async move {
            let came = act.await;
            // Not later than whatever JavaScript could conclude it from: the process lives as long as it has to.
            if may_ready_a_run {
                liveness.look().await;
            }
            came
        }))
    }

    /// Nobody waits for this any more.
    #[napi]
    pub fn forget(&self, operation: u32) {
        let under_way = self.open.get().under_way.remove(&operation);
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
        self.asks.answer(ask, outcome(kind, body));
    }

    /// Ends what is done here, as [`Runs::close`] does: until nothing is gone on with any more, everything can be done. What was begun is done and told before it is told that they are closed; the
    /// store and all threads are let go of then.
    #[napi]
    pub fn close(&mut self, operation: u32, patience_ms: f64) -> Result<(), String> {
        let patience = Span::try_from(patience_ms).map_err(refused)?.get();
        let asks = self.asks.clone();
        let closing = self.close_beside(patience, move || {
            done(&asks, operation, Ok(Value::Undefined));
        });
        if closing { Ok(()) } else { Err(coded("RUNS_CLOSED", &"the runs are being closed")) }
    }

    /// While they are being closed: runs may go on for no longer than this.
    #[napi]
    pub fn hasten(&self, patience_ms: f64) -> Result<(), String> {
        let patience = Span::try_from(patience_ms).map_err(refused)?.get();
        if let Some((runs, _)) = self.open.get().opened.clone() {
            self.handle.spawn(async move { runs.close(patience).await });
        }
        Ok(())
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
        let open = self.open.clone();
        let closing = move || {
            // A policy may never answer.
            let closing =
                async { timeout(patience.saturating_add(LAST_WRITES), close(&open, patience)).await };
            let _ = runtime.block_on(closing);
            open.close();
            runtime.shutdown_timeout(LAST_WRITES);
            then();
        };
        std::thread::Builder::new().name("intermission-closing".to_owned()).spawn(closing).is_ok()
    }

    /// `false` where nothing can be begun any more.
    fn begin_with(
        &self,
        operation: u32,
        wait: Wait,
        act: impl Future<Output = std::result::Result<Value, Value>> + Send + 'static,
    ) -> bool {
        let (asks, open) = (self.asks.clone(), self.open.clone());
        // It is not over before it is in the list.
        let mut list = self.open.get();
        let Some(acts) = &list.acts else { return false };
        let awaited = (wait == Wait::Awaited).then(|| acts.subscribe());
        let task = self.handle.spawn(async move {
            let came = act.await;
            if open.get().under_way.remove(&operation).is_some() {
                done(&asks, operation, came);
            }
            drop(awaited);
        });
        list.under_way.insert(operation, task.abort_handle());
        true
    }
}

/// The thread that had them has ended: others may have its runs at once.
impl Drop for NativeRuns {
    fn drop(&mut self) {
        let opened = self.open.get().opened.clone();
        self.handle.spawn(abandon(opened.map(|(runs, _)| runs), self.asks.clone()));
        self.close_beside(Duration::ZERO, || {});
    }
}

/// Nobody answers any more. Runs are told to abort before they hear of it: what is refused for that reason is not for them to keep.
async fn abandon(runs: Option<Runs>, asks: Asks) {
    if let Some(runs) = runs {
        let mut closing = pin!(runs.close(Duration::ZERO));
        tokio::select! {
            biased;
            () = &mut closing => {}
            () = sleep(MOMENT) => {}
        }
    }
    asks.close();
}

async fn close(open: &Open, patience: Duration) {
    let close = async |patience| {
        let opened = open.get().opened.clone();
        if let Some((runs, _)) = opened {
            runs.close(patience).await;
        }
    };
    close(patience).await;
    let acts = open.get().acts.take();
    if let Some(acts) = acts {
        acts.closed().await;
    }
    // One of them may have begun a run.
    close(Duration::ZERO).await;
}

fn done(asks: &Asks, operation: u32, came: std::result::Result<Value, Value>) {
    let came = match came {
        Ok(value) => ("ok", value),
        Err(refused) => ("refused", refused),
    };
    asks.tell("done", [("operation", operation.into()), came]);
}
