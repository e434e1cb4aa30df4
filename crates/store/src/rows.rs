//! What a store keeps, as it is put in and taken out.

use intermission::{Interruption, InterruptionId, RunId, Value};

use crate::answer::Given;
use crate::lease::{Lease, WorkerId};

/// A run that is to be kept before it does anything.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRun {
    /// The run.
    pub run_id: RunId,
    /// The caller's own name for the request: one run a key.
    pub key: Option<String>,
    /// The script's name.
    pub name: String,
    /// The number of its ledger's format, below 24: docs/ledger.md.
    pub format: u8,
    /// The run that it was forked from.
    pub forked_from: Option<RunId>,
    /// The entries that it has already: one at least.
    pub entries: Entries,
    /// The questions that are open in them.
    pub asked: Vec<Interruption>,
    /// Now, in milliseconds since 1970.
    pub now: u64,
}

/// Entries of a ledger in their byte form, joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries {
    /// The first one's number in the ledger, from 0.
    pub from: usize,
    /// How many.
    pub count: usize,
    /// Their bytes.
    pub bytes: Vec<u8>,
}

/// Entries between which nothing left the sandbox, and what they say of questions.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEntries {
    /// The entries.
    pub entries: Entries,
    /// The questions that are asked in them.
    pub asked: Vec<Interruption>,
    /// The questions that are open again after them: of a run that ended without an answer, and is tried again.
    pub reopened: Vec<InterruptionId>,
    /// The questions that are over in them.
    pub over: Vec<(InterruptionId, QuestionOver)>,
    /// Now, in milliseconds since 1970.
    pub now: u64,
}

/// How a question is over, as the ledger says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionOver {
    /// It was answered, and the answer is acted on.
    Answered,
    /// Nobody answered in time.
    Expired,
    /// The run ended without an answer.
    Abandoned,
}

/// Who leases runs, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leasing {
    /// Who.
    pub worker: WorkerId,
    /// Now, in milliseconds since 1970.
    pub now: u64,
    /// When others may have the run, unless the lease is renewed.
    pub until: u64,
}

/// Which runs are to be leased: of those that are ready, or due, or were left by somebody whose lease is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Some of them.
    Any {
        /// At most so many.
        most: usize,
        /// But not these.
        except: Vec<RunId>,
    },
    /// This one.
    Run(RunId),
}

/// A wish for a run, kept until it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To end it for good.
    Cancel,
    /// To try it again, which has failed.
    Retry,
}

/// A run that a worker goes on with, and whether there is news for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The lease.
    pub lease: Lease,
    /// Whether somebody wishes to cancel it.
    pub cancel: bool,
    /// Whether there are answers that it has not taken.
    pub answers: bool,
}

/// A run as it is gone on from.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The ledger's bytes: docs/ledger.md.
    pub ledger: Vec<u8>,
    /// Answers that it has not taken: to its pending questions, and events that it waits for.
    pub answers: Vec<Given>,
    /// What somebody wishes.
    pub wish: Option<Wish>,
}

/// What becomes of a run that is put down.
#[derive(Clone, Debug, PartialEq)]
pub enum Rest {
    /// It waits.
    Waiting {
        /// When it goes on by itself, in milliseconds since 1970.
        wake_at: Option<u64>,
    },
    /// Somebody else shall go on with it at once.
    Ready,
    /// It has a value.
    Completed {
        /// The value, encoded.
        value: Vec<u8>,
    },
    /// It has failed.
    Failed {
        /// The error's code.
        code: String,
        /// The error's text.
        message: String,
    },
    /// It was cancelled.
    Cancelled,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
pub enum RunState {
    /// It may be gone on with at once, and nobody does yet.
    Ready,
    /// Somebody goes on with it.
    Running {
        /// Until when, unless the lease is renewed, in milliseconds since 1970.
        until: u64,
    },
    /// It was put away: it waits for answers, events, or a time.
    Waiting {
        /// When it goes on by itself, in milliseconds since 1970.
        wake_at: Option<u64>,
    },
    /// It has a value.
    Completed {
        /// The value.
        value: Value,
    },
    /// It has failed. It can be tried again.
    Failed {
        /// The error's code.
        code: String,
        /// The error's text.
        message: String,
    },
    /// It was cancelled, for good.
    Cancelled,
}

impl RunState {
    /// Every state's name.
    pub const NAMES: [&'static str; 6] = ["ready", "running", "waiting", "completed", "failed", "cancelled"];

    /// A state's name, as a query has it; `None` where it is none.
    pub fn named(text: &str) -> Option<&'static str> {
        Self::NAMES.into_iter().find(|name| *name == text)
    }

