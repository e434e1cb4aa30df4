//! The loop: guest, host, guest, host, until the script ends.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream::{FuturesUnordered, StreamExt};
use intermission_engine::{Call, CallId, End, Event, Outcome, Request, Sandbox, Step, Stop};
use intermission_value::{Value, decode};
use tokio::time::Instant;

use crate::budget::Budget;
use crate::dispatch::{Answer, Caller};
use crate::modules::ModuleLoader;
use crate::positions::Positions;
use crate::run_result::{DetachedCall, Fate, Report, RunResult};
use crate::runner::Shared;
use crate::timers::Timers;
use crate::{RunError, ScriptError};

/// One invocation, under way.
pub(crate) struct Drive<'r> {
    pub(crate) runner: &'r Shared,
    pub(crate) budget: Budget,
    pub(crate) caller: Caller,
    pub(crate) modules: Arc<dyn ModuleLoader>,
    pub(crate) positions: Positions,
    /// Away while a worker has it.
    pub(crate) sandbox: Option<Sandbox>,
    pub(crate) in_flight: FuturesUnordered<BoxFuture<'static, (CallId, Answer)>>,
    /// Calls without an outcome, for the report.
    pub(crate) pending: BTreeMap<CallId, Call>,
    /// Finished and not yet told to the guest: the lowest request index goes first.
    pub(crate) finished: BTreeMap<CallId, Answer>,
    pub(crate) timers: Timers,
    /// When others were last let go first.
    pub(crate) gave_way: Instant,
    pub(crate) report: Report,
}

const GIVE_WAY_AFTER: Duration = Duration::from_millis(1);

