//! The machine: what the guest does goes in; what the record says comes out.
//!
//! While the record has entries left, the guest is compared with it and told what it was told before (`Replaying`). From there on
//! what happens is written down (`Live`), also when the script has ended and calls are still under way (`Draining`), until nothing is left to
//! happen (`Closed`).

use std::collections::VecDeque;

use crate::clock::{Mark, SliceReads};
use crate::divergence::{Attempt, Divergence};
use crate::entry::{Ending, Entry, Outcome, Question, Request, Resolution, Spent, Started};
use crate::facts::{Facts, Over};
use crate::record::{Record, RecordError};
use crate::{RunId, retry};

/// A run's record, and where the run stands in it.
#[derive(Clone, Debug)]
pub struct Ledger {
    record: Record,
    facts: Facts,
    state: State,
    size: u64,
}

#[derive(Clone, Debug)]
enum State {
    Replaying(Cursor),
    Live,
    Draining,
    Closed,
}

/// A place in a record.
#[derive(Clone, Debug)]
struct Cursor {
    /// The indices of the entries that count.
    path: Vec<usize>,
    /// The next of them.
    next: usize,
    /// The clock's value there.
    clock: u64,
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

/// Something that the guest did in a slice.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// A call.
    Call {
        /// Its request index.
        call: u32,
        /// What it asks for.
        request: Request,
    },
    /// A read of the clock that gave a new value.
    Clock(Mark),
    /// A timer was set.
    TimerSet {
        /// Which.
        timer: u32,
        /// Whole milliseconds that were asked for.
        delay: u64,
        /// When it is due, live, in milliseconds since 1970. On replay the record says.
        due: u64,
    },
    /// A timer was cleared.
    TimerCleared(u32),
}

/// What is to be done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admitted {
    /// Nothing: it happened before. If its outcome is not in the record, it is among the open calls at the frontier.
    Recorded,
    /// It happens now.
    New,
}

/// What the guest is told next, according to the record.
#[derive(Clone, Debug, PartialEq)]
pub enum Delivery {
    /// A call's outcome.
    Settled {
        /// Which call.
        call: u32,
        /// Its outcome.
        outcome: Outcome,
        /// The clock's value.
        clock: u64,
    },
    /// A timer is due.
    Fired {
        /// Which.
        timer: u32,
        /// The clock's value.
        clock: u64,
    },
}

