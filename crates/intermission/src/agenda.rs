//! What is to be done when a replay reaches the frontier.
//!
//! Answers are acted on in the order in which they were given. A timer that was due before an answer fires first; one that was due later, even long ago,
//! waits for the calls that the answer sets going.

use std::collections::{BTreeSet, VecDeque};

use intermission_engine::CallId;
use intermission_ledger::entry;

/// An answer that is to be acted on.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) at: u64,
    pub(crate) call: CallId,
    /// Absent where the ledger has it already, and nothing was done about it before a crash.
    pub(crate) resolution: Option<entry::Resolution>,
}

#[derive(Debug, Default)]
pub(crate) struct Agenda {
    answers: VecDeque<Answered>,
    /// Calls that were never invoked, or whose outcome a crash has lost.
    reopened: Vec<CallId>,
    /// Calls that an answer has set going and that have not finished.
    going: BTreeSet<CallId>,
    /// When the run was resumed.
    resumed: u64,
}

/// What comes next.
#[derive(Debug)]
pub(crate) enum Item {
    Answered(Answered),
    Reopened(CallId),
}

impl Agenda {
    pub(crate) fn new(mut answers: Vec<Answered>, reopened: Vec<CallId>, resumed: u64) -> Self {
        answers.sort_by_key(|answer| (answer.at, answer.call));
        Self { answers: answers.into(), reopened, going: BTreeSet::new(), resumed }
    }

    /// Whether a timer that is due at `due` may fire already.
    pub(crate) fn lets_fire(&self, due: u64) -> bool {
        let before_the_next = self.answers.front().is_none_or(|answer| due < answer.at);
        before_the_next && (self.going.is_empty() || due > self.resumed)
    }

    /// The answers that were given next, at one time, and with the first of them the calls that a crash left open. Nothing as long as calls of the
    /// answers before are under way.
    pub(crate) fn next(&mut self) -> Vec<Item> {
        if !self.going.is_empty() {
            return Vec::new();
        }
        let mut items = Vec::new();
        let at = self.answers.front().map(|answer| answer.at);
        while let Some(answer) = self.answers.pop_front_if(|answer| Some(answer.at) == at) {
            items.push(Item::Answered(answer));
        }
        items.extend(self.reopened.drain(..).map(Item::Reopened));
        items
    }

    /// Whether an answer to this call is waiting for its turn.
    pub(crate) fn has(&self, call: CallId) -> bool {
        self.answers.iter().any(|answer| answer.call == call)
    }

    /// An answer has set this call going.
    pub(crate) fn goes(&mut self, call: CallId) {
        self.going.insert(call);
    }

    /// A call has finished, or asks again.
    pub(crate) fn finished(&mut self, call: CallId) {
        self.going.remove(&call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(at: u64, call: CallId) -> Answered {
        Answered { at, call, resolution: None }
    }

    fn calls(items: Vec<Item>) -> Vec<CallId> {
        let call = |item| match item {
            Item::Answered(answer) => answer.call,
            Item::Reopened(call) => call,
        };
        items.into_iter().map(call).collect()
    }

    #[test]
    fn answers_go_by_when_they_were_given_and_each_waits_for_the_one_before() {
        let mut agenda = Agenda::new(vec![answered(20, 1), answered(10, 3), answered(10, 2)], vec![9], 100);
        assert_eq!(calls(agenda.next()), [2, 3, 9]);
        agenda.goes(2);
        assert!(agenda.next().is_empty());
        agenda.finished(2);
        assert_eq!(calls(agenda.next()), [1]);
    }

    #[test]
    fn a_timer_fires_before_an_answer_that_was_given_later_and_waits_for_one_given_in_time() {
        let mut agenda = Agenda::new(vec![answered(20, 1)], vec![], 100);
        assert_eq!([19, 20, 50].map(|due| agenda.lets_fire(due)), [true, false, false]);
        agenda.next();
        agenda.goes(1);
        assert_eq!([50, 100, 101].map(|due| agenda.lets_fire(due)), [false, false, true]);
        agenda.finished(1);
        assert!(agenda.lets_fire(50));
    }
}
