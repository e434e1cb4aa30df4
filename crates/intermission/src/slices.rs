//! A script slice by slice, without a ledger: for hosts that keep a record of their own.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use intermission_engine::{
    Event, FunctionTable, Outcome, Question, Request, SourceKind as EngineKind, Start, Step, Thrown,
};
use intermission_source::{Options, SourceKind};

use crate::abort::StopOnAbort;
use crate::budget::Budget;
use crate::positions::Positions;
use crate::premises::Premises;
use crate::seat::Seat;
use crate::{AbortSignal, ConsoleEntry, Limits, RunError, Runner, ScriptError};

/// A script in a sandbox of its own, entered by hand, in the locked realm: nothing of the language can be changed by it, its clock takes a step with every look, and
/// its value is what it returns. There is no ledger, no timer and no waiting here: whoever drives it records what it did and
/// plays that back, and looks at the wall's clock while nothing computes.
///
/// ```
/// use intermission::{Entering, Limits, Runner, Slice, SliceOutcome, Slices, SlicesInput, Value, value};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let input = SlicesInput { functions: &[("tools.add", false)], ..SlicesInput::new("return 1 + await tools.add(2, 3)") };
/// let mut slices = Slices::begin(&Runner::new()?, input)?;
/// assert!(matches!(slices.enter(Entering::Start).await?, Slice::Idle));
/// let calls = slices.take_calls();
/// assert_eq!(value::decode(&calls[0].arguments, usize::MAX)?, Value::array([2.0, 3.0]));
/// let outcome = SliceOutcome::Fulfilled(value::encode(&Value::from(5.0))?);
/// let Slice::Ended(Ok(bytes)) = slices.enter(Entering::Settled { call: calls[0].id, outcome, at: 0 }).await? else { panic!("it is over") };
/// assert_eq!(value::decode(&bytes, usize::MAX)?, Value::from(6.0));
/// # Ok(()) }
/// ```
pub struct Slices {
    premises: Arc<Premises>,
    /// Away while a worker has it.
    seat: Option<Seat>,
    budget: Budget,
    positions: Positions,
    clock: SteppingClock,
    most_source: usize,
    /// The module whose text is asked for.
    loading: Option<String>,
    calls: Vec<SliceCall>,
    _stops: Vec<StopOnAbort>,
}

/// What [`Slices`] begin with.
#[derive(Clone, Debug)]
pub struct SlicesInput<'a> {
    /// JavaScript or TypeScript.
    pub source: &'a str,
    /// Whether it is a module, which has no value.
    pub module: bool,
    /// The script's name in stack traces.
    pub name: &'a str,
    /// The host functions, `group.name`, and whether calls of each block. One whose name within its group is empty is called for every name that the group does
    /// not have, with the whole name and a list of the arguments.
    pub functions: &'a [(&'a str, bool)],
    /// Of `Math.random`.
    pub seed: [u8; 32],
    /// What the first look at the clock gives; each look gives a millisecond more.
    pub time: u64,
    /// What it may use. Timers, calls in flight, the ledger and the size of outcomes are its driver's affair.
    pub limits: Limits,
    /// Who stops it.
    pub abort: Option<AbortSignal>,
}

impl<'a> SlicesInput<'a> {
    /// A function body with nothing but defaults.
    pub fn new(source: &'a str) -> Self {
        Self {
            source,
            module: false,
            name: "script.js",
            functions: &[],
            seed: [0; 32],
            time: 0,
            limits: Limits::default(),
            abort: None,
        }
    }
}

/// Why the script is entered.
#[derive(Debug)]
pub enum Entering {
    /// For the first time.
    Start,
    /// A call has its outcome.
    Settled {
        /// Which.
        call: u32,
        /// What became of it.
        outcome: SliceOutcome,
        /// From now on the script's clock gives no earlier time.
        at: u64,
    },
    /// A blocking call has its outcome.
    Answered(SliceOutcome),
    /// The name that a module has, or an encoded error.
    Named(Result<String, Vec<u8>>),
    /// The text of the module that was asked for, or an encoded error.
    Loaded(Result<String, Vec<u8>>),
}

