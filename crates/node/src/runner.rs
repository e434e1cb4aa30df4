//! A runner and what is under way in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::FutureExt;
use intermission::codec::CodecError;
use intermission::{AbortController, Execution, Limits, Runner, Value};
use intermission_driver::{Asks, Callers, Given, Resume, Run, RunnerOptions, Task, Wake, Work};
use napi::bindgen_prelude::{Function, Uint8Array, Uint8ArraySlice};
use napi::{Env, Result};
use napi_derive::napi;

use crate::engine::NativeEngine;
use crate::ledger::{continuation, copied};
use crate::message::{coded, outcome, read, refused};
use crate::policy::{PolicyHere, here};
use crate::progress;
use crate::progress::Out;
use crate::say;

/// What came out of a task, if anything.
type Message<'e> = Option<Uint8ArraySlice<'e>>;

/// A runner. Everything that takes a task's number and gives a message has gone on with that task as far as it went without waiting.
#[napi]
pub struct NativeRunner {
    runner: Runner,
    limits: Limits,
    /// Timers: everything else is driven by JavaScript.
    timers: Arc<tokio::runtime::Runtime>,
    asks: Asks,
    tasks: BTreeMap<u32, Task<Value>>,
    wake: Wake,
}

#[napi]
impl NativeRunner {
    /// Of options as `options.rs` has them. The engine has to be there as long as this is. `decide` is asked about each call while a task is gone on with: it may not call this.
    #[napi(constructor)]
    pub fn new(
        engine: &NativeEngine,
        options: &[u8],
        decide: Option<Function<'_, Uint8Array, Uint8Array>>,
    ) -> Result<Self, String> {
        let decide = decide.map(|decide| decide.create_ref()).transpose();
        let decide = decide.map_err(|error| coded("NAPI", &error.reason))?;
        let options: RunnerOptions = read(options)?;
        let (asks, limits) = (Asks::default(), options.limits());
        let callers = Callers::Drivers(Arc::new(progress::call));
        let runner =
            options.build(&engine.runner, &asks, &callers, decide.map(PolicyHere)).map_err(refused)?;
        let (timers, wake) = (Arc::clone(&engine.timers), Arc::clone(&engine.wake));
        Ok(Self { runner, limits, timers, asks, tasks: BTreeMap::new(), wake })
    }

