//! The engine: compiled code, pools of slots, and the ticker; shared by all runs of a process.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use thread_local::ThreadLocal;

use crate::frame::FunctionTable;
use crate::lane::{Image, Lane};
use crate::limits::SandboxLimits;
use crate::mailbox::Mailbox;
use crate::raw::ImagePages;
use crate::resting::Rest;
use crate::sandbox::Sandbox;
use crate::stopper::Stopper;
use crate::ticker::{SandboxId, Ticker};

/// Compiled code and memory for sandboxes. Cheap to clone; clones share everything.
///
/// ```
/// use intermission_engine::{Engine, EngineConfig, Event, FixedClock, Start, Step};
///
/// let engine = Engine::new(EngineConfig::default())?;
/// let mut sandbox = engine.start(Start::function_body("return 6 * 7"), FixedClock(0))?;
/// let Step::Ended(end) = sandbox.advance(Event::Start)? else { panic!("it calls nobody") };
/// assert_eq!(end.result.unwrap(), [0x18, 42]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    lanes: Arc<[Lane]>,
    next_lane: AtomicUsize,
    next_sandbox: AtomicU64,
    lane_of_thread: ThreadLocal<usize>,
    ticker: Option<Ticker>,
}

/// How an [`Engine`] is made.
#[derive(Clone, Copy, Debug)]
pub struct EngineConfig {
    /// Sandboxes that can exist at once. Address space is set aside for each, memory only as it is used. Default: 2,048.
    pub slots: NonZeroU32,
    /// Separate pools; threads are spread over them. Default: one a core, at most 8.
    pub lanes: NonZeroU32,
    /// A guest that computes for one to two of these stands still once ([`crate::Step::Yielded`]), at the next place where it pauses. `None`: only
    /// when [`Engine::tick`] says so. One that waits for twenty of them gives back what it shares with others. Default: 1 ms.
    pub tick: Option<Duration>,
}

impl Default for EngineConfig {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get).min(8) as u32;
        Self {
            slots: NonZeroU32::MIN.saturating_add(2047),
            lanes: NonZeroU32::new(cores).unwrap_or(NonZeroU32::MIN),
            tick: Some(Duration::from_millis(1)),
        }
    }
}

/// Why an engine or a sandbox could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The address space, a thread or the precompiled code could not be had.
    #[error("the engine cannot start: {0}")]
    Setup(String),
    /// Every slot is taken.
    #[error("all {slots} sandboxes are in use")]
    NoSlot {
        /// How many there are.
        slots: usize,
    },
    /// A limit is set to what no run can live with.
    #[error("the limit `{limit}` must be {least} to {most} bytes, not {given}")]
    Limit {
        /// Which.
        limit: &'static str,
        /// The least that works.
        least: u64,
        /// The most that works.
        most: u64,
        /// What was asked for.
        given: u64,
    },
}

/// Which realm a run has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// ECMAScript, console, timers, URL, crypto, events and the like.
    #[default]
    Full,
    /// ECMAScript and console.
    Bare,
}

/// How a source is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SourceKind {
    /// As the body of an async function: top-level `await` and `return`.
    #[default]
    FunctionBody,
    /// As an ES module. Its value is its default export.
    Module,
}

/// The run's clock. Whole milliseconds since 1970; the sandbox itself never looks at another one.
pub trait Clock: Send {
    /// The time. The guest sees just this: a clock that goes back is seen going back. `requests` is how many [`crate::Request`]s the guest has made
    /// since they were last taken: with it a replay knows where the guest stands.
    fn now(&mut self, requests: usize) -> u64;
}

/// A clock that stands still.
#[derive(Clone, Copy, Debug)]
pub struct FixedClock(pub u64);

impl Clock for FixedClock {
    fn now(&mut self, _requests: usize) -> u64 {
        self.0
    }
}