    /// `ready`, `running`, `waiting`, `completed`, `failed`, `cancelled`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Running { .. } => "running",
            Self::Waiting { .. } => "waiting",
            Self::Completed { .. } => "completed",
            Self::Failed { .. } => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing more comes by itself.
    pub const fn is_over(&self) -> bool {
        matches!(self, Self::Completed { .. } | Self::Failed { .. } | Self::Cancelled)
    }
}

/// A run, as it is listed.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRun {
    /// The run.
    pub run_id: RunId,
    /// The caller's own name for the request.
    pub key: Option<String>,
    /// The script's name.
    pub name: String,
    /// The run that it was forked from.
    pub forked_from: Option<RunId>,
    /// When it began, in milliseconds since 1970.
    pub created: u64,
    /// When its state changed last.
    pub updated: u64,
    /// Where it stands.
    pub state: RunState,
    /// How many questions it asks that nobody has answered.
    pub questions: u32,
}

/// A question that nobody has answered, as the inbox lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredInterruption {
    /// Of which run.
    pub run_id: RunId,
    /// The script's name.
    pub name: String,
    /// The question.
    pub interruption: Interruption,
}

/// Which runs are listed: the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunQuery {
    /// In these states, by their names. Default: in any.
    pub states: Vec<&'static str>,
    /// Older than this run: the last of the page before.
    pub before: Option<RunId>,
    /// At most so many. Default: all.
    pub limit: Option<usize>,
}

/// Which questions are listed: the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InboxQuery {
    /// Of this run. Default: of any.
    pub run_id: Option<RunId>,
    /// Whether waits for events are listed too. Default: no, since nobody is asked.
    pub events: bool,
    /// Younger than this question: the last of the page before, by its time and id.
    pub after: Option<(u64, InterruptionId)>,
    /// At most so many. Default: all.
    pub limit: Option<usize>,
}

/// Something that happened to a run, in the order in which it was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its number: it grows.
    pub number: u64,
    /// The run.
    pub run_id: RunId,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What.
    pub what: What,
}

/// What happened to a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// It began.
    Began,
    /// It asks: once a question.
    Asked(InterruptionId),
    /// Somebody has answered.
    Answered(InterruptionId),
    /// Nobody answered in time.
    Expired(InterruptionId),
    /// It ended without this answer.
    Abandoned(InterruptionId),
    /// An event of this key was emitted.
    Emitted(String),
    /// It was put away.
    PutAway,
    /// It has a value.
    Completed,
    /// It has failed, with this code.
    Failed(String),
    /// It is to be tried again.
    Retried,
    /// It was cancelled.
    Cancelled,
}

impl What {
    /// `began`, `asked` and so on.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Began => "began",
            Self::Asked(_) => "asked",
            Self::Answered(_) => "answered",
            Self::Expired(_) => "expired",
            Self::Abandoned(_) => "abandoned",
            Self::Emitted(_) => "emitted",
            Self::PutAway => "put_away",
            Self::Completed => "completed",
            Self::Failed(_) => "failed",
            Self::Retried => "retried",
            Self::Cancelled => "cancelled",
        }
    }

    /// Which question, key or code.
    pub fn subject(&self) -> Option<&str> {
        match self {
            Self::Asked(id) | Self::Answered(id) | Self::Expired(id) | Self::Abandoned(id) => {
                Some(id.as_str())
            }
            Self::Emitted(text) | Self::Failed(text) => Some(text),
            Self::Began | Self::PutAway | Self::Completed | Self::Retried | Self::Cancelled => None,
        }
    }

    /// Of its name and subject; `None` where a newer version has written it.
    pub fn of(name: &str, subject: Option<String>) -> Option<Self> {
        let id = || subject.as_deref().and_then(|subject| subject.parse().ok());
        Some(match name {
            "began" => Self::Began,
            "asked" => Self::Asked(id()?),
            "answered" => Self::Answered(id()?),
            "expired" => Self::Expired(id()?),
            "abandoned" => Self::Abandoned(id()?),
            "emitted" => Self::Emitted(subject?),
            "put_away" => Self::PutAway,
            "completed" => Self::Completed,
            "failed" => Self::Failed(subject?),
            "retried" => Self::Retried,
            "cancelled" => Self::Cancelled,
            _ => return None,
        })
    }
}

/// An event for the scripts that [wait for](crate::Runs::emit) its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// For which run.
    pub run_id: RunId,
    /// Its key.
    pub key: String,
    /// Its value, encoded.
    pub value: Vec<u8>,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// By whom, where that is known.
    pub by: Option<String>,
}

/// What is known of a host function that was lent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSchema {
    /// Its name.
    pub name: String,
    /// What its schemas are, in short: what ledgers name.
    pub fingerprint: [u8; 16],
    /// What it does.
    pub description: Option<String>,
    /// The JSON Schema of its argument.
    pub input_schema: Option<String>,
    /// The JSON Schema of its result.
    pub output_schema: Option<String>,
    /// `pure`, `idempotent`, `unsafe`.
    pub effect: String,
}