    /// Begins a run.
    #[napi]
    pub fn run<'e>(&mut self, env: &'e Env, task: u32, input: &[u8]) -> Result<Message<'e>, String> {
        let abort = AbortController::new();
        let input = read::<Run>(input)?.input(self.limits, &self.asks, &abort).map_err(refused)?;
        let execution = Execution::run(&self.runner, input);
        self.begin(env, task, Work::Run(execution), abort)
    }

    /// Goes on with a run.
    #[napi]
    pub fn resume<'e>(&mut self, env: &'e Env, task: u32, input: &[u8]) -> Result<Message<'e>, String> {
        let abort = AbortController::new();
        let input = read::<Resume>(input)?.input(None, self.limits, &self.asks, &abort).map_err(refused)?;
        let execution = Execution::resume(&self.runner, input);
        self.begin(env, task, Work::Run(execution), abort)
    }

    /// Cancels a run that was put away.
    #[napi]
    pub fn cancel_put_away<'e>(
        &mut self,
        env: &'e Env,
        task: u32,
        input: &[u8],
    ) -> Result<Message<'e>, String> {
        let abort = AbortController::new();
        let input = read::<Resume>(input)?.input(None, self.limits, &self.asks, &abort).map_err(refused)?;
        let runner = self.runner.clone();
        self.begin_other(env, task, async move { say::end(runner.cancel(input).await) })
    }

    /// Runs a script against its ledger.
    #[napi]
    pub fn replay<'e>(&mut self, env: &'e Env, task: u32, bytes: &[u8]) -> Result<Message<'e>, String> {
        let (runner, continuation) = (self.runner.clone(), continuation(bytes)?);
        self.begin_other(env, task, async move { say::end(Ok(runner.replay(continuation).await)) })
    }

    /// A token for a continuation.
    #[napi]
    pub fn encode<'e>(
        &mut self,
        env: &'e Env,
        task: u32,
        bytes: &[u8],
        context: &[u8],
    ) -> Result<Message<'e>, String> {
        let (runner, continuation) = (self.runner.clone(), continuation(bytes)?);
        let context = context.to_vec();
        self.begin_other(env, task, async move {
            told(runner.encode(&continuation, &context).await, |token| token.as_str().into())
        })
    }

    /// The continuation in a token.
    #[napi]
    pub fn decode<'e>(
        &mut self,
        env: &'e Env,
        task: u32,
        token: String,
        context: &[u8],
    ) -> Result<Message<'e>, String> {
        let (runner, context) = (self.runner.clone(), context.to_vec());
        self.begin_other(env, task, async move {
            told(runner.decode(&token, &context).await, |continuation| Value::bytes(continuation.to_bytes()))
        })
    }

    /// What a token says of its run.
    #[napi]
    pub fn inspect<'e>(
        &mut self,
        env: &'e Env,
        task: u32,
        token: String,
        context: &[u8],
    ) -> Result<Message<'e>, String> {
        let (runner, context) = (self.runner.clone(), context.to_vec());
        self.begin_other(env, task, async move {
            told(runner.inspect(&token, &context).await, |inspection| say::inspection(&inspection))
        })
    }

    /// Goes on with a task that was woken.
    #[napi]
    pub fn advance<'e>(&mut self, env: &'e Env, task: u32) -> Result<Message<'e>, String> {
        self.poll(env, task)
    }

    /// Gives the outcome of a call: 0 a value, 1 an error, 2 a question.
    #[napi]
    pub fn settle<'e>(
        &mut self,
        env: &'e Env,
        task: u32,
        call: u32,
        kind: u32,
        body: &[u8],
    ) -> Result<Message<'e>, String> {
        let outcome = outcome(kind, body);
        self.tell(env, task, |execution| {
            execution.settle(call, outcome);
        })
    }

    /// Answers what the library asked: with a value, or with an error as `settle` has it.
    #[napi]
    pub fn answer<'e>(
        &mut self,
        env: &'e Env,
        task: u32,
        ask: u32,
        ok: bool,
        body: &[u8],
    ) -> Result<Message<'e>, String> {
        let answer = outcome(u32::from(!ok), body);
        if let Some(task) = self.tasks.get_mut(&task) {
            task.tell(|_| {});
        }
        self.asks.answer(ask, answer);
        self.poll(env, task)
    }

    /// Answers a question of a run under way. What comes of it is said under `number`.
    #[napi]
    pub fn resolve<'e>(
        &mut self,
        env: &'e Env,
        task: u32,
        number: u32,
        given: &[u8],
    ) -> Result<Message<'e>, String> {
        let resolution = read::<Given>(given)?.resolution().map_err(refused)?;
        self.tell(env, task, |execution| execution.resolve(number.into(), resolution))
    }

    /// Cancels a run under way, for good.
    #[napi]
    pub fn cancel<'e>(&mut self, env: &'e Env, task: u32) -> Result<Message<'e>, String> {
        self.tell(env, task, |execution| execution.cancel())
    }

    /// Aborts an invocation under way.
    #[napi]
    pub fn abort<'e>(&mut self, env: &'e Env, task: u32) -> Result<Message<'e>, String> {
        if let Some(task) = self.tasks.get(&task) {
            task.abort();
        }
        self.poll(env, task)
    }

    /// TypeScript declarations of what scripts can call.
    #[napi]
    pub fn types(&self) -> String {
        self.runner.types()
    }
}

impl NativeRunner {
    fn begin<'e>(
        &mut self,
        env: &'e Env,
        task: u32,
        work: Work<Value>,
        abort: AbortController,
    ) -> Result<Message<'e>, String> {
        self.tasks.insert(task, Task::new(task, work, Arc::clone(&self.wake), abort));
        self.poll(env, task)
    }

    fn begin_other<'e>(
        &mut self,
        env: &'e Env,
        task: u32,
        work: impl Future<Output = Value> + Send + 'static,
    ) -> Result<Message<'e>, String> {
        self.begin(env, task, Work::Other(work.boxed()), AbortController::new())
    }

    /// Speaks to a run, and goes on with it: it is polled anyway, so that the event loop has nothing to do.
    fn tell<'e>(
        &mut self,
        env: &'e Env,
        task: u32,
        tell: impl FnOnce(&mut Execution),
    ) -> Result<Message<'e>, String> {
        if let Some(task) = self.tasks.get_mut(&task) {
            task.tell(tell);
        }
        self.poll(env, task)
    }

    fn poll<'e>(&mut self, env: &'e Env, number: u32) -> Result<Message<'e>, String> {
        let Some(task) = self.tasks.get_mut(&number) else { return Ok(None) };
        let _here = self.timers.enter();
        let mut out = Out::default();
        if !here(*env, || task.poll(|came| out.add(came))) {
            self.tasks.remove(&number);
        }
        out.bytes(self.asks.take()).map(|bytes| copied(env, &bytes)).transpose()
    }
}

/// The end of a task that is no run.
fn told<T>(result: std::result::Result<T, CodecError>, say: impl FnOnce(T) -> Value) -> Value {
    match result {
        Ok(value) => Value::object([("ok", say(value))]),
        Err(error) => Value::object([("refused", say::codec_error(&error))]),
    }
}
