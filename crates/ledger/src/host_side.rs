//! What the host does and what happens to it: all that is written at and behind the frontier.

use crate::entry::{Entry, Outcome, Question, Resolution, Spent};
use crate::fault::Fault;
use crate::ledger::State;
use crate::{Ledger, LedgerError, Phase};

impl Ledger {
    /// The host function of `call` is about to be invoked.
    ///
    /// # Errors
    /// [`LedgerError::Refused`], as all that write: while replaying, behind the closing, and where it cannot have happened.
    pub fn dispatch(&mut self, call: u32) -> Result<(), LedgerError> {
        self.write(Entry::Dispatched { call })
    }

    /// A host function is called for the first time: its schemas are remembered.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn note_use(&mut self, function: u32, fingerprint: [u8; 16]) -> Result<(), LedgerError> {
        if self.facts().used.contains_key(&function) {
            return Ok(());
        }
        self.write(Entry::Used { function, fingerprint })
    }

    /// A call has an outcome, at `now` of the host's clock, and the guest is about to be told. Gives the clock's value.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn settle(&mut self, call: u32, now: u64, outcome: Outcome) -> Result<u64, LedgerError> {
        self.write(Entry::Settled { call, elapsed: now.saturating_sub(self.facts().clock), outcome })?;
        Ok(self.facts().clock)
    }

    /// A timer is due, at `now` of the host's clock, and the guest is about to be told. Gives the clock's value: not before the timer is due.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn fire(&mut self, timer: u32, now: u64) -> Result<u64, LedgerError> {
        let due = self.facts().timers.get(&timer).map_or(0, |(due, _)| *due);
        self.write(Entry::TimerFired { timer, elapsed: now.max(due).saturating_sub(self.facts().clock) })?;
        Ok(self.facts().clock)
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

    /// Nothing is under way and something is waited for: the run is put away. Where nothing happened since it was put away before, nothing is written.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn pause(&mut self, spent: Spent) -> Result<(), LedgerError> {
        if self.facts().at_rest {
            return Ok(());
        }
        self.facts().may_pause().map_err(LedgerError::Refused)?;
        self.write(Entry::Spent(spent))?;
        if self.faults().has(Fault::DropPaused) {
            return Ok(());
        }
        self.write(Entry::Paused)
    }

    /// What the run has used, where it stops without being at rest.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn spend(&mut self, spent: Spent) -> Result<(), LedgerError> {
        if self.facts().spent == spent {
            return Ok(());
        }
        self.write(Entry::Spent(spent))
    }

    /// The run is over and nothing is awaited any more: questions are no longer answerable. Again is the same as once.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn close(&mut self) -> Result<(), LedgerError> {
        if !self.facts().closed {
            let asking: Vec<u32> = self.facts().unanswered().map(|question| question.call).collect();
            for call in asking {
                self.write(Entry::Abandoned { call })?;
            }
            self.write(Entry::Closed)?;
        }
        self.turn(State::Closed);
        Ok(())
    }

    /// The run is cancelled, wherever its replay stands. Again is the same as once; of a run that is over nothing is written.
    ///
    /// # Errors
    /// [`LedgerError::Refused`].
    pub fn cancel(&mut self) -> Result<(), LedgerError> {
        if self.facts().over.is_none() {
            self.turn(State::Live);
            self.write(Entry::Cancelled)?;
            while self.settle_kept()?.is_some() {}
        }
        if self.phase() != Phase::Closed {
            self.turn(State::Draining);
        }
        Ok(())
    }
}
