//! The machine: what the guest does goes in; what the record says comes out.
//!
//! While the record has entries left, the guest is compared with it and told what it was told before (`Replaying`). From there on
//! what happens is written down (`Live`), also when the script has ended and calls are still under way (`Draining`), until nothing is left to
//! happen (`Closed`).

use std::collections::VecDeque;

use crate::clock::{Mark, SliceReads};
use crate::divergence::{Attempt, Divergence};
use crate::entry::{Entry, Started};
use crate::facts::Facts;
use crate::fault::{Fault, Faults};
use crate::record::{Record, RecordError};
use crate::retry::{Path, Step};

/// A run's record, and where the run stands in it.
#[derive(Clone, Debug)]
pub struct Ledger {
    record: Record,
    facts: Facts,
    state: State,
    size: u64,
    faults: Faults,
}

#[derive(Clone, Debug)]
pub(crate) enum State {
    Replaying(Cursor),
    Live,
    Draining,
    Closed,
}

/// A place in a record.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    /// The indices of the entries that count.
    path: Vec<usize>,
    /// The next of them.
    next: usize,
    /// The clock's value there.
    clock: u64,
}

impl Cursor {
    fn at_the_top(record: &Record, path: Path) -> Self {
        let mut path = path.into_followed();
        // What became of calls after a cancellation, the guest was never told.
        let cancelled = path.iter().position(|index| matches!(record.entries()[*index], Entry::Cancelled));
        path.truncate(cancelled.unwrap_or(path.len()));
        Self { path, next: 1, clock: record.started().time }
    }
}

/// Where a ledger stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Outcomes come from the record.
    Replaying,
    /// Outcomes come from the host.
    Live,
    /// The script has ended; calls may be under way.
    Draining,
    /// Nothing more can happen.
    Closed,
}

/// What goes wrong between a guest and its record.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LedgerError {
    /// The guest does not do what the record says.
    #[error(transparent)]
    Diverged(#[from] Box<Divergence>),
    /// What is to be written makes no sense behind what is there.
    #[error("the ledger refuses {0}")]
    Refused(&'static str),
}

impl LedgerError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Diverged(_) => Divergence::CODE,
            Self::Refused(_) => "LEDGER_REFUSED",
        }
    }
}

impl Ledger {
    /// Of a run that begins.
    pub fn begin(started: Started) -> Self {
        let facts = Facts::new(&started);
        let record = Record::new(started);
        let size = record.entries()[0].size();
        Self { size, record, facts, state: State::Live, faults: Faults::default() }
    }

    /// Of a run that goes on.
    ///
    /// # Errors
    /// When an entry cannot follow on those before it.
    pub fn resume(record: Record) -> Result<Self, RecordError> {
        let entries = record.entries();
        let path = path_of(entries)?;
        let mut facts = Facts::new(record.started());
        for step in &path.steps()[1..] {
            match step {
                Step::Follow(index) => facts.apply(&entries[*index]).map_err(|why| (*index, why)),
                Step::Keep(kept) => kept
                    .iter()
                    .try_for_each(|index| facts.keep(&entries[*index]).map_err(|why| (*index, why))),
            }
            .map_err(|(index, why)| RecordError::malformed(index, why))?;
        }
        let cursor = Cursor::at_the_top(&record, path);
        let size = record.entries().iter().map(Entry::size).sum();
        Ok(Self { size, record, facts, state: State::Replaying(cursor), faults: Faults::default() })
    }

    /// The same with faults: for tests.
    #[must_use]
    pub fn with_faults(mut self, faults: Faults) -> Self {
        self.faults = faults;
        self.facts.set_faults(faults);
        self
    }

    /// Its faults: none but in tests.
    pub fn faults(&self) -> Faults {
        self.faults
    }

    /// The same record, to be replayed from its top.
    ///
    /// # Errors
    /// As [`resume`](Self::resume); none where the ledger was resumed or written here.
    pub fn rewind(self) -> Result<Self, RecordError> {
        let cursor = match self.state {
            State::Replaying(cursor) => Cursor { next: 1, clock: self.record.started().time, ..cursor },
            _ => Cursor::at_the_top(&self.record, path_of(self.record.entries())?),
        };
        Ok(Self { state: State::Replaying(cursor), ..self })
    }

    /// The guest stands where the record ends: it has just written it, or was kept since. Nothing is left to compare.
    ///
    /// ```
    /// use intermission_ledger::{Ledger, Phase};
    /// # use intermission_ledger::{Record, RunId, entry::{Profile, SourceKind, Started}};
    /// # let started = Started {
    /// #     run_id: RunId::from_bytes([7; 16]), behavior: 0, kind: SourceKind::FunctionBody, name: String::new(), input: None, data: None, time: 0,
    /// #     seed: [0; 32], stack: 1, profile: Profile::Full, allow_eval: false, functions: Vec::new(), record_reads: false, source: String::new(),
    /// # };
    /// let mut ledger = Ledger::resume(Record::new(started))?;
    /// assert_eq!(ledger.phase(), Phase::Replaying);
    /// ledger.stand_at_frontier();
    /// assert_eq!(ledger.phase(), Phase::Live);
    /// # Ok::<(), intermission_ledger::RecordError>(())
    /// ```
    pub fn stand_at_frontier(&mut self) {
        self.turn(if self.facts.over.is_some() { State::Draining } else { State::Live });
    }