/// What became of a call: bytes of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SliceOutcome {
    /// Its value.
    Fulfilled(Vec<u8>),
    /// What it throws.
    Rejected(Vec<u8>),
}

/// How a slice ended.
#[derive(Debug)]
pub enum Slice {
    /// The script waits for outcomes of calls, or for what never comes.
    Idle,
    /// It waits on the spot for a call. Next: [`Entering::Answered`].
    Blocked(SliceCall),
    /// It waits for the name of a module. Next: [`Entering::Named`].
    Names {
        /// Its number among the calls.
        id: u32,
        /// As the script says it.
        specifier: String,
        /// The name of the module that says it.
        importer: String,
    },
    /// It waits for the text of a module. Next: [`Entering::Loaded`].
    Loads {
        /// Its number among the calls.
        id: u32,
        /// Its name.
        name: String,
    },
    /// It has ended: with the bytes of its value, or with what it threw.
    Ended(Result<Vec<u8>, Box<SliceError>>),
}

/// One call of a host function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceCall {
    /// Its number, from 1, in the order of the calls; blocking ones and modules count.
    pub id: u32,
    /// Which function: its place in [`SlicesInput::functions`].
    pub function: u32,
    /// The bytes of the list of its arguments.
    pub arguments: Vec<u8>,
}

/// What ended a script.
#[derive(Debug)]
pub struct SliceError {
    /// What was thrown.
    pub error: ScriptError,
    /// Whose it is.
    pub origin: ErrorOrigin,
}

/// Where an error that ended a script comes from. No script can pretend another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorOrigin {
    /// The script.
    Script,
    /// The outcome of a host call.
    Call(u32),
    /// A value of the script's that cannot cross.
    Value,
}

impl Slices {
    /// A script that has not been entered yet, on the premises of `runner`.
    ///
    /// # Errors
    /// [`RunError::Source`], [`RunError::Engine`]; [`RunError::Busy`] when there is no place at once.
    pub fn begin(runner: &Runner, input: SlicesInput<'_>) -> Result<Self, RunError> {
        let premises = Arc::clone(&runner.shared().premises);
        let options = Options { kind: SourceKind::Imported, max_bytes: input.limits.source };
        let script = premises.scripts.prepare(input.source, &options)?;
        let positions = Positions::new(input.name, script);
        let functions = FunctionTable::new(input.functions.iter().copied());
        let start = Start {
            kind: if input.module { EngineKind::Module } else { EngineKind::FunctionBody },
            name: positions.guest_name(),
            functions: &functions,
            seed: input.seed,
            limits: input.limits.sandbox(),
            ..Start::function_body(&positions.script().text)
        };
        let place = premises
            .try_slot()
            .ok_or_else(|| RunError::Busy { running: premises.engine.slots(), queued: 0 })?;
        // The guest looks once while it starts.
        let clock = SteppingClock::new(input.time.saturating_sub(1));
        let sandbox = premises.engine.start_locked(start, clock.clone())?;
        let budget = Budget::new(&input.limits, None, input.abort.into_iter().collect());
        let stops = budget.stop_on_abort(&sandbox);
        Ok(Self {
            premises,
            seat: Some(Seat::new(sandbox, place)),
            budget,
            positions,
            clock,
            most_source: input.limits.source,
            loading: None,
            calls: Vec::new(),
            _stops: stops,
        })
    }

