//! What is needed to go on with a run.

use std::fmt;

use intermission_ledger::{Ledger, Record, RecordError, RunId};

use crate::Interruption;
use crate::interruption::pending;

/// The state that is needed to go on with a run: its ledger. It can be kept, copied, and [resumed](crate::Runner::resume) in any process.
///
/// It says everything that the run was told and asked, so it is as secret as that. Its [bytes](Self::to_bytes) are not authenticated: what comes from
/// elsewhere than a store of your own goes through a codec.
#[derive(Clone)]
pub struct Continuation(Box<Ledger>);

/// Equal where the ledgers are.
impl PartialEq for Continuation {
    fn eq(&self, other: &Self) -> bool {
        self.record() == other.record()
    }
}

impl Continuation {
    /// Of a ledger.
    ///
    /// # Errors
    /// [`RecordError`] where an entry cannot follow on those before it.
    pub fn new(record: Record) -> Result<Self, RecordError> {
        Ok(Self(Box::new(Ledger::resume(record)?)))
    }

    pub(crate) fn of(ledger: Ledger) -> Self {
        Self(Box::new(ledger))
    }

    /// Its ledger, at the top.
    pub(crate) fn into_ledger(self) -> Result<Ledger, RecordError> {
        self.0.rewind()
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.0
    }

    /// The ledger.
    pub fn record(&self) -> &Record {
        self.0.record()
    }

    /// The ledger, taken.
    pub fn into_record(self) -> Record {
        self.0.into_record()
    }

    /// The plain bytes: docs/ledger.md.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.record().encode()
    }

    /// Reads plain bytes.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordError> {
        Self::new(Record::decode(bytes)?)
    }

    /// The run.
    pub fn run_id(&self) -> RunId {
        self.0.facts().run_id
    }

    /// The questions that are open, in order of their calls.
    pub fn interruptions(&self) -> Vec<Interruption> {
        pending(self.0.facts(), self.record().started())
    }

    /// When it is worth going on without any answer, in milliseconds since 1970: a timer is due then, or a question expires.
    pub fn wake_at(&self) -> Option<u64> {
        wake_at(&self.0)
    }
}

/// The first time at which something happens by itself.
pub(crate) fn wake_at(ledger: &Ledger) -> Option<u64> {
    let facts = ledger.facts();
    let timer = facts.next_timer().map(|(due, _)| due);
    let expiry = facts.questions().filter_map(|(_, _, question)| question.expires).min();
    timer.into_iter().chain(expiry).min()
}

impl fmt::Debug for Continuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.record().entries().len();
        f.debug_struct("Continuation")
            .field("run_id", &self.run_id())
            .field("entries", &entries)
            .finish_non_exhaustive()
    }
}
