//! What the guest does, and what it is told of what happened before.

use crate::clock::Mark;
use crate::divergence::Attempt;
use crate::entry::{Ending, Entry, Outcome, Request};
use crate::fault::Fault;
use crate::ledger::State;
use crate::{Ledger, LedgerError};

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
    /// A read of the clock that gave a new value, or any in a run that records its reads.
    Clock(Mark),
    /// A read of randomness, in a run that records its reads: the encoded value.
    Random(Vec<u8>),
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
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl Ledger {
    /// The guest did something. What it did before is compared; what is new is written down.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub fn admit(&mut self, asked: Asked) -> Result<Admitted, LedgerError> {
        let (clock, faults) = (self.clock(), self.faults());
        let attempted = match asked {
            Asked::Call { call, request } => Entry::Called { call, request },
            Asked::Clock(Mark { reads, elapsed, .. }) => Entry::Clock { reads, elapsed },
            Asked::TimerSet { timer, delay, due } => {
                Entry::TimerSet { timer, delay, due: due.saturating_sub(clock) }
            }
            Asked::Random(value) => Entry::Random { value: value.into() },
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
            (Entry::Called { call, .. }, Entry::Called { call: other, .. })
                if faults.has(Fault::SkipArgumentCheck) =>
            {
                call == other
            }
            (recorded, attempted) => recorded == attempted,
        };
        if !same {
            return Err(self.divergence(index, Attempt::Entry(attempted)));
        }
        self.step_over(index);
        Ok(Admitted::Recorded)
    }

    /// The outcome of a call that the guest waits for on the spot, if the record has it. `None` at the frontier, from where on the run is live.
    ///
    /// # Errors
    /// [`LedgerError::Diverged`].
    pub fn answer(&mut self, call: u32) -> Result<Option<(Outcome, u64)>, LedgerError> {
        while let Some((index, entry)) = self.next_guest_entry() {
            let answer = match entry {
                Entry::Settled { call: settled, outcome, .. } if *settled == call => Some(outcome.clone()),
                // It was asked what became of the call, and the run was put away in the middle of a slice.
                Entry::Paused => None,
                _ => return Err(self.divergence(index, Attempt::Idle)),
            };
            self.step_over(index);
            if let Some(outcome) = answer {
                return Ok(Some((outcome, self.clock())));
            }
        }
        Ok(None)
    }

    /// The guest is idle. What the record tells it next; `None` at the frontier, from where on the run is live.
    ///
    /// Behind the last entry come the outcomes that a retry kept. Telling them is new, and written down.
    ///
    /// # Errors
    /// [`LedgerError`].
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
        let told = self.settle_kept()?;
        Ok(told.map(|(call, outcome)| Delivery::Settled { call, outcome, clock: self.clock() }))
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
            while self.settle_kept()?.is_some() {}
        }
        self.turn(State::Draining);
        Ok(())
    }

    /// Settles the first call whose outcome a retry kept.
    pub(crate) fn settle_kept(&mut self) -> Result<Option<(u32, Outcome)>, LedgerError> {
        let Some((call, outcome)) = self.facts().kept.first_key_value() else { return Ok(None) };
        let (call, outcome) = (*call, outcome.clone());
        self.write(Entry::Settled { call, elapsed: 0, outcome: outcome.clone() })?;
        Ok(Some((call, outcome)))
    }
}
