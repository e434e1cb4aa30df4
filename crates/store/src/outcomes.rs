//! What comes of each operation of a store.

use intermission::{InterruptionId, RunId};

use crate::answer::Given;
use crate::lease::Lease;

/// Of a new run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// It is there; leased, if that was wanted.
    New(Option<Lease>),
    /// There is one of this key already.
    Exists(RunId),
}

/// Of entries to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appended {
    /// They are kept.
    Kept,
    /// Somebody else has the run now. Nothing was written.
    Lost,
    /// They say that nobody answered in time, and somebody had. Nothing was written; the run goes on from what was kept before.
    Answered(InterruptionId),
}

/// Of a run that is put down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutDown {
    /// Its lease is given back.
    Done,
    /// There are answers, or somebody cancels it: the lease is kept, to go on at once.
    Again,
    /// Somebody else has the run now. Nothing was written.
    Lost,
}

/// Of an answer. The first that is kept is the answer for ever.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolved {
    /// It is the answer.
    First,
    /// It was the answer before.
    Same,
    /// It is kept for a question that was not asked yet.
    Early,
    /// Another was first.
    Conflict {
        /// It.
        winner: Box<Given>,
    },
    /// The time for answers is over.
    Expired {
        /// Since when, in milliseconds since 1970.
        at: u64,
    },
    /// Nobody waits for it any more: the run is over.
    Over,
    /// There is no such run.
    NoRun,
}

/// Of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Emitted {
    /// It is the event of its key.
    First,
    /// The same was emitted before.
    Same,
    /// Another was first, and stays.
    Conflict {
        /// Its value, encoded.
        winner: Vec<u8>,
    },
    /// Nobody waits for it any more: the run is over.
    Over,
    /// There is no such run.
    NoRun,
}

/// Of a wish to cancel a run, or to try it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wished {
    /// It is kept: whoever goes on with the run does it.
    Kept,
    /// The run is over, or not one to try again: nothing is to be done.
    NotNow,
    /// There is no such run.
    NoRun,
}

/// Of a run that is to be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deleted {
    /// It is gone, with all its data.
    Gone,
    /// It is not over: cancel it first.
    NotOver,
    /// There is no such run.
    NoRun,
}