/// What a run begins with. The same start, clock and events give the same run, bit for bit.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// JavaScript.
    pub text: &'a str,
    /// An expression that is evaluated before the text of a function body, outside of it and on a line that is numbered 0. Default: none.
    pub first: &'a str,
    /// How it is run.
    pub kind: SourceKind,
    /// The script's name in stack traces, and of the main module.
    pub name: &'a str,
    /// The host functions.
    pub functions: &'a FunctionTable,
    /// The global `input`, encoded; absent: `undefined`.
    pub input: Option<&'a [u8]>,
    /// The global `data`, encoded; absent: `undefined`.
    pub data: Option<&'a [u8]>,
    /// Of `Math.random` and `crypto`.
    pub seed: [u8; 32],
    /// Which realm.
    pub profile: Profile,
    /// Whether `eval` and `Function` take strings.
    pub allow_eval: bool,
    /// Whether every read of randomness is a [`Request`](crate::Request), and every read of the clock counts as one. Default: no.
    pub record_reads: bool,
    /// What a read that counts takes in the record, in bytes, besides what every entry does. Default: 0.
    pub read_bytes: u64,
    /// A host function whose calls are reads of randomness: they count as such, and not as calls. Default: none.
    pub reads_by: Option<u32>,
    /// Limits.
    pub limits: SandboxLimits,
}

static NO_FUNCTIONS: FunctionTable = FunctionTable::empty();

impl<'a> Start<'a> {
    /// A function body named `script.js` with nothing but defaults.
    pub fn function_body(text: &'a str) -> Self {
        Self {
            text,
            first: "",
            kind: SourceKind::FunctionBody,
            name: "script.js",
            functions: &NO_FUNCTIONS,
            input: None,
            data: None,
            seed: [0; 32],
            profile: Profile::Full,
            allow_eval: false,
            record_reads: false,
            read_bytes: 0,
            reads_by: None,
            limits: SandboxLimits::default(),
        }
    }
}

impl Engine {
    /// An engine with its pools and its ticker.
    ///
    /// # Errors
    /// [`EngineError::Setup`].
    pub fn new(config: EngineConfig) -> Result<Self, EngineError> {
        let lanes = config.lanes.min(config.slots).get();
        let slots = config.slots.get().div_ceil(lanes);
        let lanes: Arc<[Lane]> = (0..lanes)
            .map(|_| Lane::new(slots).map_err(|error| EngineError::Setup(format!("{error:#}"))))
            .collect::<Result<_, _>>()?;
        let ticker = match config.tick {
            Some(tick) => Some(
                Ticker::new(Arc::clone(&lanes), tick)
                    .map_err(|error| EngineError::Setup(error.to_string()))?,
            ),
            None => None,
        };
        let inner = Inner {
            lanes,
            next_lane: AtomicUsize::new(0),
            next_sandbox: AtomicU64::new(0),
            lane_of_thread: ThreadLocal::new(),
            ticker,
        };
        Ok(Self(Arc::new(inner)))
    }

    /// A sandbox for one invocation. Nothing runs before [`Sandbox::advance`].
    ///
    /// # Errors
    /// [`EngineError::NoSlot`] when all are taken; [`EngineError::Limit`]; [`EngineError::Setup`] when memory could not be had.
    pub fn start(&self, start: Start<'_>, clock: impl Clock + 'static) -> Result<Sandbox, EngineError> {
        self.instantiate(start.profile.into(), &start, Box::new(clock))
    }