impl Drive<'_> {
    /// Drives the script to its end. What it said is in the report, whatever the end.
    pub(crate) async fn finish(&mut self) -> Result<Value, RunError> {
        let mut event = Event::Start;
        loop {
            event = match self.slice(event).await? {
                Step::Idle => {
                    self.take_up_requests();
                    self.wait().await?
                }
                Step::Blocked(question) => Event::Answered(self.answer(question).await?),
                Step::Ended(end) => return self.end(end).await,
                Step::Yielded => unreachable!("a slice is driven to its end"),
            };
        }
    }

    /// One slice. It begins here; if it takes long, a worker finishes it.
    async fn slice(&mut self, event: Event) -> Result<Step, RunError> {
        let mut sandbox = self.sandbox.take().expect("it comes back after each slice");
        let mut step = sandbox.advance(event).map_err(Stop::into);
        if matches!(step, Ok(Step::Yielded)) {
            (sandbox, step) = self.runner.workers.finish(sandbox, self.budget.clone()).await;
        }
        let cpu = sandbox.usage().cpu;
        self.sandbox = Some(sandbox);
        self.give_way(cpu).await?;
        step
    }

    /// A script whose calls are all answered at once never waits: now and then the clock is looked at, and others go first.
    async fn give_way(&mut self, cpu: Duration) -> Result<(), RunError> {
        if self.gave_way.elapsed() > GIVE_WAY_AFTER {
            self.budget.check(cpu)?;
            tokio::task::yield_now().await;
            self.gave_way = Instant::now();
        }
        Ok(())
    }

    /// Dispatches the calls of the slice that has just ended, in call order, and notes its timers.
    fn take_up_requests(&mut self) {
        let requests = self.sandbox.as_mut().map(Sandbox::take_requests).unwrap_or_default();
        for request in requests {
            match request {
                Request::Call(call) => self.dispatch(call),
                Request::TimerSet { timer, delay } => self.timers.set(timer, self.runner.time.now(), delay),
                Request::TimerCleared(timer) => self.timers.clear(timer),
            }
        }
    }

    fn dispatch(&mut self, call: Call) {
        let (id, answer) = (call.id, self.caller.clone());
        self.pending.insert(id, Call { arguments: Vec::new(), ..call });
        self.in_flight.push(async move { (id, answer.answer(call).await) }.boxed());
    }

    /// Waits for the first thing that can happen: a timer that is due, a call that has finished.
    async fn wait(&mut self) -> Result<Event, RunError> {
        let began = Instant::now();
        loop {
            while let Some(Some((call, settled))) = self.in_flight.next().now_or_never() {
                self.finished.insert(call, settled);
            }
            if let Some(timer) = self.timers.take_due(self.runner.time.now()) {
                self.report.stats.waited += began.elapsed();
                return Ok(Event::Due(timer));
            }
            if let Some((call, settled)) = self.finished.pop_first() {
                self.pending.remove(&call);
                self.report.stats.waited += began.elapsed();
                return Ok(Event::Settled { call, outcome: settled? });
            }
            if self.in_flight.is_empty() && self.timers.next_due().is_none() {
                return Err(RunError::Deadlock);
            }
            self.wait_for_news().await?;
        }
    }

    async fn wait_for_news(&mut self) -> Result<(), RunError> {
        let until_due = self.timers.next_due().map(|due| due.saturating_sub(self.runner.time.now()));
        tokio::select! {
            biased;
            () = self.budget.aborted() => Err(RunError::Aborted),
            Some((call, settled)) = self.in_flight.next() => {
                self.finished.insert(call, settled);
                Ok(())
            }
            () = tokio::time::sleep(Duration::from_millis(until_due.unwrap_or(0))), if until_due.is_some() => Ok(()),
            () = tokio::time::sleep_until(self.budget.ends_at()) => Err(self.budget.overdue()),
        }
    }

    /// The script has ended: what it did not wait for is awaited for a while, then told to abort.
    async fn end(&mut self, end: End) -> Result<Value, RunError> {
        let script_error = |thrown| ScriptError::new(thrown, &self.positions);
        self.report.unhandled = end.unhandled.into_iter().map(script_error).collect();
        let result = end.result.map_err(|thrown| Box::new(script_error(*thrown)));
        self.report.data = end.data.ok().and_then(|bytes| decode(&bytes, usize::MAX).ok());
        if self.runner.strict && result.is_ok() {
            self.refuse_detached()?;
        }
        self.take_up_requests();
        self.drain().await?;
        let bytes = result?;
        decode(&bytes, usize::MAX).map_err(|error| RunError::Trapped(format!("a malformed value: {error}")))
    }

    fn refuse_detached(&mut self) -> Result<(), RunError> {
        let requests = self.sandbox.as_mut().map(Sandbox::take_requests).unwrap_or_default();
        let undispatched = requests.into_iter().filter_map(|request| match request {
            Request::Call(call) => Some(call),
            _ => None,
        });
        let calls: Vec<_> = std::mem::take(&mut self.pending).into_values().chain(undispatched).collect();
        if calls.is_empty() {
            return Ok(());
        }
        let detached: Vec<_> = calls.iter().map(|call| self.detached(call, Fate::Aborted)).collect();
        self.report.detached = detached;
        Err(RunError::Detached { calls: self.report.detached.iter().map(ToString::to_string).collect() })
    }

    async fn drain(&mut self) -> Result<(), RunError> {
        let until = self.budget.ends_at().min(Instant::now() + self.runner.drain);
        for (call, settled) in std::mem::take(&mut self.finished) {
            self.note_detached(call, &settled);
        }
        while !self.in_flight.is_empty() {
            tokio::select! {
                biased;
                () = self.budget.aborted() => break,
                Some((call, settled)) = self.in_flight.next() => self.note_detached(call, &settled),
                () = tokio::time::sleep_until(until) => break,
            }
        }
        for call in std::mem::take(&mut self.pending).into_values() {
            self.report.detached.push(self.detached(&call, Fate::Aborted));
        }
        self.report.detached.sort_by_key(|call| call.request_index);
        if self.budget.is_aborted() { Err(RunError::Aborted) } else { Ok(()) }
    }

    fn note_detached(&mut self, call: CallId, answer: &Answer) {
        let fate = match answer {
            Ok(Outcome::Fulfilled(_)) => Fate::Fulfilled,
            Ok(Outcome::Rejected(_)) | Err(_) => Fate::Rejected,
        };
        if let Some(call) = self.pending.remove(&call) {
            self.report.detached.push(self.detached(&call, fate));
        }
    }

    fn detached(&self, call: &Call, fate: Fate) -> DetachedCall {
        let host_function = self.caller.functions.get(call.function).map_or("", |lent| lent.function.name());
        DetachedCall {
            request_index: call.id,
            host_function: host_function.to_owned(),
            position: call.position.map(|place| self.positions.in_script(place)),
            fate,
        }
    }

    /// The result, with all that there is to say.
    pub(crate) fn close(mut self, value: Result<Value, RunError>) -> RunResult {
        // Whatever is still under way must not wait for an outcome that nobody wants.
        self.budget.abort.abort();
        if let Some(mut sandbox) = self.sandbox.take() {
            let usage = sandbox.usage();
            self.report.console = sandbox.take_console();
            self.report.stats.cpu = usage.cpu;
            self.report.stats.fuel = usage.fuel;
            self.report.stats.memory = usage.memory;
            self.report.stats.calls = usage.calls;
        }
        self.report.stats.wall = self.budget.started.elapsed();
        let report = self.report;
        match value {
            Ok(value) => RunResult::Completed { value, report },
            Err(error) => RunResult::Failed { error, report },
        }
    }
}
