//! Sandboxes of paused runs, kept beside their ledgers: who goes on in the same process goes on at once.
//!
//! The ledger is the truth. A snapshot is used only where a replay would lead to the very same place, and is given up whenever there is doubt, or its place is wanted.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use intermission_engine::{Call, CallId, ConsoleEntry};
use intermission_ledger::{Record, RunId};

use crate::Limits;
use crate::begin::Invocation;
use crate::clock::{RunClock, Time};
use crate::positions::Positions;
use crate::seat::Seat;

/// A script's sandbox, and what its driver knows of it.
pub(crate) struct Guest {
    pub(crate) seat: Seat,
    pub(crate) clock: RunClock,
    pub(crate) positions: Positions,
    /// Calls that it waits for.
    pub(crate) pending: BTreeMap<CallId, Box<Call>>,
    /// What it has said.
    pub(crate) console: Vec<ConsoleEntry>,
}

impl Guest {
    /// Of a script that has not begun.
    pub(crate) fn new(seat: Seat, clock: RunClock, positions: Positions) -> Self {
        Self { seat, clock, positions, pending: BTreeMap::new(), console: Vec::new() }
    }
}

/// A guest at a pause.
pub(crate) struct Snapshot {
    /// The ledger of that moment.
    pub(crate) record: Record,
    /// What its sandbox was made for.
    pub(crate) limits: Limits,
    pub(crate) guest: Guest,
}

impl Snapshot {
    fn run_id(&self) -> RunId {
        self.record.started().run_id
    }

    fn memory(&self) -> u64 {
        self.guest.seat.usage().memory
    }

    /// Whether a replay would lead here.
    fn is_of(&self, invocation: &Invocation, time: &Time) -> bool {
        self.limits == invocation.limits
            && self.guest.clock.is_of(time)
            && self.record == *invocation.ledger.record()
    }
}

/// The snapshots of one engine, the oldest first.
pub(crate) struct Snapshots {
    /// How much memory they may have together, in bytes.
    most: u64,
    kept: Mutex<VecDeque<Snapshot>>,
}

impl Snapshots {
    pub(crate) fn new(most: u64) -> Self {
        Self { most, kept: Mutex::default() }
    }

    /// Whether there are any at all.
    pub(crate) fn are_wanted(&self) -> bool {
        self.most > 0
    }

    /// Keeps one, and gives up old ones for it.
    pub(crate) fn keep(&self, snapshot: Snapshot) {
        let mut given_up = Vec::new();
        let mut kept = self.kept();
        kept.push_back(snapshot);
        let mut memory: u64 = kept.iter().map(Snapshot::memory).sum();
        while memory > self.most
            && let Some(oldest) = kept.pop_front()
        {
            memory -= oldest.memory();
            given_up.push(oldest);
        }
        // Their memory is given back while nobody waits for this.
        drop(kept);
    }

    /// Takes the one that an invocation can go on in. What else there is of its run is given up: the run has another history now.
    pub(crate) fn take(&self, invocation: &Invocation, time: &Time) -> Option<Guest> {
        if invocation.frontier.is_none() || invocation.dry {
            return None;
        }
        let mut kept = self.kept();
        let run_id = invocation.ledger.facts().run_id;
        let at = kept.iter().position(|snapshot| snapshot.run_id() == run_id)?;
        let snapshot = kept.remove(at)?;
        drop(kept);
        snapshot.is_of(invocation, time).then_some(snapshot.guest)
    }

    /// Gives the oldest up for somebody who wants its place. Whether there was one.
    pub(crate) fn give_up_one(&self) -> bool {
        let oldest = self.kept().pop_front();
        oldest.is_some()
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Snapshot>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
