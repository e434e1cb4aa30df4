//! What a ledger is made of.
//!
//! *Guest entries* are what the guest can see; a replay compares them. *Host entries* are applied in passing. The numbers are the format: they are
//! never changed and never used again.

use minicbor::{Decode, Encode};

use crate::RunId;
use crate::back::LastCall;
pub use crate::encoded::Encoded;
use crate::encoded::Whole;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
#[cbor(flat, context_bound = "LastCall + Whole")]
pub enum Entry {
    /// Host, the first of every ledger: what the run began with.
    #[n(0)]
    Started(#[n(0)] Box<Started>),
    /// Guest: it called a host function, or asked for a module.
    #[n(1)]
    Called {
        /// The request index: 1 and so on, in call order.
        #[cbor(n(0), with = "crate::back::next")]
        call: u32,
        /// What it asked for.
        #[n(1)]
        request: Request,
    },
    /// Guest: a call's outcome was given to it.
    #[n(2)]
    Settled {
        /// Which call.
        #[cbor(n(0), with = "crate::back::made")]
        call: u32,
        /// Milliseconds since the last value of the clock.
        #[n(1)]
        elapsed: u64,
        /// What became of it.
        #[n(2)]
        outcome: Outcome,
    },
    /// Guest: a read of the clock gave another value than the read before. Where the run [records its reads](Started::record_reads), any read of it.
    #[n(3)]
    Clock {
        /// Reads since the last guest entry that gave the old value; 0 where each is an entry.
        #[n(0)]
        reads: u64,
        /// Milliseconds since the last value; 0 only where each read is an entry.
        #[n(1)]
        elapsed: u64,
    },
    /// Guest: it set a timer.
    #[n(4)]
    TimerSet {
        /// Which. A timer that fired may be set again.
        #[n(0)]
        timer: u32,
        /// Whole milliseconds that it asked for.
        #[n(1)]
        delay: u64,
        /// Milliseconds from the last value of the clock to when it is due.
        #[n(2)]
        due: u64,
    },
    /// Guest: it cleared a timer.
    #[n(5)]
    TimerCleared {
        /// Which.
        #[n(0)]
        timer: u32,
    },
    /// Guest: it was told that a timer is due.
    #[n(6)]
    TimerFired {
        /// Which.
        #[n(0)]
        timer: u32,
        /// Milliseconds since the last value of the clock: at least until it is due.
        #[n(1)]
        elapsed: u64,
    },
    /// Guest: it waits, and every open call asks; the run is put away. Behind it a further call of the same slice is a divergence.
    #[n(7)]
    Paused,
    /// Guest: the script has ended.
    #[n(8)]
    Ended(#[n(0)] Ending),
    /// Guest: it read `Math.random` or `crypto`, in a run that [records its reads](Started::record_reads).
    #[n(9)]
    Random {
        /// The number, or the bytes as an `ArrayBuffer`; encoded.
        #[n(0)]
        value: Encoded,
    },
    /// Host: the host function is about to be invoked.
    #[n(16)]
    Dispatched {
        /// Of which call.
        #[cbor(n(0), with = "crate::back::made")]
        call: u32,
    },
    /// Host: a call asks somebody before it goes on.
    #[n(17)]
    Interrupted(#[n(0)] Box<Question>),
    /// Host: a call's question is answered.
    #[n(18)]
    Resolved {
        /// Which call.
        #[cbor(n(0), with = "crate::back::made")]
        call: u32,
        /// When it was answered, in milliseconds since 1970.
        #[n(1)]
        at: u64,
        /// The answer.
        #[n(2)]
        resolution: Resolution,
    },
    /// Host: the run ended without this call's answer.
    #[n(19)]
    Abandoned {
        /// Which call.
        #[cbor(n(0), with = "crate::back::made")]
        call: u32,
    },
    /// Host: the call whose rejection ended the run is made again. What the guest did since is void; what the host knows of other calls is kept.
    #[n(20)]
    Retried {
        /// Which call.
        #[cbor(n(0), with = "crate::back::made")]
        call: u32,
    },
    /// Host: the source was replaced. Later replays use the newest.
    #[n(21)]
    SourceChanged {
        /// The new text.
        #[n(0)]
        source: String,
    },
    /// Host: from here on it is another run.
    #[n(22)]
    Forked {
        /// The new run.
        #[n(0)]
        run_id: RunId,
        /// The run that it came from.
        #[n(1)]
        from: RunId,
        /// How many entries they have in common.
        #[n(2)]
        at: u64,
    },
    /// Host: a host function is called for the first time.
    #[n(23)]
    Used {
        /// Its number in [`Started::functions`].
        #[n(0)]
        function: u32,
        /// What its schemas are: the first half of a SHA-256.
        #[cbor(n(1), with = "minicbor::bytes")]
        fingerprint: [u8; 16],
    },
    /// Host: what the run has used so far.
    #[n(24)]
    Spent(#[n(0)] Spent),
    /// Host: the run was cancelled. The guest is told nothing any more. After it come outcomes and questions of calls that were under way,
    /// [`Spent`](Self::Spent), [`Abandoned`](Self::Abandoned) and [`Closed`](Self::Closed).
    #[n(25)]
    Cancelled,
    /// Host: what was under way at the end is no longer awaited.
    #[n(26)]
    Closed,
}

impl Entry {
    /// Whether the guest can see it, so that replays compare it.
    pub fn is_guest(&self) -> bool {
        match self {
            Self::Called { .. }
            | Self::Settled { .. }
            | Self::Clock { .. }
            | Self::Random { .. }
            | Self::TimerSet { .. }
            | Self::TimerCleared { .. }
            | Self::TimerFired { .. }
            | Self::Paused
            | Self::Ended(_) => true,
            Self::Started(_)
            | Self::Dispatched { .. }
            | Self::Interrupted(_)
            | Self::Resolved { .. }
            | Self::Abandoned { .. }
            | Self::Retried { .. }
            | Self::SourceChanged { .. }
            | Self::Forked { .. }
            | Self::Used { .. }
            | Self::Spent(_)
            | Self::Cancelled
            | Self::Closed => false,
        }
    }

    /// Its name: `called`, `timer_set`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Started(_) => "started",
            Self::Called { .. } => "called",
            Self::Settled { .. } => "settled",
            Self::Clock { .. } => "clock",
            Self::Random { .. } => "random",
            Self::TimerSet { .. } => "timer_set",
            Self::TimerCleared { .. } => "timer_cleared",
            Self::TimerFired { .. } => "timer_fired",
            Self::Paused => "paused",
            Self::Ended(_) => "ended",
            Self::Dispatched { .. } => "dispatched",
            Self::Interrupted(_) => "interrupted",
            Self::Resolved { .. } => "resolved",
            Self::Abandoned { .. } => "abandoned",
            Self::Retried { .. } => "retried",
            Self::SourceChanged { .. } => "source_changed",
            Self::Forked { .. } => "forked",
            Self::Used { .. } => "used",
            Self::Spent(_) => "spent",
            Self::Cancelled => "cancelled",
            Self::Closed => "closed",
        }
    }
}

/// Everything that a run is a function of, but for what its host tells it on the way.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
#[cbor(context_bound = "Whole")]
pub struct Started {
    /// The run.
    #[n(0)]
    pub run_id: RunId,
    /// Rules of replay that this run was recorded under: a set of bits of [`BEHAVIOR`](crate::BEHAVIOR), none so far.
    #[n(1)]
    pub behavior: u64,
    /// The source, as it was given.
    #[n(2)]
    pub source: String,
    /// How it was to be run.
    #[n(3)]
    pub kind: SourceKind,
    /// Its name in stack traces.
    #[n(4)]
    pub name: String,
    /// The global `input`, encoded; absent: `undefined`.
    #[n(5)]
    pub input: Option<Encoded>,
    /// The global `data`, encoded; absent: `undefined`.
    #[n(6)]
    pub data: Option<Encoded>,
    /// The clock's first value, in milliseconds since 1970.
    #[n(7)]
    pub time: u64,
    /// Of `Math.random` and `crypto`.
    #[cbor(n(8), with = "minicbor::bytes")]
    pub seed: [u8; 32],
    /// The JavaScript stack, in bytes: the script can find out how deep it is.
    #[n(9)]
    pub stack: u32,
    /// Which realm.
    #[n(10)]
    pub profile: Profile,
    /// Whether `eval` and `Function` take strings.
    #[n(11)]
    pub allow_eval: bool,
    /// The host functions that were lent: the script can find out their names.
    #[n(12)]
    pub functions: Vec<Lent>,
    /// Whether every read of the clock and of randomness is an entry of its own.
    #[cbor(n(13), with = "crate::flag", has_nil)]
    pub record_reads: bool,
}

/// A host function, as the script sees it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Lent {
    /// `group.name` or `name`.
    #[n(0)]
    pub name: String,
    /// Whether the script stands still until it answers.
    #[n(1)]
    pub blocking: bool,
}

/// How a source is to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum SourceKind {
    /// A module where it imports or exports, else a function body.
    #[n(0)]
    Auto,
    /// As the body of an async function.
    #[n(1)]
    FunctionBody,
    /// As an ES module.
    #[n(2)]
    Module,
}

