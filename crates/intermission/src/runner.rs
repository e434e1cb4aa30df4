//! What runs scripts.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use intermission_engine::{Engine, EngineConfig, EngineError, Profile};
use intermission_ledger::Faults;

use crate::clock::{Time, TimeSource};
use crate::codec::{Codec, CodecError, Scope, Token};
use crate::id::new_run_id;
use crate::modules::{ModuleLoader, NoModules};
use crate::premises::Premises;
use crate::run_handle::Line;
use crate::{
    Claims, Continuation, HostFunctions, Inspection, LedgerSink, Limits, Policy, Resolution, ResumeError,
    ResumeInput, RunError, RunHandle, RunInput, RunResult, begin, going_on,
};

/// Runs scripts with what it lends them. Cheap to clone; clones share everything.
///
/// A run is driven where its future is polled, on a Tokio runtime, and so are host functions; a script that computes for more than a millisecond is finished on
/// threads of the runner's own. Thousands of runs can wait for host calls at once.
///
/// ```
/// use intermission::{HostFunction, HostFunctions, RunInput, Runner, Value};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let runner = Runner::builder()
///     .host_functions(HostFunctions::new([HostFunction::typed_sync("tools.add", |(a, b): (f64, f64), _| Ok(a + b))])?)
///     .build()?;
/// let source = "const sums = await Promise.all([tools.add([1, 2]), tools.add([3, 4])]);\nsums";
/// let result = runner.run(source).await;
/// assert_eq!(result.into_value()?, Value::array([3.0, 7.0]));
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Runner(Arc<Shared>);

#[expect(clippy::struct_excessive_bools, reason = "settings, each by itself")]
pub(crate) struct Shared {
    pub(crate) premises: Arc<Premises>,
    pub(crate) host_functions: HostFunctions,
    pub(crate) policy: Option<Arc<dyn Policy>>,
    pub(crate) modules: Arc<dyn ModuleLoader>,
    pub(crate) limits: Limits,
    pub(crate) time: Time,
    pub(crate) profile: Profile,
    pub(crate) allow_eval: bool,
    pub(crate) record_reads: bool,
    pub(crate) strict: bool,
    pub(crate) redact: bool,
    pub(crate) drain: Duration,
    pub(crate) sink: Option<Arc<dyn LedgerSink>>,
    pub(crate) faults: Faults,
    pub(crate) claims: Option<Arc<dyn Claims>>,
    codec: Option<Arc<dyn Codec>>,
    audience: Option<String>,
}

/// Makes a [`Runner`]. Every setting has a default.
#[must_use]
#[expect(clippy::struct_excessive_bools, reason = "settings, each by itself")]
pub struct RunnerBuilder {
    engine: EngineConfig,
    premises: Option<Arc<Premises>>,
    host_functions: HostFunctions,
    policy: Option<Arc<dyn Policy>>,
    modules: Arc<dyn ModuleLoader>,
    limits: Limits,
    time: Time,
    profile: Profile,
    allow_eval: bool,
    record_reads: bool,
    strict: bool,
    redact: bool,
    drain: Duration,
    sink: Option<Arc<dyn LedgerSink>>,
    claims: Option<Arc<dyn Claims>>,
    codec: Option<Arc<dyn Codec>>,
    audience: Option<String>,
    most_queued: usize,
    snapshots: u64,
    faults: Faults,
}

impl Runner {
    /// A runner with nothing but defaults: no host functions.
    ///
    /// # Errors
    /// When the engine cannot start.
    pub fn new() -> Result<Self, EngineError> {
        Self::builder().build()
    }

    /// To choose what it has.
    pub fn builder() -> RunnerBuilder {
        RunnerBuilder {
            engine: EngineConfig::default(),
            premises: None,
            host_functions: HostFunctions::default(),
            policy: None,
            modules: Arc::new(NoModules),
            limits: Limits::default(),
            time: Time::System,
            profile: Profile::Full,
            allow_eval: false,
            record_reads: false,
            strict: false,
            redact: false,
            drain: Duration::from_secs(5),
            sink: None,
            claims: None,
            codec: None,
            audience: None,
            most_queued: 10_000,
            snapshots: 64 << 20,
            faults: Faults::default(),
        }
    }