    /// Enters the script and runs it until it waits or has ended. It begins on the calling thread; what takes more than a tick is finished on one of the
    /// runner's own.
    ///
    /// # Errors
    /// A limit, an abort, a trap. The sandbox is spent then; its console can still be taken.
    ///
    /// # Panics
    /// When `entering` does not fit where the script stands, or it has ended.
    pub async fn enter(&mut self, entering: Entering) -> Result<Slice, RunError> {
        let event = self.event(entering)?;
        let mut seat = self.seat.take().expect("it comes back after each slice");
        let mut step = match self.budget.check(seat.usage().cpu) {
            Ok(()) => self.budget.advance(&mut seat, event),
            Err(error) => Err(error),
        };
        if matches!(step, Ok(Step::Yielded)) {
            (seat, step) = self.premises.workers.finish(seat, self.budget.clone()).await?;
        }
        let calls = seat.take_requests().into_iter().filter_map(|request| match request {
            Request::Call(call) => Some(SliceCall::of(call)),
            _ => None,
        });
        self.calls.extend(calls);
        self.seat = Some(seat);
        Ok(match step? {
            Step::Idle => Slice::Idle,
            Step::Blocked(Question::Call(call)) => Slice::Blocked(SliceCall::of(call)),
            Step::Blocked(Question::Normalize { id, specifier, importer }) => {
                Slice::Names { id, specifier, importer: self.positions.original_name(importer) }
            }
            Step::Blocked(Question::Load { id, name }) => {
                self.loading = Some(name.clone());
                Slice::Loads { id, name }
            }
            Step::Ended(end) => Slice::Ended(end.result.map_err(|thrown| {
                let origin = ErrorOrigin::of(&thrown);
                Box::new(SliceError { error: ScriptError::new(*thrown, &self.positions), origin })
            })),
            Step::Yielded => unreachable!("a slice is driven to its end"),
        })
    }

    fn event(&mut self, entering: Entering) -> Result<Event, RunError> {
        Ok(match entering {
            Entering::Start => Event::Start,
            Entering::Settled { call, outcome, at } => {
                self.clock.not_before(at);
                Event::Settled { call, outcome: outcome.into() }
            }
            Entering::Answered(outcome) => Event::Answered(outcome.into()),
            Entering::Named(Ok(name)) => Event::Answered(Outcome::Fulfilled(name.into_bytes())),
            Entering::Loaded(Ok(text)) => Event::Answered(Outcome::Fulfilled(self.module(&text)?)),
            Entering::Named(Err(error)) | Entering::Loaded(Err(error)) => {
                Event::Answered(Outcome::Rejected(error))
            }
        })
    }

    /// What the guest runs of a module. One that cannot be read is handed on as it is, so that it fails in the script.
    fn module(&mut self, text: &str) -> Result<Vec<u8>, RunError> {
        let name = self.loading.take().unwrap_or_default();
        match self.positions.prepare_module(&name, text, self.most_source) {
            Ok(prepared) => Ok(prepared),
            Err(intermission_source::SourceError::TooLarge { bytes, limit }) => {
                let (allowed, used) = (limit as u64, bytes as u64);
                Err(crate::Exhausted { limit: crate::Limit::Source, allowed, used }.into())
            }
            Err(_) => Ok(text.as_bytes().to_vec()),
        }
    }

    /// The calls that do not block, since the last time, in the order in which they were made.
    pub fn take_calls(&mut self) -> Vec<SliceCall> {
        std::mem::take(&mut self.calls)
    }

    /// What came on the console since the last time. Nothing while it computes.
    pub fn take_console(&mut self) -> Vec<ConsoleEntry> {
        self.seat.as_mut().map(|seat| seat.take_console()).unwrap_or_default()
    }
}

impl SliceCall {
    fn of(call: intermission_engine::Call) -> Self {
        Self { id: call.id, function: call.function, arguments: call.arguments }
    }
}

impl ErrorOrigin {
    fn of(thrown: &Thrown) -> Self {
        match thrown.call {
            None => Self::Script,
            Some(Thrown::REFUSED_VALUE) => Self::Value,
            Some(call) => Self::Call(call),
        }
    }
}

impl From<SliceOutcome> for Outcome {
    fn from(outcome: SliceOutcome) -> Self {
        match outcome {
            SliceOutcome::Fulfilled(bytes) => Self::Fulfilled(bytes),
            SliceOutcome::Rejected(bytes) => Self::Rejected(bytes),
        }
    }
}

impl fmt::Debug for Slices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slices").field("sandbox", &self.seat.as_deref()).finish_non_exhaustive()
    }
}

/// Every look gives a millisecond more than the one before: what is read depends on nothing but the script.
#[derive(Clone)]
struct SteppingClock(Arc<AtomicU64>);

impl SteppingClock {
    fn new(first: u64) -> Self {
        Self(Arc::new(AtomicU64::new(first)))
    }

    fn not_before(&self, time: u64) {
        self.0.fetch_max(time, Ordering::Relaxed);
    }
}

impl intermission_engine::Clock for SteppingClock {
    fn now(&mut self, _requests: usize) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}
