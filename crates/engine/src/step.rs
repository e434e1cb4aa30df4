//! What goes into a sandbox and what comes out of it, a slice at a time.

use std::sync::Arc;

use intermission_value::Value;

use crate::{Exhausted, Thrown};

/// The number of a host call, from 1, in the order in which the script made them. Blocking calls and module requests count.
pub type CallId = u32;
/// The number of a timer, from 1.
pub type TimerId = u32;

/// A place in the text that the guest runs: 1-based line and column, the column in bytes of UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// Why the guest is entered.
#[derive(Debug)]
pub enum Event {
    /// For the first time.
    Start,
    /// A host call has its outcome.
    Settled {
        /// Which.
        call: CallId,
        /// What became of it.
        outcome: Outcome,
    },
    /// A timer is due.
    Due(TimerId),
    /// The question of [`Step::Blocked`] is answered. For [`Question::Normalize`] and [`Question::Load`], `Fulfilled` is the text itself, not a value.
    Answered(Outcome),
    /// After [`Step::Yielded`]: go on.
    Resumed,
    /// Tell `data` as it is now.
    Report,
}

/// What became of a host call. Bytes are the encoded form of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its value.
    Fulfilled(Vec<u8>),
    /// What it throws, mostly an encoded error.
    Rejected(Vec<u8>),
}

/// How a slice ended.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// The job queue is empty and the run has not ended.
    Idle,
    /// The run has ended.
    Ended(End),
    /// The guest asked something and waits on the spot. Next: [`Event::Answered`].
    Blocked(Question),
    /// The guest has computed for a while without coming to an end, and stands still so that others may go on. Next: [`Event::Resumed`]. A
    /// driver for which that was enough drops the sandbox instead.
    Yielded,
}

/// How a run ended.
#[derive(Debug, PartialEq)]
pub struct End {
    /// Its value in encoded form, or what it threw.
    pub result: Result<Vec<u8>, Box<Thrown>>,
    /// The final state of `data`; absent where it cannot be sent, with the reason as a rejection.
    pub data: Result<Vec<u8>, Box<Thrown>>,
    /// Rejections that nobody handled.
    pub unhandled: Vec<Thrown>,
}

/// What the script asked for in a slice; nothing has been done about it yet.
#[derive(Debug, PartialEq)]
pub enum Request {
    /// A host call.
    Call(Call),
    /// `setTimeout` and the like. An interval sets a new timer at each tick.
    TimerSet {
        /// Which.
        timer: TimerId,
        /// In milliseconds, from now on the run's clock; not negative.
        delay: f64,
    },
    /// A timer that is no longer wanted.
    TimerCleared(TimerId),
    /// It read `Math.random` or `crypto`, and such reads are recorded: the number, or the bytes as an `ArrayBuffer`; encoded.
    Random(Vec<u8>),
}

/// One call of a host function.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its number.
    pub id: CallId,
    /// Which function: its index in [`crate::Start::functions`].
    pub function: u32,
    /// The script or module that calls; absent where it is neither.
    pub file: Option<Arc<str>>,
    /// Where in it.
    pub position: Option<Position>,
    /// The encoded array of its arguments.
    pub arguments: Vec<u8>,
}

impl Call {
    /// The same but for its arguments: what a report needs.
    #[must_use]
    pub fn without_arguments(&self) -> Self {
        let Self { id, function, file, position, .. } = self;
        Self { id: *id, function: *function, file: file.clone(), position: *position, arguments: Vec::new() }
    }
}

/// What a guest waits for on the spot.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// A call of a blocking host function.
    Call(Call),
    /// The name of a module.
    Normalize {
        /// Its number among the calls.
        id: CallId,
        /// As the script says it.
        specifier: String,
        /// The name of the module that says it.
        importer: String,
    },
    /// The text of a module.
    Load {
        /// Its number among the calls.
        id: CallId,
        /// Its name.
        name: String,
    },
}

/// Why a sandbox cannot go on. It is spent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Stop {
    /// A limit.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// Its driver had no more patience, or a [`crate::Stopper`] was used. Why is the driver's knowledge.
    #[error("the sandbox was stopped from outside")]
    Stopped,
    /// The guest did what a sound guest does not: a fault of the engine, contained by the sandbox.
    #[error("the sandbox trapped: {0}")]
    Trapped(String),
}

/// One line of the console.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsoleEntry {
    /// Which method: `log`, `warn`, `table`.
    pub method: String,
    /// As it would be printed, indented by its groups.
    pub text: String,
    /// The arguments. What cannot be sent stands as a short text; none where that is not possible either.
    pub arguments: Vec<Value>,
}
