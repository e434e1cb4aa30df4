//! A script slice by slice, without a ledger: for hosts that keep a record of their own.

mod realm;

use std::fmt;
use std::sync::Arc;

use intermission_engine::{
    Event, FunctionTable, Outcome, Profile, Question, Request, SourceKind as EngineKind, Start, Step, Thrown,
};
use intermission_source::{Options, SourceKind};
use intermission_value::{Value, encode};

use self::realm::{DRAW, DRAWN_RANDOM, READ_BYTES, SlicesClock, SteppingClock, ToldClock};
pub use self::realm::{SliceRead, SlicesRealm};

use crate::abort::StopOnAbort;
use crate::budget::Budget;
use crate::positions::Positions;
use crate::premises::Premises;
use crate::seat::Seat;
use crate::{AbortSignal, ConsoleEntry, Limits, RunError, Runner, ScriptError};

/// A script in a sandbox of its own, entered by hand, in one of two [realms](SlicesRealm). Its value is what it returns. There is no ledger, no timer and no waiting here: whoever drives it
/// records what it did and plays that back, and looks at the wall's clock while nothing computes.
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
    clock: SlicesClock,
    /// The number of the function that draws a random number.
    draw: Option<u32>,
    /// The number of the newest call.
    last_call: u32,
    data: Option<Result<Vec<u8>, Box<ScriptError>>>,
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
    /// Whether it is a module, which has no value. Of the bare realm it never is.
    pub module: bool,
    /// The script's name in stack traces.
    pub name: &'a str,
    /// The host functions, `group.name`, and whether calls of each block. One whose name within its group is empty is called for every name that the group does
    /// not have, with the whole name and a list of the arguments.
    pub functions: &'a [(&'a str, bool)],
    /// What it finds.
    pub realm: SlicesRealm<'a>,
    /// What it may use. Timers, calls in flight, the ledger and the size of outcomes are its driver's affair.
    pub limits: Limits,
    /// Who stops it.
    pub abort: Option<AbortSignal>,
}

