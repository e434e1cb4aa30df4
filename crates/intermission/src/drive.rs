//! The loop: guest, host, guest, host, until the script ends.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream::{FuturesUnordered, StreamExt};
use intermission_engine::{Call, CallId, End, Event, Outcome, Request, Step, Stop, Thrown};
use intermission_value::{Value, decode};
use tokio::time::Instant;

use crate::budget::{Budget, after};
use crate::clock::RunClock;
use crate::dispatch::{Answer, Caller};
use crate::events::Finished;
use crate::modules::ModuleLoader;
use crate::positions::Positions;
use crate::run_result::{DetachedCall, Fate, Report, RunResult};
use crate::runner::Shared;
use crate::seat::Seat;
use crate::timers::Timers;
use crate::{RunError, ScriptError};

/// One invocation, under way.
pub(crate) struct Drive<'r> {
    pub(crate) runner: &'r Shared,
    pub(crate) budget: Budget,
    pub(crate) caller: Caller,
    pub(crate) modules: Arc<dyn ModuleLoader>,
    pub(crate) positions: Positions,
    pub(crate) clock: RunClock,
    /// Away while a worker has it.
    pub(crate) sandbox: Option<Seat>,
    pub(crate) in_flight: FuturesUnordered<BoxFuture<'static, (CallId, Answer)>>,
    /// Calls without an outcome, for the report.
    pub(crate) pending: BTreeMap<CallId, Call>,
    pub(crate) finished: Finished,
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
            let workers = &self.runner.workers;
            (sandbox, step) = self.beside(workers.finish(sandbox, self.budget.clone())).await?;
        }
        let cpu = sandbox.usage().cpu;
        self.sandbox = Some(sandbox);
        self.give_way(cpu).await?;
        step
    }

    /// Waits for `work`; calls that are under way go on meanwhile.
    pub(crate) async fn beside<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                Some((call, answer)) = self.in_flight.next() => self.has_finished(call, answer),
            }
        }
    }

    fn has_finished(&mut self, call: CallId, answer: Answer) {
        self.finished.look_again();
        self.finished.add(self.clock.now(), call, answer);
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
        let requests = self.sandbox.as_mut().map(|sandbox| sandbox.take_requests()).unwrap_or_default();
        for request in requests {
            match request {
                Request::Call(call) => self.dispatch(call),
                Request::TimerSet { timer, delay } => self.timers.set(timer, self.clock.now(), delay),
                Request::TimerCleared(timer) => self.timers.clear(timer),
            }
        }
    }

    fn dispatch(&mut self, call: Call) {
        let call = self.positions.original_call(call);
        let (id, answer) = (call.id, self.caller.clone());
        self.pending.insert(id, call.without_arguments());
        self.in_flight.push(async move { (id, answer.answer(call).await) }.boxed());
    }

    /// Waits for the first thing that happens: a call that finishes, a timer that is due. Of what has happened already, the earlier goes first, and a call before
    /// a timer.
    async fn wait(&mut self) -> Result<Event, RunError> {
        let began = Instant::now();
        loop {
            self.look_for_finished();
            let (now, finished) = (self.clock.now(), self.finished.first_at());
            let due = self.timers.next_due().filter(|due| *due <= now);
            let timer = due.filter(|due| finished.is_none_or(|finished| *due < finished));
            let event = match timer.and_then(|_| self.timers.take_due(now)) {
                Some(timer) => Some(Event::Due(timer)),
                None => self.take_finished()?,
            };
            if let Some(event) = event {
                self.report.stats.waited += began.elapsed();
                return Ok(event);
            }
            if self.in_flight.is_empty() && self.timers.next_due().is_none() {
                self.tell_of_deadlock();
                return Err(RunError::Deadlock);
            }
            self.wait_for_news().await?;
        }
    }

    fn look_for_finished(&mut self) {
        let now = self.clock.now();
        self.finished.look_again();
        while let Some(Some((call, answer))) = self.in_flight.next().now_or_never() {
            self.finished.add(now, call, answer);
        }
    }

    fn take_finished(&mut self) -> Result<Option<Event>, RunError> {
        let Some((call, answer)) = self.finished.take() else { return Ok(None) };
        self.pending.remove(&call);
        Ok(Some(Event::Settled { call, outcome: answer? }))
    }

    async fn wait_for_news(&mut self) -> Result<(), RunError> {
        let until_due = self.timers.next_due().map(|due| due.saturating_sub(self.clock.now()));
        tokio::select! {
            biased;
            () = self.budget.aborted() => Err(RunError::Aborted),
            Some((call, answer)) = self.in_flight.next() => {
                self.has_finished(call, answer);
                Ok(())
            }
            () = tokio::time::sleep(Duration::from_millis(until_due.unwrap_or(0))), if until_due.is_some() => Ok(()),
            () = tokio::time::sleep_until(self.budget.ends_at()) => Err(self.budget.overdue()),
        }
    }

    /// A script that waits for nothing may have lost the reason in a rejection that nobody handled.
    fn tell_of_deadlock(&mut self) {
        let Some(sandbox) = &mut self.sandbox else { return };
        if sandbox.advance(Event::Report).is_ok() {
            let (data, unhandled) = (sandbox.take_data(), sandbox.take_unhandled());
            if let Some(data) = data {
                self.note_data(data.map_err(Box::new));
            }
            self.note_unhandled(unhandled);
        }
    }

    fn note_unhandled(&mut self, unhandled: Vec<Thrown>) {
        self.report.unhandled =
            unhandled.into_iter().map(|thrown| ScriptError::new(thrown, &self.positions)).collect();
    }

    fn note_data(&mut self, data: Result<Vec<u8>, Box<Thrown>>) {
        match data {
            Ok(bytes) => self.report.data = decode(&bytes, usize::MAX).ok(),
            Err(thrown) => self.report.data_error = Some(ScriptError::new(*thrown, &self.positions)),
        }
    }

    /// The script has ended: what it did not wait for is awaited for a while, then told to abort.
    async fn end(&mut self, end: End) -> Result<Value, RunError> {
        self.note_unhandled(end.unhandled);
        self.note_data(end.data);
        let result = end.result.map_err(|thrown| Box::new(ScriptError::new(*thrown, &self.positions)));
        if self.runner.strict {
            self.refuse_detached();
        } else {
            self.take_up_requests();
            self.drain().await;
        }
        let bytes = result?;
        if self.runner.strict && !self.report.detached.is_empty() {
            return Err(RunError::Detached {
                calls: self.report.detached.iter().map(ToString::to_string).collect(),
            });
        }
        decode(&bytes, usize::MAX).map_err(|error| RunError::Trapped(format!("a malformed value: {error}")))
    }

    /// Strict: calls of the last slice are not made, those under way are told to abort.
    fn refuse_detached(&mut self) {
        for call in std::mem::take(&mut self.pending).into_values() {
            self.report.detached.push(self.detached(call, Fate::Aborted));
        }
        for request in self.sandbox.as_mut().map(|sandbox| sandbox.take_requests()).unwrap_or_default() {
            if let Request::Call(call) = request {
                let call = self.positions.original_call(call);
                self.report.detached.push(self.detached(call, Fate::Refused));
            }
        }
    }

    async fn drain(&mut self) {
        let until = self.budget.ends_at().min(after(Instant::now(), self.runner.drain));
        while let Some((call, answer)) = self.finished.take() {
            self.note_detached(call, &answer);
        }
        while !self.in_flight.is_empty() {
            tokio::select! {
                biased;
                () = self.budget.aborted() => break,
                Some((call, answer)) = self.in_flight.next() => self.note_detached(call, &answer),
                () = tokio::time::sleep_until(until) => break,
            }
        }
        for call in std::mem::take(&mut self.pending).into_values() {
            self.report.detached.push(self.detached(call, Fate::Aborted));
        }
        self.report.detached.sort_by_key(|call| call.request_index);
    }

    fn note_detached(&mut self, call: CallId, answer: &Answer) {
        let fate = match answer {
            Ok(Outcome::Fulfilled(_)) => Fate::Fulfilled,
            Ok(Outcome::Rejected(_)) | Err(_) => Fate::Rejected,
        };
        if let Some(call) = self.pending.remove(&call) {
            self.report.detached.push(self.detached(call, fate));
        }
    }

    fn detached(&self, call: Call, fate: Fate) -> DetachedCall {
        let host_function = self.caller.functions.get(call.function).map_or("", |lent| lent.function.name());
        DetachedCall {
            request_index: call.id,
            host_function: host_function.to_owned(),
            file: call.file,
            position: call.position,
            fate,
        }
    }

    /// The result, with all that there is to say.
    pub(crate) fn close(mut self, value: Result<Value, RunError>) -> RunResult {
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