    /// A sandbox whose realm is the bare one, locked: none of its built-ins can be changed, and there is neither `input` nor `data`. A group of host functions
    /// answers to every name: what is not lent calls the function of the group whose name is empty, with the whole name and a list of the arguments. What
    /// goes beyond the limit of the console is dropped, and the run goes on.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_locked(
        &self,
        start: Start<'_>,
        clock: impl Clock + 'static,
    ) -> Result<Sandbox, EngineError> {
        self.instantiate(Image::Locked, &start, Box::new(clock))
    }

    fn instantiate(
        &self,
        image: Image,
        start: &Start<'_>,
        clock: Box<dyn Clock>,
    ) -> Result<Sandbox, EngineError> {
        check(&start.limits)?;
        let slot = self.take_slot()?;
        let drops = image == Image::Locked;
        let mailbox = Mailbox::new(start, drops, clock);
        let guest = slot
            .lane()
            .instantiate(image, &mailbox)
            .map_err(|error| EngineError::Setup(format!("{error:#}")))?;
        Ok(Sandbox::new(slot, guest, mailbox, start))
    }

    /// Loads the code of `profile` now and not with the first run.
    ///
    /// # Errors
    /// [`EngineError::Setup`].
    pub fn warm_up(&self, profile: Profile) -> Result<(), EngineError> {
        for lane in self.0.lanes.iter() {
            lane.prepared(profile.into()).map_err(|error| EngineError::Setup(format!("{error:#}")))?;
        }
        Ok(())
    }

    /// A tick: makes every guest that computes at this moment stand still at its next loop or call that pauses, and stops the one that has
    /// used up the ticks of [`Sandbox::stop_after`]. A sandbox that nobody has entered for twenty ticks gives back the memory that it shares with others of its
    /// profile; it comes again as it is read.
    pub fn tick(&self) {
        for lane in self.0.lanes.iter() {
            lane.running.raise();
            lane.resting.tick();
        }
    }

    /// How many sandboxes can exist at once.
    pub fn slots(&self) -> usize {
        self.0.lanes.iter().map(Lane::slots).sum()
    }

    /// A slot on this thread's lane, or on another where that is full.
    fn take_slot(&self) -> Result<Slot, EngineError> {
        let count = self.0.lanes.len();
        let own = *self.0.lane_of_thread.get_or(|| self.0.next_lane.fetch_add(1, Ordering::Relaxed) % count);
        (0..count)
            .map(|step| (own + step) % count)
            .find(|lane| self.0.lanes[*lane].take_slot())
            .map(|lane| Slot {
                engine: self.clone(),
                lane,
                sandbox: SandboxId(self.0.next_sandbox.fetch_add(1, Ordering::Relaxed)),
            })
            .ok_or_else(|| EngineError::NoSlot { slots: self.slots() })
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("lanes", &self.0.lanes.len()).field("slots", &self.slots()).finish()
    }
}

fn check(limits: &SandboxLimits) -> Result<(), EngineError> {
    let bounds = [
        ("memory", limits.memory, SandboxLimits::LEAST_MEMORY, 1 << 32),
        (
            "js_stack",
            limits.js_stack.into(),
            SandboxLimits::LEAST_STACK.into(),
            SandboxLimits::MOST_STACK.into(),
        ),
    ];
    for (limit, given, least, most) in bounds {
        if !(least..=most).contains(&given) {
            return Err(EngineError::Limit { limit, least, most, given });
        }
    }
    Ok(())
}

/// A place in a pool, given back when dropped.
pub(crate) struct Slot {
    engine: Engine,
    lane: usize,
    /// Who has it.
    pub(crate) sandbox: SandboxId,
}

impl Slot {
    pub(crate) fn lane(&self) -> &Lane {
        &self.engine.0.lanes[self.lane]
    }

    /// How many ticks surely last for `span`; without a ticker nobody counts them.
    pub(crate) fn ticks_in(&self, span: Duration) -> u32 {
        self.engine.0.ticker.as_ref().map_or(u32::MAX, |ticker| ticker.ticks_in(span))
    }

    pub(crate) fn stopper(&self) -> Stopper {
        Stopper::new(Arc::clone(&self.engine.0.lanes), self.lane, self.sandbox)
    }

    /// The sandbox begins to rest. Its image is at `pages`.
    pub(crate) fn rest(&self, pages: ImagePages) -> Rest {
        self.lane().resting.begin(pages)
    }

    pub(crate) fn keep_awake(&self) {
        if let Some(ticker) = &self.engine.0.ticker {
            ticker.keep_awake();
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.lane().give_slot_back();
    }
}
