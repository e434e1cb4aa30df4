//! Calls that have finished and that the guest has not been told of.

use std::collections::BTreeMap;

use intermission_engine::CallId;

use intermission_ledger::{Fault, Faults};

use crate::dispatch::Answer;

/// First finished, first told; of those found finished in one look, the lowest request index goes first.
#[derive(Default)]
pub(crate) struct Finished {
    answers: BTreeMap<(u64, CallId), (u64, Answer)>,
    look: u64,
    faults: Faults,
}

impl Finished {
    pub(crate) fn new(faults: Faults) -> Self {
        Self { faults, ..Self::default() }
    }

    /// What is added from here on finished later than what is there.
    pub(crate) fn look_again(&mut self) {
        self.look += u64::from(!self.faults.has(Fault::SettleInCallOrder));
    }

    /// A call has finished, at `now` of the run's clock.
    pub(crate) fn add(&mut self, now: u64, call: CallId, answer: Answer) {
        self.answers.insert((self.look, call), (now, answer));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// When the first of them finished.
    pub(crate) fn first_at(&self) -> Option<u64> {
        self.answers.values().next().map(|(at, _)| *at)
    }

    /// Which is the first of them.
    pub(crate) fn first_call(&self) -> Option<CallId> {
        self.answers.keys().next().map(|(_, call)| *call)
    }

    /// Takes the first.
    pub(crate) fn take(&mut self) -> Option<(CallId, Answer)> {
        self.answers.pop_first().map(|((_, call), (_, answer))| (call, answer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::Told;
    use intermission_engine::Outcome;

    #[test]
    fn the_first_finished_is_told_first_and_ties_go_to_the_lower_index() {
        let mut finished = Finished::default();
        let answer = || Ok(Told::Outcome(Outcome::Fulfilled(Vec::new())));
        finished.add(10, 7, answer());
        finished.add(10, 5, answer());
        finished.look_again();
        finished.add(11, 3, answer());
        assert_eq!(finished.first_at(), Some(10));
        let order: Vec<_> = std::iter::from_fn(|| finished.take()).map(|(call, _)| call).collect();
        assert_eq!(order, [5, 7, 3]);
    }
}