    /// Runs a script to its end, or to where it asks somebody and is put away. Dropping the future ends the run.
    pub async fn run(&self, input: impl Into<RunInput<'_>>) -> RunResult {
        let run_id = new_run_id();
        let begun = begin::first(&self.0, run_id, input.into());
        begin::run(&self.0, run_id, begun).await
    }

    /// A run that has begun and done nothing yet: its ledger has what it was given, and nothing else. It is gone on with like any other, so that it can be kept before it runs. Of the
    /// input, limits, modules and the abort signal are those of an invocation: they are given again with each.
    ///
    /// ```
    /// use intermission::{ResumeInput, Runner, Value};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let runner = Runner::new()?;
    /// let begun = runner.begin("return 6 * 7")?;
    /// let result = runner.resume(ResumeInput::new(begun)).await?;
    /// assert_eq!(result.into_value()?, Value::from(42));
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// [`RunError`] where the source is too long, or the input cannot be sent.
    pub fn begin<'a>(&self, input: impl Into<RunInput<'a>>) -> Result<Continuation, RunError> {
        let begun = begin::first(&self.0, new_run_id(), input.into())?;
        Ok(Continuation::of(begun.ledger))
    }

    /// Goes on with a run, in this process or another, from what an earlier invocation has left. What happened is not done again: the script runs from its top and is told the
    /// same as before, up to where it stopped.
    ///
    /// # Errors
    /// [`ResumeError`]. Nothing has run then, and nothing has changed: the next correct resume works.
    pub async fn resume(&self, input: ResumeInput) -> Result<RunResult, ResumeError> {
        let begun = going_on::begin_again(&self.0, input).await?;
        Ok(going_on::go_on(&self.0, begun).await)
    }

    /// Runs a script against its ledger, and invokes nothing: checks that it still does what it did, and says again what came of it. A run that is not over gives
    /// [`RunResult::Interrupted`], wherever its ledger ends.
    pub async fn replay(&self, continuation: Continuation) -> RunResult {
        begin::replay(&self.0, continuation).await
    }

    /// A token for a continuation, of the runner's codec, bound to its audience and to the caller's context.
    ///
    /// # Errors
    /// [`CodecError`].
    pub async fn encode(&self, continuation: &Continuation, context: &[u8]) -> Result<Token, CodecError> {
        self.0.codec()?.encode(continuation, self.0.scope(context)).await
    }

    /// The continuation in a token. Nothing changes.
    ///
    /// # Errors
    /// [`CodecError`].
    pub async fn decode(&self, token: &str, context: &[u8]) -> Result<Continuation, CodecError> {
        let opened = self.0.codec()?.read(token, self.0.scope(context)).await?;
        Ok(opened.continuation)
    }

    /// What a token says of its run: nothing runs, and nothing changes.
    ///
    /// # Errors
    /// [`CodecError`].
    pub async fn inspect(&self, token: &str, context: &[u8]) -> Result<Inspection, CodecError> {
        Ok(Inspection::of(&self.0.codec()?.read(token, self.0.scope(context)).await?))
    }

    /// Starts a run on the Tokio runtime that this is called in. What it asks can be answered while it goes on.
    ///
    /// # Panics
    /// Outside of a Tokio runtime.
    pub fn start(&self, input: impl Into<RunInput<'static>>) -> RunHandle {
        let run_id = new_run_id();
        let begun = begin::first(&self.0, run_id, input.into());
        let shared = Arc::clone(&self.0);
        RunHandle::new(run_id, |line| {
            let begun = begun.map(|invocation| invocation.on(line));
            tokio::spawn(async move { begin::run(&shared, run_id, begun).await })
        })
    }

    /// Goes on with a run, as [`resume`](Self::resume) does, on the Tokio runtime that this is called in.
    ///
    /// # Errors
    /// [`ResumeError`].
    ///
    /// # Panics
    /// Outside of a Tokio runtime.
    pub async fn start_resume(&self, input: ResumeInput) -> Result<RunHandle, ResumeError> {
        let begun = going_on::begin_again(&self.0, input).await?;
        let (run_id, shared) = (begun.run_id(), Arc::clone(&self.0));
        Ok(RunHandle::new(run_id, |line| {
            tokio::spawn(async move { going_on::go_on(&shared, begun.on(line)).await })
        }))
    }

    /// Whether an answer may be given to a question that is open: everything that [`resume`](Self::resume) checks of it.
    ///
    /// # Errors
    /// [`ResumeError`], as a resume with it would be refused.
    pub fn check(&self, continuation: &Continuation, resolution: &Resolution) -> Result<(), ResumeError> {
        let (ledger, now) = (continuation.ledger(), self.0.time.now());
        crate::resume::answered(ledger, &self.0.host_functions, resolution, now).map(|_| ())
    }

    /// What tells it the time.
    pub fn time(&self) -> u64 {
        self.0.time.now()
    }

    /// Ends a run that was put away, for good: what it asks can no longer be answered. Nothing of it runs. A run that is under way is cancelled by its
    /// [`RunHandle`].
    ///
    /// ```
    /// use intermission::{HostFunction, HostFunctions, ResumeInput, RunResult, Runner};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mail = HostFunction::sync("mail", |call| Ok(call.input())).approval();
    /// let runner = Runner::builder().host_functions(HostFunctions::new([mail])?).build()?;
    /// let asking = runner.run("return await mail('hello')").await;
    /// let cancelled = runner.cancel(ResumeInput::new(asking.continuation().unwrap().clone())).await?;
    /// let RunResult::Cancelled { continuation, report } = cancelled else { panic!("it is over") };
    /// assert_eq!(report.abandoned.len(), 1);
    /// assert_eq!(runner.cancel(ResumeInput::new(continuation)).await.unwrap_err().code(), "RUN_OVER");
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// [`ResumeError`]; [`ResumeError::Over`] where the run is over already.
    pub async fn cancel(&self, input: ResumeInput) -> Result<RunResult, ResumeError> {
        let begun = going_on::begin_again(&self.0, input).await?;
        let result = going_on::go_on(&self.0, begun.on(Line::cancelled())).await;
        let was_over = matches!(result, RunResult::Failed { error: RunError::Aborted, .. });
        if was_over { Err(ResumeError::Over) } else { Ok(result) }
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0
    }

    /// What it lends.
    pub fn host_functions(&self) -> &HostFunctions {
        &self.0.host_functions
    }

    /// TypeScript declarations of what scripts can call: what a model is shown.
    pub fn types(&self) -> String {
        self.0.host_functions.types()
    }
}

