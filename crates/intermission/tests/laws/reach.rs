//! Whether the generator gets to where faults hide.

use std::fmt;

use intermission::RunResult;
use intermission::ledger::Entry;

use crate::print::RACE_SAID;

/// What one case got to.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is seen or not, apart from the others")]
pub(crate) struct Reach {
    /// A race between calls and timers had a winner.
    pub(crate) race: bool,
    /// Several questions were open at once.
    pub(crate) several_pending: bool,
    /// Some of the open questions were answered, and others not.
    pub(crate) partial_resume: bool,
    /// The run ended without an answer.
    pub(crate) abandoned: bool,
    /// A timer that was set before a pause fired after it.
    pub(crate) timer_across: bool,
    /// It went on in the sandbox in which it had paused.
    pub(crate) in_place: bool,
    pub(crate) host_calls: u32,
}

impl Reach {
    /// What the finished run shows.
    pub(crate) fn look_at(&mut self, result: &RunResult) {
        let report = result.report();
        self.race = report.console.iter().any(|entry| entry.text == RACE_SAID);
        self.abandoned = !report.abandoned.is_empty();
        let mut set = std::collections::BTreeMap::new();
        let mut pauses = 0;
        for entry in result.continuation().map(|kept| kept.record().entries()).unwrap_or_default() {
            match entry {
                Entry::Paused => pauses += 1,
                Entry::TimerSet { timer, .. } => drop(set.insert(*timer, pauses)),
                Entry::TimerFired { timer, .. } => {
                    self.timer_across |= set.get(timer).is_some_and(|before| *before < pauses);
                }
                Entry::Called { call, .. } => self.host_calls = *call,
                _ => {}
            }
        }
    }
}

/// What all cases got to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Total(Vec<Reach>);

/// What is counted, how to see it, and how many in a hundred there must be.
type Goal = (&'static str, fn(&Reach) -> bool, usize);

const GOALS: [Goal; 6] = [
    ("a race decided by settlement order", |reach| reach.race, 30),
    ("two or more interruptions at once", |reach| reach.several_pending, 30),
    ("a partial resume", |reach| reach.partial_resume, 20),
    ("an abandoned interruption", |reach| reach.abandoned, 10),
    ("a timer due across a pause", |reach| reach.timer_across, 10),
    ("a resume in place", |reach| reach.in_place, 10),
];

const LEAST_MEDIAN_OF_CALLS: u32 = 8;

impl Total {
    pub(crate) fn add(&mut self, reach: Reach) {
        self.0.push(reach);
    }

    pub(crate) fn join(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    fn share(&self, seen: fn(&Reach) -> bool) -> f64 {
        100.0 * self.0.iter().filter(|reach| seen(reach)).count() as f64 / self.0.len().max(1) as f64
    }

    fn median_of_calls(&self) -> u32 {
        let mut calls: Vec<u32> = self.0.iter().map(|reach| reach.host_calls).collect();
        calls.sort_unstable();
        calls.get(calls.len() / 2).copied().unwrap_or_default()
    }

    /// What was to be got to and was not.
    pub(crate) fn missed(&self) -> Vec<&'static str> {
        let missed = GOALS.iter().filter(|(_, seen, least)| self.share(*seen) < *least as f64);
        let calls = (self.median_of_calls() < LEAST_MEDIAN_OF_CALLS).then_some("host calls");
        missed.map(|(name, ..)| *name).chain(calls).collect()
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} programs", self.0.len())?;
        for (name, seen, least) in GOALS {
            writeln!(f, "{name:<36} {:5.1} %, at least {least} %", self.share(seen))?;
        }
        let calls = self.median_of_calls();
        writeln!(f, "{:<36} {calls:5}, at least {LEAST_MEDIAN_OF_CALLS}", "host calls, median")
    }
}
