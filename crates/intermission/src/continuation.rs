//! What is needed to go on with a run.

use std::fmt;

use intermission_ledger::{Ledger, LedgerError, Over, Record, RecordError, RunId};

use crate::Interruption;
use crate::id::new_run_id;
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

    /// Of a ledger that failed. Where nothing happened but that the resume had added to it, what it added is not kept: nothing has changed.
    pub(crate) fn without_vain(ledger: Ledger, came: usize, added: usize) -> Self {
        let entries = ledger.record().entries();
        if added == 0 || entries.len() > came + added {
            return Self::of(ledger);
        }
        let before = Record::from_entries(entries[..came].to_vec()).and_then(Self::new);
        before.unwrap_or_else(|_| Self::of(ledger))
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

    /// Another run that has the first `at` entries in common with this one. Its calls have other idempotency keys.
    ///
    /// # Errors
    /// [`LedgerError::Refused`] when there are not so many entries, or none is asked for.
    pub fn fork(&self, at: usize) -> Result<Self, LedgerError> {
        let record = Ledger::fork(self.record(), at, new_run_id())?;
        Self::new(record).map_err(|_| LedgerError::Refused("a record that is malformed"))
    }

    /// The run.
    pub fn run_id(&self) -> RunId {
        self.0.facts().run_id
    }

    /// The script's text: the newest, where it was changed.
    pub fn source(&self) -> &str {
        self.0.source()
    }

    /// Whether and how the run is over.
    pub fn over(&self) -> Option<&Over> {
        self.0.facts().over.as_ref()
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
    let expiry = facts.unanswered().filter_map(|question| question.expires).min();
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