impl Shared {
    pub(crate) fn codec(&self) -> Result<&dyn Codec, CodecError> {
        self.codec.as_deref().ok_or(CodecError::None)
    }

    /// What tokens are bound to.
    pub(crate) fn scope<'a>(&'a self, context: &'a [u8]) -> Scope<'a> {
        Scope { audience: self.audience.as_deref(), context, now: self.time.now() }
    }
}

impl RunnerBuilder {
    /// What scripts can call. Default: nothing.
    pub fn host_functions(mut self, host_functions: HostFunctions) -> Self {
        self.host_functions = host_functions;
        self
    }

    /// What decides about each call before it is made. Default: nothing; a function that needs [approval](crate::HostFunction::approval) is asked about, any
    /// other is made.
    pub fn policy(mut self, policy: impl Policy + 'static) -> Self {
        self.policy = Some(Arc::new(policy));
        self
    }

    /// Where modules come from. Default: there are none.
    pub fn modules(mut self, modules: impl ModuleLoader + 'static) -> Self {
        self.modules = Arc::new(modules);
        self
    }

    /// Limits of runs that bring none of their own.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Which realm scripts have. Default: [`Profile::Full`].
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Whether `eval` and `Function` take strings. Default: no.
    pub fn allow_eval(mut self, allow: bool) -> Self {
        self.allow_eval = allow;
        self
    }

    /// Whether every read of the clock and of randomness is an entry of the ledger: `Clock` and `Random`. A replay then finds a script that reads them at
    /// other places. It holds for runs that begin here, wherever they go on. The first entry is the realm's own read, from which `performance.now`
    /// counts. Default: no; the ledger has the seed, and the reads of the clock that gave another value than the one before.
    pub fn record_reads(mut self, record: bool) -> Self {
        self.record_reads = record;
        self
    }

    /// Whether a script that ends without having waited for its host calls fails. Default: no; they are awaited for a while and reported.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Whether scripts are told nothing of a host function's error but that there was one. Default: no.
    pub fn redact_errors(mut self, redact: bool) -> Self {
        self.redact = redact;
        self
    }

    /// How long calls that are still under way at the end of a script are awaited. Default: 5 s.
    pub fn drain(mut self, drain: Duration) -> Self {
        self.drain = drain;
        self
    }