    /// The entries.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The entries, taken.
    pub fn into_record(self) -> Record {
        self.record
    }

    /// About how many bytes the record takes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Where the run stands at the end of the record.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The newest source.
    pub fn source(&self) -> &str {
        let changed = self.record.entries().iter().rev().find_map(|entry| match entry {
            Entry::SourceChanged { source } => Some(source.as_str()),
            _ => None,
        });
        changed.unwrap_or(&self.record.started().source)
    }

    /// Where the guest stands.
    pub fn phase(&self) -> Phase {
        match self.state {
            State::Replaying(_) => Phase::Replaying,
            State::Live if !self.facts.kept.is_empty() => Phase::Replaying,
            State::Live => Phase::Live,
            State::Draining => Phase::Draining,
            State::Closed => Phase::Closed,
        }
    }

    /// The clock's value where the guest stands.
    pub fn clock(&self) -> u64 {
        match &self.state {
            State::Replaying(cursor) => cursor.clock,
            _ => self.facts.clock,
        }
    }

    /// What the record says of the reads of the clock in the slice, or part of a slice, that comes next.
    pub fn slice_reads(&self) -> SliceReads {
        let State::Replaying(cursor) = &self.state else { return SliceReads::live() };
        let (mut marks, mut requests) = (VecDeque::new(), 0);
        for index in &cursor.path[cursor.next..] {
            match &self.record.entries()[*index] {
                Entry::Clock { reads, elapsed } => {
                    marks.push_back(Mark { requests, reads: *reads, elapsed: *elapsed });
                }
                Entry::Called { request, .. } if self.facts.is_blocking(request) => {
                    return SliceReads { marks, live_from: None };
                }
                Entry::Called { .. }
                | Entry::TimerSet { .. }
                | Entry::TimerCleared { .. }
                | Entry::Random { .. } => requests += 1,
                entry if entry.is_guest() => return SliceReads { marks, live_from: None },
                _ => {}
            }
        }
        SliceReads { marks, live_from: Some(requests) }
    }

    /// The next guest entry of the record, and its index. Host entries before it are passed; without one the frontier is reached.
    pub(crate) fn next_guest_entry(&mut self) -> Option<(usize, &Entry)> {
        let State::Replaying(cursor) = &mut self.state else { return None };
        let entries = self.record.entries();
        while cursor.path.get(cursor.next).is_some_and(|index| !entries[*index].is_guest()) {
            cursor.next += 1;
        }
        let Some(index) = cursor.path.get(cursor.next).copied() else {
            self.stand_at_frontier();
            return None;
        };
        Some((index, &self.record.entries()[index]))
    }

    pub(crate) fn step_over(&mut self, index: usize) {
        let State::Replaying(cursor) = &mut self.state else { return };
        cursor.next += 1;
        if let Entry::Settled { elapsed, .. }
        | Entry::Clock { elapsed, .. }
        | Entry::TimerFired { elapsed, .. } = &self.record.entries()[index]
        {
            cursor.clock += elapsed;
        }
    }

    /// The one place where the state changes.
    pub(crate) fn turn(&mut self, to: State) {
        self.state = to;
    }

    /// The one place where something is written.
    pub(crate) fn write(&mut self, entry: Entry) -> Result<(), LedgerError> {
        let early = self.faults.has(Fault::InvokeBeforeFrontier);
        if matches!(self.state, State::Replaying(_)) && !early || matches!(self.state, State::Closed) {
            return Err(LedgerError::Refused("what is written while replaying, or behind the end"));
        }
        self.facts.apply(&entry).map_err(LedgerError::Refused)?;
        self.size += entry.size();
        self.record.push(entry);
        Ok(())
    }

    pub(crate) fn divergence(&self, index: usize, attempted: Attempt) -> LedgerError {
        let functions = self.record.started().functions.iter().map(|lent| lent.name.clone()).collect();
        let recorded = self.record.entries()[index].clone();
        LedgerError::Diverged(Box::new(Divergence { entry: index, recorded, attempted, functions }))
    }
}

/// The way through a record.
fn path_of(entries: &[Entry]) -> Result<Path, RecordError> {
    let is_retry = |entry: &Entry| matches!(entry, Entry::Retried { .. });
    let straight = entries.iter().position(is_retry).unwrap_or(entries.len());
    let mut path = Path::straight(straight);
    for index in straight..entries.len() {
        path.push(entries, index).map_err(|why| RecordError::malformed(index, why))?;
    }
    Ok(path)
}