/// What goes wrong between a guest and its record.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LedgerError {
    /// The guest does not do what the record says.
    #[error(transparent)]
    Diverged(#[from] Box<Divergence>),
    /// What is to be written makes no sense behind what is there.
    #[error("{0}")]
    Refused(&'static str),
}

impl Ledger {
    /// Of a run that begins.
    pub fn begin(started: Started) -> Self {
        let facts = Facts::new(&started);
        let record = Record::new(started);
        Self { size: record.entries()[0].size(), record, facts, state: State::Live }
    }

    /// Of a run that goes on.
    ///
    /// # Errors
    /// When an entry cannot follow on those before it.
    pub fn resume(record: Record) -> Result<Self, RecordError> {
        let mut path = retry::path(record.entries())?;
        let mut facts = Facts::new(record.started());
        for index in &path {
            facts.apply(&record.entries()[*index]).map_err(|why| RecordError::malformed(*index, why))?;
        }
        cut_at_cancellation(record.entries(), &mut path);
        let clock = record.started().time;
        let size = record.entries().iter().map(Entry::size).sum();
        Ok(Self { size, record, facts, state: State::Replaying(Cursor { path, next: 1, clock }) })
    }

    /// The same record, to be replayed from its top.
    ///
    /// # Errors
    /// As [`resume`](Self::resume); none where the ledger was resumed or written here.
    pub fn rewind(self) -> Result<Self, RecordError> {
        let mut path = retry::path(self.record.entries())?;
        cut_at_cancellation(self.record.entries(), &mut path);
        let clock = self.record.started().time;
        Ok(Self { state: State::Replaying(Cursor { path, next: 1, clock }), ..self })
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
                Entry::Called { .. } | Entry::TimerSet { .. } | Entry::TimerCleared { .. } => requests += 1,
                entry if entry.is_guest() => return SliceReads { marks, live_from: None },
                _ => {}
            }
        }
        SliceReads { marks, live_from: Some(requests) }
    }

    /// The guest did something. What it did before is compared; what is new is written down.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub fn admit(&mut self, asked: Asked) -> Result<Admitted, LedgerError> {
        let clock = self.clock();
        let attempted = match asked {
            Asked::Call { call, request } => Entry::Called { call, request },
            Asked::Clock(Mark { reads, elapsed, .. }) => Entry::Clock { reads, elapsed },
            Asked::TimerSet { timer, delay, due } => {
                Entry::TimerSet { timer, delay, due: due.saturating_sub(clock) }
            }
            Asked::TimerCleared(timer) => Entry::TimerCleared { timer },
        };
        let Some((index, recorded)) = self.next_guest_entry() else {
            self.write(attempted)?;
            return Ok(Admitted::New);
        };
        let same = match (recorded, &attempted) {
            (
                Entry::TimerSet { timer, delay, .. },
                Entry::TimerSet { timer: other_timer, delay: other_delay, .. },
            ) => (timer, delay) == (other_timer, other_delay),
            (recorded, attempted) => recorded == attempted,
        };
        if !same {
            return Err(self.divergence(index, Attempt::Entry(attempted)));
        }
        self.step_over(index);
        Ok(Admitted::Recorded)
    }

    /// The outcome of a call that the guest waits for on the spot, if the record has it.
    ///
    /// # Errors
    /// [`LedgerError::Diverged`].
    pub fn answer(&mut self, call: u32) -> Result<Option<(Outcome, u64)>, LedgerError> {
        let Some((index, entry)) = self.next_guest_entry() else { return Ok(None) };
        let Entry::Settled { call: settled, outcome, .. } = entry else {
            return Err(self.divergence(index, Attempt::Idle));
        };
        if *settled != call {
            return Err(self.divergence(index, Attempt::Idle));
        }
        let outcome = outcome.clone();
        self.step_over(index);
        Ok(Some((outcome, self.clock())))
    }

    /// The guest is idle. What the record tells it next; `None` at the frontier, from where on the run is live.
    ///
    /// # Errors
    /// [`LedgerError::Diverged`].
    pub fn deliver(&mut self) -> Result<Option<Delivery>, LedgerError> {
        while let Some((index, entry)) = self.next_guest_entry() {
            let delivery = match entry {
                Entry::Settled { call, outcome, .. } => Some((Some(outcome.clone()), *call)),
                Entry::TimerFired { timer, .. } => Some((None, *timer)),
                Entry::Paused => None,
                _ => return Err(self.divergence(index, Attempt::Idle)),
            };
            self.step_over(index);
            let clock = self.clock();
            return Ok(Some(match delivery {
                Some((Some(outcome), call)) => Delivery::Settled { call, outcome, clock },
                Some((None, timer)) => Delivery::Fired { timer, clock },
                None => continue,
            }));
        }
        Ok(None)
    }

    /// The script has ended.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub fn end(&mut self, ending: Ending) -> Result<(), LedgerError> {
        if let Some((index, recorded)) = self.next_guest_entry() {
            let same = match (recorded, &ending) {
                (Entry::Ended(Ending::Returned(recorded)), Ending::Returned(now)) => recorded == now,
                (Entry::Ended(Ending::Threw { call, .. }), Ending::Threw { call: now, .. }) => call == now,
                _ => false,
            };
            if !same {
                return Err(self.divergence(index, Attempt::Entry(Entry::Ended(ending))));
            }
            self.step_over(index);
        } else {
            self.write(Entry::Ended(ending))?;
        }
        self.turn(State::Draining);
        Ok(())
    }

    /// The host function of `call` is about to be invoked.
    ///
    /// # Errors
    /// [`LedgerError::Refused`], as all that write.
    pub fn dispatch(&mut self, call: u32) -> Result<(), LedgerError> {
        self.write(Entry::Dispatched { call })
    }

    /// A host function is called for the first time: its schemas are remembered.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn note_use(&mut self, function: u32, fingerprint: [u8; 16]) -> Result<(), LedgerError> {
        if self.facts.used.contains_key(&function) {
            return Ok(());
        }
        self.write(Entry::Used { function, fingerprint })
    }

    /// A call has an outcome, at `now` of the host's clock, and the guest is about to be told. Gives the clock's value.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn settle(&mut self, call: u32, now: u64, outcome: Outcome) -> Result<u64, LedgerError> {
        self.write(Entry::Settled { call, elapsed: now.saturating_sub(self.facts.clock), outcome })?;
        Ok(self.facts.clock)
    }

    /// A timer is due, at `now` of the host's clock, and the guest is about to be told. Gives the clock's value.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn fire(&mut self, timer: u32, now: u64) -> Result<u64, LedgerError> {
        self.write(Entry::TimerFired { timer, elapsed: now.saturating_sub(self.facts.clock) })?;
        Ok(self.facts.clock)
    }

    /// A call asks.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn interrupt(&mut self, question: Question) -> Result<(), LedgerError> {
        self.write(Entry::Interrupted(Box::new(question)))
    }

    /// A call's question is answered.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn resolve(&mut self, call: u32, at: u64, resolution: Resolution) -> Result<(), LedgerError> {
        self.write(Entry::Resolved { call, at, resolution })
    }

    /// Nothing is under way and something is asked: the run is put away. Where nothing happened since it was put away before, nothing is written.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn pause(&mut self, spent: Spent) -> Result<(), LedgerError> {
        if self.facts.at_rest && matches!(self.record.entries().last(), Some(Entry::Paused)) {
            return Ok(());
        }
        self.write(Entry::Spent(spent))?;
        self.write(Entry::Paused)
    }

    /// What the run has used, where it stops without being at rest.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn spend(&mut self, spent: Spent) -> Result<(), LedgerError> {
        if self.facts.spent == spent {
            return Ok(());
        }
        self.write(Entry::Spent(spent))
    }

    /// The run is over and nothing is awaited any more: questions are no longer answerable. Again is the same as once.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn close(&mut self) -> Result<(), LedgerError> {
        let asking: Vec<u32> = self.facts.questions().map(|(_, _, question)| question.call).collect();
        for call in asking {
            self.write(Entry::Abandoned { call })?;
        }
        if !self.facts.closed {
            self.write(Entry::Closed)?;
        }
        self.turn(State::Closed);
        Ok(())
    }

    /// The run is cancelled. Again is the same as once.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn cancel(&mut self) -> Result<(), LedgerError> {
        if self.facts.over.is_none() {
            self.turn(State::Live);
            self.write(Entry::Cancelled)?;
            self.turn(State::Draining);
        }
        Ok(())
    }

    /// Makes the call again whose rejection ended the run: everything since is void. To be resumed from the start.
    ///
    /// # Errors
    /// [`LedgerError::Refused`] when no call's rejection ended it, or the script made other calls since.
    pub fn retry(record: Record) -> Result<Record, LedgerError> {
        let ledger = Self::resume(record).map_err(|_| LedgerError::Refused("the ledger is malformed"))?;
        let Some(Over::Ended(Ending::Threw { call: Some(call), .. })) = &ledger.facts.over else {
            return Err(LedgerError::Refused("no host call's rejection ended the run"));
        };
        let State::Replaying(Cursor { path, .. }) = &ledger.state else { unreachable!("it resumes") };
        let call = *call;
        retry::cut(ledger.record.entries(), path, call).map_err(LedgerError::Refused)?;
        let mut record = ledger.record;
        record.push(Entry::Retried { call });
        Ok(record)
    }

    /// Goes on with another source. Whether it does what the record says, the replay finds out.
    pub fn change_source(mut record: Record, source: String) -> Record {
        record.push(Entry::SourceChanged { source });
        record
    }

    /// Another run that has the first `at` entries in common with this one.
    ///
    /// # Errors
    /// [`LedgerError::Refused`] when there are not so many.
    pub fn fork(record: &Record, at: usize, run_id: RunId) -> Result<Record, LedgerError> {
        if at == 0 || at > record.entries().len() {
            return Err(LedgerError::Refused(
                "a fork needs at least the first entry and at most all of them",
            ));
        }
        let kept = Record::from_entries(record.entries()[..at].to_vec())
            .and_then(Self::resume)
            .map_err(|_| LedgerError::Refused("the ledger is malformed"))?;
        let from = kept.facts.run_id;
        let mut record = kept.record;
        record.push(Entry::Forked { run_id, from, at: at as u64 });
        Ok(record)
    }

    /// The next guest entry of the record, and its index. Host entries before it are passed; without one the frontier is reached.
    fn next_guest_entry(&mut self) -> Option<(usize, &Entry)> {
        let State::Replaying(cursor) = &mut self.state else { return None };
        let entries = self.record.entries();
        while cursor.path.get(cursor.next).is_some_and(|index| !entries[*index].is_guest()) {
            cursor.next += 1;
        }
        let Some(index) = cursor.path.get(cursor.next).copied() else {
            self.turn(State::Live);
            return None;
        };
        Some((index, &self.record.entries()[index]))
    }

    fn step_over(&mut self, index: usize) {
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
    fn turn(&mut self, to: State) {
        self.state = to;
    }

    /// The one place where something is written.
    fn write(&mut self, entry: Entry) -> Result<(), LedgerError> {
        if matches!(self.state, State::Replaying(_) | State::Closed) {
            return Err(LedgerError::Refused("nothing is written while replaying, nor behind the end"));
        }
        self.facts.apply(&entry).map_err(LedgerError::Refused)?;
        self.size += entry.size();
        self.record.push(entry);
        Ok(())
    }

    fn divergence(&self, index: usize, attempted: Attempt) -> LedgerError {
        let functions = self.record.started().functions.iter().map(|lent| lent.name.clone()).collect();
        let recorded = self.record.entries()[index].clone();
        LedgerError::Diverged(Box::new(Divergence { entry: index, recorded, attempted, functions }))
    }
}

/// What became of calls after a cancellation, the guest was never told.
fn cut_at_cancellation(entries: &[Entry], path: &mut Vec<usize>) {
    if let Some(cancelled) = path.iter().position(|index| matches!(entries[*index], Entry::Cancelled)) {
        path.truncate(cancelled);
    }
}