    /// How continuations become tokens, and tokens continuations. Default: not at all.
    pub fn codec(mut self, codec: impl Codec + 'static) -> Self {
        self.codec = Some(Arc::new(codec));
        self
    }

    /// Who uses the tokens: one made for another audience is refused. Default: nobody in particular.
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audience = Some(audience.into());
        self
    }

    /// What remembers which answers a run was gone on with. Default: nothing; a copied continuation can be gone on from twice.
    pub fn claims(mut self, claims: impl Claims + 'static) -> Self {
        self.claims = Some(Arc::new(claims));
        self
    }

    /// Keeps every run's ledger while it goes on. Default: nothing does.
    pub fn ledger_sink(mut self, sink: impl LedgerSink + 'static) -> Self {
        self.sink = Some(Arc::new(sink));
        self
    }

    /// Shares the engine of `other`, its threads and its places: what [`max_runs`](Self::max_runs), [`max_queued`](Self::max_queued), [`snapshots`](Self::snapshots),
    /// [`lanes`](Self::lanes) and [`tick`](Self::tick) say is the other's. Such a runner is made in microseconds, one for each set of host functions if need be. Default: an engine of its own.
    ///
    /// ```
    /// use intermission::{HostFunction, HostFunctions, Runner, Value};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let one = Runner::new()?;
    /// let functions = HostFunctions::new([HostFunction::sync("seven", |_| Ok(7.0))])?;
    /// let other = Runner::builder().beside(&one).host_functions(functions).build()?;
    /// assert_eq!(other.run("return await seven()").await.into_value()?, Value::from(7.0));
    /// # Ok(()) }
    /// ```
    pub fn beside(mut self, other: &Runner) -> Self {
        self.premises = Some(Arc::clone(&other.0.premises));
        self
    }

    /// Runs that can be there at once. Default: 2,048.
    pub fn max_runs(mut self, runs: NonZeroU32) -> Self {
        self.engine.slots = runs;
        self
    }

    /// Runs that may wait, in order, for one of the former to end. Default: 10,000.
    pub fn max_queued(mut self, runs: usize) -> Self {
        self.most_queued = runs;
        self
    }

    /// How much memory the sandboxes of paused runs may take, in bytes. A run that is [resumed](Runner::resume) in this process, by the runner that paused it, goes on in its sandbox
    /// at once, if that is still there; else it is replayed, and does the same. A sandbox is given up when others need its memory or its place. 0: none is kept. Default: 64 MiB.
    pub fn snapshots(mut self, bytes: u64) -> Self {
        self.snapshots = bytes;
        self
    }

    /// Separate pools of memory. Default: one a core, at most 8.
    pub fn lanes(mut self, lanes: NonZeroU32) -> Self {
        self.engine.lanes = lanes;
        self
    }

    /// How long a script computes where its future is polled before a thread of the runner's own goes on with it: one to two of these. Limits of CPU and wall-clock time are looked at as
    /// often. Default: 1 ms.
    pub fn tick(mut self, tick: Duration) -> Self {
        self.engine.tick = Some(tick);
        self
    }

    /// Does one thing wrong: for the tests of the laws.
    #[cfg(feature = "faults")]
    pub fn fault(mut self, fault: intermission_ledger::Fault) -> Self {
        self.faults = Faults::only(fault);
        self
    }

    /// What tells scripts the time. Default: the system's clock.
    pub fn time_source(mut self, time: impl TimeSource + 'static) -> Self {
        self.time = Time::Given(Arc::new(time));
        self
    }

    /// The runner.
    ///
    /// # Errors
    /// When the engine cannot start.
    pub fn build(self) -> Result<Runner, EngineError> {
        let premises = match self.premises {
            Some(premises) => premises,
            None => Arc::new(Premises::new(Engine::new(self.engine)?, self.most_queued, self.snapshots)),
        };
        Ok(Runner(Arc::new(Shared {
            premises,
            host_functions: self.host_functions,
            policy: self.policy,
            modules: self.modules,
            limits: self.limits,
            time: self.time,
            profile: self.profile,
            allow_eval: self.allow_eval,
            record_reads: self.record_reads,
            strict: self.strict,
            redact: self.redact,
            drain: self.drain,
            sink: self.sink,
            faults: self.faults,
            claims: self.claims,
            codec: self.codec,
            audience: self.audience,
        })))
    }
}
