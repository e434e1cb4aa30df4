//! What a continuation says of its run, without running anything.

use intermission_ledger::RunId;
use intermission_ledger::entry::Started;

use crate::Interruption;
use crate::codec::Opened;
use crate::continuation::wake_at;
use crate::interruption::pending;

/// What a continuation says of its run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Inspection {
    /// The run.
    pub run_id: RunId,
    /// The script's name.
    pub name: String,
    /// When the run began, in milliseconds since 1970.
    pub started: u64,
    /// The questions that are open, in order of their calls.
    pub interruptions: Vec<Interruption>,
    /// When it is worth going on without any answer, in milliseconds since 1970.
    pub wake_at: Option<u64>,
    /// Until when the token is good, in milliseconds since 1970.
    pub expires: Option<u64>,
    /// Host calls and module requests so far.
    pub calls: u32,
    /// Whether the run is over.
    pub over: bool,
}

impl Inspection {
    pub(crate) fn of(opened: &Opened) -> Self {
        let ledger = opened.continuation.ledger();
        let facts = ledger.facts();
        let started: &Started = ledger.record().started();
        Self {
            run_id: facts.run_id,
            name: started.name.clone(),
            started: started.time,
            interruptions: pending(facts, started),
            wake_at: wake_at(ledger),
            expires: opened.expires,
            calls: facts.last_call,
            over: facts.over.is_some(),
        }
    }
}
