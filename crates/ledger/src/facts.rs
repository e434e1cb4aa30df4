//! What a record says so far.

use std::collections::{BTreeMap, BTreeSet};

use crate::entry::{Ending, Outcome, Question, Request, Spent, Started};
use crate::fault::{Fault, Faults};
use crate::{InterruptionId, OpenCall, RunId};

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The run; that of the newest fork.
    pub run_id: RunId,
    /// The clock's last value.
    pub clock: u64,
    /// Calls without an outcome, by request index.
    pub open: BTreeMap<u32, Box<OpenCall>>,
    /// The highest request index.
    pub last_call: u32,
    /// The host functions that were called, by their number, and what their schemas were.
    pub used: BTreeMap<u32, [u8; 16]>,
    /// What was used.
    pub spent: Spent,
    /// Whether and how it is over.
    pub over: Option<Over>,
    /// Whether nothing is awaited any more.
    pub closed: bool,
    /// Whether nothing has happened since the run was put away.
    pub at_rest: bool,
    /// Outcomes that a retry kept and that the guest is yet to be told: of open calls.
    pub(crate) kept: BTreeMap<u32, Outcome>,
    /// The call that the guest stands still for.
    pub(crate) blocked: Option<u32>,
    /// Whether the last that is known of the guest is that it waits.
    pub(crate) idle: bool,
    /// Calls whose question is open.
    pub(crate) asking: BTreeSet<u32>,
    /// Calls whose question nobody answered before the run was over.
    pub(crate) abandoned: BTreeMap<u32, Box<OpenCall>>,
    /// The calls that were rejected.
    pub(crate) rejected: BTreeSet<u32>,
    /// When each timer is due that is set, and how many were set before it.
    pub(crate) timers: BTreeMap<u32, (u64, u64)>,
    /// The same by time: due, set, which.
    pub(crate) due: BTreeSet<(u64, u64, u32)>,
    pub(crate) timers_set: u64,
    terms: Terms,
    faults: Faults,
}

/// What a run began with that decides what may happen in it.
#[derive(Clone, Debug, PartialEq)]
struct Terms {
    /// Of each function that was lent, whether the guest stands still meanwhile.
    blocking: Vec<bool>,
    record_reads: bool,
}

impl Terms {
    fn new(started: &Started) -> Self {
        Self {
            blocking: started.functions.iter().map(|function| function.blocking).collect(),
            record_reads: started.record_reads,
        }
    }
}

/// How a run is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Over {
    /// The script has ended.
    Ended(Ending),
    /// It was cancelled.
    Cancelled,
}

impl Facts {
    pub(crate) fn new(started: &Started) -> Self {
        Self {
            run_id: started.run_id,
            clock: started.time,
            open: BTreeMap::new(),
            last_call: 0,
            used: BTreeMap::new(),
            spent: Spent::default(),
            over: None,
            closed: false,
            at_rest: false,
            kept: BTreeMap::new(),
            blocked: None,
            idle: false,
            asking: BTreeSet::new(),
            abandoned: BTreeMap::new(),
            rejected: BTreeSet::new(),
            timers: BTreeMap::new(),
            due: BTreeSet::new(),
            timers_set: 0,
            terms: Terms::new(started),
            faults: Faults::default(),
        }
    }

    /// The pending questions, in order of their calls.
    pub fn questions(&self) -> impl Iterator<Item = (InterruptionId, &OpenCall, &Question)> {
        self.asking_calls().filter_map(|call| self.identified(call))
    }

    /// The same alone, for whoever needs no identities: each is a hash.
    pub fn unanswered(&self) -> impl Iterator<Item = &Question> {
        self.asking_calls().filter_map(OpenCall::question)
    }

    /// The questions that nobody answered before the run was over, in order of their calls.
    pub fn abandoned(&self) -> impl Iterator<Item = (InterruptionId, &OpenCall, &Question)> {
        self.abandoned.values().filter_map(|call| self.identified(call))
    }

    fn asking_calls(&self) -> impl Iterator<Item = &OpenCall> {
        self.asking.iter().filter_map(|call| self.open.get(call).map(Box::as_ref))
    }

    fn identified<'c>(&self, call: &'c OpenCall) -> Option<(InterruptionId, &'c OpenCall, &'c Question)> {
        let question = call.question()?;
        let reused = self.faults.has(Fault::ReuseInterruptionId);
        let ordinal = if reused { 1 } else { question.ordinal };
        Some((InterruptionId::new(self.run_id, question.call, ordinal), call, question))
    }

    /// The next timer: when it is due and which.
    pub fn next_timer(&self) -> Option<(u64, u32)> {
        self.due.first().map(|(due, _, timer)| (*due, *timer))
    }

    /// Whether the guest stands still until a call is answered.
    pub fn is_blocking(&self, request: &Request) -> bool {
        match request {
            Request::Function { function, .. } => {
                self.terms.blocking.get(*function as usize).copied().unwrap_or(false)
            }
            Request::Normalize { .. } | Request::Load { .. } => true,
        }
    }

    /// What was folded so far, from here on with faults.
    pub(crate) fn set_faults(&mut self, faults: Faults) {
        self.faults = faults;
        if faults.has(Fault::ForgetEdit) {
            self.open.values_mut().for_each(|call| call.edited = None);
        }
    }

    /// Whether every read of the clock and of randomness is an entry.
    pub(crate) fn records_reads(&self) -> bool {
        self.terms.record_reads
    }

    pub(crate) fn is_lent(&self, function: u32) -> bool {
        (function as usize) < self.terms.blocking.len()
    }
}
