//! The library as a door.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::BoxFuture;
use intermission::codec::StoreError;
use intermission::ledger::{Entry, Record};
use intermission::{
    Claimed, Claims, Continuation, MemoryClaims, Point, ResumeInput, RunHandle, RunResult, Runner,
    SystemTimeSource, TimeSource,
};
use intermission_testkit::{
    Answered, Called, Door, Failure, Host, Made, Need, Question, Resume, Run, Seen, Setting, World,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::functions::{Rules, functions};
use crate::translate::{called, question, refusal, resolution, run_input, seen};

/// A runner, or as many as there are steps.
pub(crate) struct Library {
    runtime: tokio::runtime::Runtime,
    /// Whether every step has a runner of its own, and gets nothing but bytes.
    fresh: bool,
    runner: Option<(Host, bool, Runner)>,
    pub(crate) world: World,
    clock: HostClock,
    claims: Arc<MemoryClaims>,
    called: (UnboundedSender<String>, UnboundedReceiver<String>),
    /// The answers that were taken, and to which call, in order.
    pub(crate) answers: Vec<(u32, Called, Given)>,
    /// The clock of each invocation, and how long the ledger was behind it.
    pub(crate) invocations: Vec<(Option<u64>, usize)>,
    /// What came of the latest invocation.
    pub(crate) latest: Option<Seen<Continuation>>,
}

/// An answer that was taken.
#[derive(Clone)]
pub(crate) struct Given {
    /// By which invocation, from 0.
    pub(crate) invocation: usize,
    pub(crate) answered: Answered,
}

/// Everything but what takes a store, and what is not made yet.
pub(crate) fn offers(need: Need) -> bool {
    !matches!(need, Need::Durable | Need::Quorum)
}

/// A clock that stands where it was set; one that was not is the system's.
#[derive(Clone, Default)]
pub(crate) struct HostClock(Arc<AtomicU64>);

impl HostClock {
    /// Stands there; absent: is the system's.
    pub(crate) fn set(&self, clock: Option<u64>) {
        self.0.store(clock.unwrap_or_default(), Ordering::SeqCst);
    }
}

impl TimeSource for HostClock {
    fn now(&self) -> u64 {
        match self.0.load(Ordering::SeqCst) {
            0 => SystemTimeSource.now(),
            set => set,
        }
    }
}

/// Claims that several runners share.
struct SharedClaims(Arc<MemoryClaims>);

impl Claims for SharedClaims {
    fn claim<'a>(
        &'a self,
        point: Point,
        answers: &'a str,
        now: u64,
        lease: u64,
    ) -> BoxFuture<'a, Result<Claimed, StoreError>> {
        self.0.claim(point, answers, now, lease)
    }

    fn settle(
        &self,
        point: Point,
        ticket: u64,
        ledger: Vec<u8>,
        done: bool,
    ) -> BoxFuture<'_, Result<(), StoreError>> {
        self.0.settle(point, ticket, ledger, done)
    }

    fn release(&self, point: Point, ticket: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        self.0.release(point, ticket)
    }
}

impl Library {
    pub(crate) fn new(fresh: bool) -> Self {
        Self {
            runtime: tokio::runtime::Builder::new_multi_thread()
                .worker_threads(4)
                .enable_all()
                .build()
                .unwrap(),
            fresh,
            runner: None,
            world: World::default(),
            clock: HostClock::default(),
            claims: Arc::default(),
            called: unbounded_channel(),
            answers: Vec::new(),
            invocations: Vec::new(),
            latest: None,
        }
    }

    /// A runner for this setting.
    pub(crate) fn runner(&mut self, setting: &Setting<'_>) -> Runner {
        self.clock.set(setting.clock);
        match &self.runner {
            Some((functions, strict, runner))
                if !self.fresh && functions == setting.functions && *strict == setting.strict =>
            {
                runner.clone()
            }
            _ => {
                let runner = self.build(setting);
                self.runner = Some((setting.functions.clone(), setting.strict, runner.clone()));
                runner
            }
        }
    }

    fn build(&self, setting: &Setting<'_>) -> Runner {
        let builder = Runner::builder()
            .snapshots(0)
            .host_functions(functions(setting.functions, &self.world, &self.called.0))
            .policy(Rules(setting.functions.clone()))
            .modules(setting.case.modules.clone())
            .strict(setting.strict)
            .time_source(self.clock.clone())
            .max_runs(std::num::NonZeroU32::new(64).unwrap());
        let builder = if setting.case.needs.contains(&Need::Claims) {
            builder.claims(SharedClaims(Arc::clone(&self.claims)))
        } else {
            builder
        };
        builder.build().unwrap()
    }

