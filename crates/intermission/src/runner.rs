//! What runs scripts.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use intermission_engine::{Engine, EngineConfig, EngineError, Profile};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::clock::{SystemTimeSource, TimeSource};
use crate::modules::{ModuleLoader, NoModules};
use crate::workers::Workers;
use crate::{HostFunctions, Limits, RunError, RunInput, RunResult};

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

pub(crate) struct Shared {
    pub(crate) engine: Engine,
    pub(crate) workers: Workers,
    pub(crate) host_functions: HostFunctions,
    pub(crate) modules: Arc<dyn ModuleLoader>,
    pub(crate) limits: Limits,
    pub(crate) time: Arc<dyn TimeSource>,
    pub(crate) profile: Profile,
    pub(crate) allow_eval: bool,
    pub(crate) strict: bool,
    pub(crate) redact: bool,
    pub(crate) drain: std::time::Duration,
    slots: Arc<Semaphore>,
    queued: AtomicUsize,
    most_queued: usize,
}

/// Makes a [`Runner`]. Every setting has a default.
#[must_use]
pub struct RunnerBuilder {
    engine: EngineConfig,
    host_functions: HostFunctions,
    modules: Arc<dyn ModuleLoader>,
    limits: Limits,
    time: Arc<dyn TimeSource>,
    profile: Profile,
    allow_eval: bool,
    strict: bool,
    redact: bool,
    drain: std::time::Duration,
    most_queued: usize,
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
            host_functions: HostFunctions::default(),
            modules: Arc::new(NoModules),
            limits: Limits::default(),
            time: Arc::new(SystemTimeSource),
            profile: Profile::Full,
            allow_eval: false,
            strict: false,
            redact: false,
            drain: std::time::Duration::from_secs(5),
            most_queued: 10_000,
        }
    }

    /// Runs a script to its end. Dropping the future ends the run.
    pub async fn run(&self, input: impl Into<RunInput<'_>>) -> RunResult {
        crate::begin::run(&self.0, input.into()).await
    }

    /// What it lends.
    pub fn host_functions(&self) -> &HostFunctions {
        &self.0.host_functions
    }

    /// TypeScript declarations of what scripts can call: what a model is shown.
    pub fn types(&self) -> String {
        crate::declarations::declarations(&self.0.host_functions)
    }
}

impl Shared {
    /// A place for one more run, if there is one and nobody waits for it.
    pub(crate) fn try_slot(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.slots).try_acquire_owned().ok()
    }

    /// A place for one more run, in the order of asking.
    pub(crate) async fn slot(&self) -> Result<OwnedSemaphorePermit, RunError> {
        let _place = Place::take(&self.queued, self.most_queued)
            .ok_or_else(|| RunError::Busy { running: self.engine.slots(), queued: self.most_queued })?;
        Ok(Arc::clone(&self.slots).acquire_owned().await.expect("the semaphore is never closed"))
    }
}

/// A place in the queue.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(queued: &'a AtomicUsize, most: usize) -> Option<Self> {
        let one_more = |queued| (queued < most).then_some(queued + 1);
        queued.fetch_update(Ordering::AcqRel, Ordering::Acquire, one_more).ok().map(|_| Self(queued))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl RunnerBuilder {
    /// What scripts can call. Default: nothing.
    pub fn host_functions(mut self, host_functions: HostFunctions) -> Self {
        self.host_functions = host_functions;
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
    pub fn drain(mut self, drain: std::time::Duration) -> Self {
        self.drain = drain;
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

    /// Separate pools of memory. Default: one a core, at most 8.
    pub fn lanes(mut self, lanes: NonZeroU32) -> Self {
        self.engine.lanes = lanes;
        self
    }

    /// What tells scripts the time. Default: the system's clock.
    pub fn time_source(mut self, time: impl TimeSource + 'static) -> Self {
        self.time = Arc::new(time);
        self
    }

    /// The runner.
    ///
    /// # Errors
    /// When the engine cannot start.
    pub fn build(self) -> Result<Runner, EngineError> {
        let slots = Arc::new(Semaphore::new(self.engine.slots.get() as usize));
        let engine = Engine::new(self.engine)?;
        Ok(Runner(Arc::new(Shared {
            slots,
            engine,
            workers: Workers::default(),
            host_functions: self.host_functions,
            modules: self.modules,
            limits: self.limits,
            time: self.time,
            profile: self.profile,
            allow_eval: self.allow_eval,
            strict: self.strict,
            redact: self.redact,
            drain: self.drain,
            queued: AtomicUsize::new(0),
            most_queued: self.most_queued,
        })))
    }
}