impl<'a> SlicesInput<'a> {
    /// A function body in a locked realm of time 0, with nothing but defaults.
    pub fn new(source: &'a str) -> Self {
        Self {
            source,
            module: false,
            name: "script.js",
            functions: &[],
            realm: SlicesRealm::Locked { seed: [0; 32], time: 0 },
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
        /// From now on the clock of a locked realm gives no earlier time.
        at: u64,
    },
    /// A blocking call has its outcome.
    Answered(SliceOutcome),
    /// The name that a module has, or an encoded error.
    Named(Result<String, Vec<u8>>),
    /// The text of the module that was asked for, or an encoded error.
    Loaded(Result<String, Vec<u8>>),
    /// A random number, from 0 up to 1.
    Drawn(f64),
    /// To say what `data` is now: [`Slices::take_data`]. Nothing of the script goes on, but for getters in it.
    Report,
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
    /// It waits for a random number. Next: [`Entering::Drawn`].
    Draws,
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
        let mut positions = Positions::new(input.name, script);
        let mut lent = input.functions.to_vec();
        let mut draw = None;
        if let SlicesRealm::Bare { .. } = input.realm {
            positions = positions.hiding_first();
            draw = Some(lent.len() as u32);
            lent.push((DRAW, true));
        }
        let functions = FunctionTable::new(lent.into_iter());
        let start = Start {
            kind: if input.module { EngineKind::Module } else { EngineKind::FunctionBody },
            name: positions.guest_name(),
            functions: &functions,
            limits: input.limits.sandbox(),
            ..Start::function_body(&positions.script().text)
        };
        let place = premises
            .try_slot()
            .ok_or_else(|| RunError::Busy { running: premises.engine.slots(), queued: 0 })?;
        let (sandbox, clock) = match input.realm {
            SlicesRealm::Locked { seed, time } => {
                // The guest looks once while it starts.
                let clock = SteppingClock::new(time.saturating_sub(1));
                let start = Start { seed, ..start };
                (premises.engine.start_locked(start, clock.clone())?, SlicesClock::Stepping(clock))
            }
            SlicesRealm::Bare { data, clock } => {
                let clock = ToldClock::new(runner.shared().time.clone(), clock);
                let start = Start {
                    data: Some(data),
                    profile: Profile::Bare,
                    record_reads: true,
                    read_bytes: READ_BYTES,
                    reads_by: draw,
                    first: DRAWN_RANDOM,
                    ..start
                };
                (premises.engine.start(start, clock.clone())?, SlicesClock::Told(clock))
            }
        };
        let budget = Budget::new(&input.limits, None, input.abort.into_iter().collect());
        let stops = budget.stop_on_abort(&sandbox);
        Ok(Self {
            premises,
            seat: Some(Seat::new(sandbox, place)),
            budget,
            positions,
            clock,
            draw,
            last_call: 0,
            data: None,
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
        if let SlicesClock::Told(clock) = &self.clock {
            clock.enter(self.last_call);
        }
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
        if let Some(call) = self.calls.last() {
            self.last_call = self.last_call.max(call.id);
        }
        if let Some(data) = seat.take_data() {
            self.data = Some(self.told_data(data.map_err(Box::new)));
        }
        self.seat = Some(seat);
        Ok(match step? {
            Step::Idle => Slice::Idle,
            Step::Blocked(Question::Call(call)) => {
                self.last_call = call.id;
                if self.draw == Some(call.function) {
                    Slice::Draws
                } else {
                    Slice::Blocked(SliceCall::of(call))
                }
            }
            Step::Blocked(Question::Normalize { id, specifier, importer }) => {
                self.last_call = id;
                Slice::Names { id, specifier, importer: self.positions.original_name(importer) }
            }
            Step::Blocked(Question::Load { id, name }) => {
                self.last_call = id;
                self.loading = Some(name.clone());
                Slice::Loads { id, name }
            }
            Step::Ended(end) => {
                // A locked realm has none.
                self.data = self.draw.is_some().then(|| self.told_data(end.data));
                Slice::Ended(end.result.map_err(|thrown| {
                    let origin = ErrorOrigin::of(&thrown);
                    Box::new(SliceError { error: ScriptError::new(*thrown, &self.positions), origin })
                }))
            }
            Step::Yielded => unreachable!("a slice is driven to its end"),
        })
    }

    fn event(&mut self, entering: Entering) -> Result<Event, RunError> {
        Ok(match entering {
            Entering::Start => Event::Start,
            Entering::Settled { call, outcome, at } => {
                if let SlicesClock::Stepping(clock) = &self.clock {
                    clock.not_before(at);
                }
                Event::Settled { call, outcome: outcome.into() }
            }
            Entering::Answered(outcome) => Event::Answered(outcome.into()),
            Entering::Named(Ok(name)) => Event::Answered(Outcome::Fulfilled(name.into_bytes())),
            Entering::Loaded(Ok(text)) => Event::Answered(Outcome::Fulfilled(self.module(&text)?)),
            Entering::Named(Err(error)) | Entering::Loaded(Err(error)) => {
                Event::Answered(Outcome::Rejected(error))
            }
            Entering::Drawn(number) => {
                let number = encode(&Value::from(number)).expect("a number can be encoded");
                Event::Answered(Outcome::Fulfilled(number))
            }
            Entering::Report => Event::Report,
        })
    }

    fn told_data(&self, data: Result<Vec<u8>, Box<Thrown>>) -> Result<Vec<u8>, Box<ScriptError>> {
        data.map_err(|thrown| Box::new(ScriptError::new(*thrown, &self.positions)))
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

    /// The reads of the clock of a [bare](SlicesRealm::Bare) realm since the last time, in order.
    pub fn take_reads(&mut self) -> Vec<SliceRead> {
        match &self.clock {
            SlicesClock::Told(clock) => clock.take_reads(),
            SlicesClock::Stepping(_) => Vec::new(),
        }
    }

    /// The encoded `data`, or why it cannot be sent: behind [`Entering::Report`] and when the script has ended.
    pub fn take_data(&mut self) -> Option<Result<Vec<u8>, Box<ScriptError>>> {
        self.data.take()
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