    /// As it comes to the next step.
    fn kept(&self, continuation: &Continuation) -> Continuation {
        if self.fresh {
            Continuation::from_bytes(&continuation.to_bytes()).unwrap()
        } else {
            continuation.clone()
        }
    }

    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }

    fn note(&mut self, setting: &Setting<'_>, seen: &Seen<Continuation>) {
        let length = seen.token.as_ref().map_or(0, |token| token.record().entries().len());
        self.invocations.push((setting.clock, length));
        self.latest = Some(seen.clone());
    }

    /// Waits for the end, cancelling the run when a function is called.
    fn finish(&mut self, handle: RunHandle, cancel_at: &str) -> RunResult {
        let called = &mut self.called.1;
        self.runtime.block_on(async {
            while called.recv().await.unwrap() != cancel_at {}
            handle.cancel();
            handle.wait().await
        })
    }
}

impl Door for Library {
    type Token = Continuation;

    fn offers(&self, need: Need) -> bool {
        offers(need)
    }

    fn begin(&mut self) {
        self.runner = None;
        self.world = World::default();
        self.claims = Arc::default();
    }

    fn run(&mut self, setting: &Setting<'_>, run: &Run<'_>) -> Seen<Continuation> {
        let runner = self.runner(setting);
        let input = run_input(setting, run);
        let seen = seen(match run.cancel_at {
            None => self.block_on(runner.run(input)),
            Some(function) => {
                let handle = self.block_on(async { runner.start(input) });
                self.finish(handle, function)
            }
        });
        self.note(setting, &seen);
        seen
    }

    fn resume(
        &mut self,
        setting: &Setting<'_>,
        token: &Continuation,
        resume: &Resume<'_>,
    ) -> Result<Seen<Continuation>, Failure> {
        let runner = self.runner(setting);
        let mut input = with_answers(self.kept(token), resume.answers.clone());
        input.retry = resume.retry;
        input.source = resume.source.map(|source| source.text.clone());
        let result = match resume.cancel_at {
            None => self.block_on(runner.resume(input)),
            Some(function) => {
                let handle = self.block_on(runner.start_resume(input)).map_err(|error| refusal(&error))?;
                Ok(self.finish(handle, function))
            }
        };
        let seen = result.map(seen).map_err(|error| refusal(&error))?;
        let asked = token.interruptions();
        for answered in &resume.answers {
            let question = asked.iter().find(|question| question.id.as_str() == answered.id).unwrap();
            self.answers.push((
                question.request_index,
                called(question),
                Given { invocation: self.invocations.len(), answered: answered.clone() },
            ));
        }
        self.note(setting, &seen);
        Ok(seen)
    }

    fn inspect(&mut self, _: &Setting<'_>, token: &Continuation) -> (Vec<Question>, Option<u64>) {
        let continuation = self.kept(token);
        (continuation.interruptions().iter().map(question).collect(), continuation.wake_at())
    }

    fn replay(&mut self, setting: &Setting<'_>, token: &Continuation) -> Option<Seen<Continuation>> {
        let (runner, token) = (self.runner(setting), self.kept(token));
        Some(seen(self.block_on(runner.replay(token))))
    }

    fn take_calls(&mut self) -> Vec<Made> {
        self.world.take_calls()
    }

    fn cut(&mut self, token: &Continuation, entry: &str, call: u32) -> Option<Continuation> {
        let entries = token.record().entries();
        let at = entries.iter().position(|other| other.name() == entry && call_of(other) == Some(call))?;
        let record = Record::from_entries(entries[..=at].to_vec()).unwrap();
        Some(Continuation::new(record).unwrap())
    }

    fn cancel(&mut self, setting: &Setting<'_>, token: &Continuation) -> Result<Seen<Continuation>, Failure> {
        let (runner, token) = (self.runner(setting), self.kept(token));
        let result = self.block_on(runner.cancel(ResumeInput::new(token)));
        result.map(seen).map_err(|error| refusal(&error))
    }

    fn at_once(
        &mut self,
        setting: &Setting<'_>,
        token: &Continuation,
        resumes: Vec<Vec<Answered>>,
    ) -> Vec<Result<Seen<Continuation>, Failure>> {
        // As many as there might be processes.
        let runners: Vec<Runner> = (0..4).map(|_| self.build(setting)).collect();
        let tasks: Vec<_> = resumes
            .into_iter()
            .zip(runners.iter().cycle())
            .map(|(answers, runner)| {
                let (runner, input) = (runner.clone(), with_answers(self.kept(token), answers));
                self.runtime.spawn(async move { runner.resume(input).await })
            })
            .collect();
        let ended = tasks.into_iter().map(|task| self.block_on(task).unwrap());
        ended.map(|result| result.map(seen).map_err(|error| refusal(&error))).collect()
    }
}

fn with_answers(continuation: Continuation, answers: Vec<Answered>) -> ResumeInput {
    answers.into_iter().map(resolution).fold(ResumeInput::new(continuation), ResumeInput::resolve)
}

/// The call that an entry is about.
pub(crate) fn call_of(entry: &Entry) -> Option<u32> {
    match entry {
        Entry::Called { call, .. }
        | Entry::Settled { call, .. }
        | Entry::Dispatched { call }
        | Entry::Resolved { call, .. }
        | Entry::Abandoned { call }
        | Entry::Retried { call } => Some(*call),
        Entry::Interrupted(question) => Some(question.call),
        _ => None,
    }
}