/// Which realm a run has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Profile {
    /// What language models expect.
    #[n(0)]
    Full,
    /// ECMAScript and console.
    #[n(1)]
    Bare,
}

/// What the guest asks of its host.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(flat, context_bound = "Whole")]
pub enum Request {
    /// A call of a host function.
    #[n(0)]
    Function {
        /// Its number in [`Started::functions`].
        #[n(0)]
        function: u32,
        /// The encoded array of arguments.
        #[n(1)]
        arguments: Encoded,
    },
    /// The name of a module. Blocking.
    #[n(1)]
    Normalize {
        /// As the script says it.
        #[n(0)]
        specifier: String,
        /// The module that says it.
        #[n(1)]
        importer: String,
    },
    /// The text of a module. Blocking.
    #[n(2)]
    Load {
        /// Its name.
        #[n(0)]
        name: String,
    },
}

/// What became of a call. The bytes are an encoded value; of [`Request::Normalize`] and [`Request::Load`] that were fulfilled, that of a text.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(flat, context_bound = "Whole")]
pub enum Outcome {
    /// Its value.
    #[n(0)]
    Fulfilled(#[n(0)] Encoded),
    /// What it throws.
    #[n(1)]
    Rejected(#[n(0)] Encoded),
}

/// How a script ended.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(flat, context_bound = "Whole")]
pub enum Ending {
    /// With a value, encoded.
    #[n(0)]
    Returned(#[n(0)] Encoded),
    /// With an error.
    #[n(1)]
    Threw {
        /// `name: message`, for people.
        #[n(0)]
        message: String,
        /// The call whose rejection it is, if it is one's.
        #[n(1)]
        call: Option<u32>,
    },
}

/// What a call asks.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(context_bound = "LastCall + Whole")]
pub struct Question {
    /// Which call.
    #[cbor(n(0), with = "crate::back::made")]
    pub call: u32,
    /// The call's how many-th question, from 1.
    #[n(1)]
    pub ordinal: u32,
    /// Who asks, and so what answers there are.
    #[n(2)]
    pub kind: QuestionKind,
    /// What is shown to whoever answers, encoded.
    #[n(3)]
    pub payload: Encoded,
    /// What the host function gets back with the answer, encoded; shown to nobody.
    #[n(4)]
    pub state: Option<Encoded>,
    /// Where the script calls.
    #[n(5)]
    pub place: Option<Place>,
    /// When it was asked, in milliseconds since 1970.
    #[n(6)]
    pub created: u64,
    /// When it can no longer be answered.
    #[n(7)]
    pub expires: Option<u64>,
    /// What stands for an answer then, encoded.
    #[n(8)]
    pub default: Option<Encoded>,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum QuestionKind {
    /// A host function that has begun, with a question of its own.
    #[n(0)]
    Question,
    /// The library, before it invokes a host function that needs approval.
    #[n(1)]
    Approval,
    /// The library, after a crash: a host function was invoked, and nobody knows what came of it.
    #[n(2)]
    OutcomeUnknown,
    /// The library, for a script that waits for an event. No host function is invoked.
    #[n(3)]
    Event,
}

/// A place in a source: 1-based.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Place {
    /// The script or module.
    #[n(0)]
    pub file: Option<String>,
    /// The line.
    #[n(1)]
    pub line: u32,
    /// The column.
    #[n(2)]
    pub column: u32,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(flat, context_bound = "Whole")]
pub enum Resolution {
    /// To a question, or of an event: a value, encoded.
    #[n(0)]
    Answered(#[n(0)] Encoded),
    /// To an approval: yes.
    #[n(1)]
    Approved {
        /// The arguments that the function gets instead of the script's, encoded.
        #[n(0)]
        arguments: Option<Encoded>,
    },
    /// To an approval: no. The call is rejected.
    #[n(2)]
    Denied {
        /// Why.
        #[n(0)]
        reason: Option<String>,
    },
    /// To an unknown outcome: this is what came of it.
    #[n(3)]
    Happened(#[n(0)] Outcome),
    /// To an unknown outcome: nothing did.
    #[n(4)]
    DidNotHappen,
    /// Nobody answered in time.
    #[n(5)]
    Expired,
}

/// What a run has used over all its invocations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Spent {
    /// Backward jumps and calls.
    #[n(0)]
    pub fuel: u64,
    /// CPU time of live slices, in microseconds.
    #[n(1)]
    pub cpu: u64,
    /// Bytes of console.
    #[n(2)]
    pub console: u64,
}
