//! Where the record ends and life begins.

use std::time::Duration;

use intermission_engine::{CallId, Outcome};
use intermission_ledger::entry::{QuestionKind, Resolution};
use intermission_ledger::{Entry, Facts, Standing};
use intermission_value::Value;

use crate::agenda::{Agenda, Answered, Item};
use crate::convert::guest_outcome;
use crate::dispatch::{Told, rejected};
use crate::drive::Drive;
use crate::halt::Halt;
use crate::{Effect, HostError, Interrupt, RunError};

/// What a resumed run brings along for the frontier.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    pub(crate) answers: Vec<Answered>,
}

impl Frontier {
    /// Takes the answer of one call out of its turn.
    pub(crate) fn take(&mut self, call: CallId) -> Option<Answered> {
        let at = self.answers.iter().position(|answer| answer.call == call)?;
        Some(self.answers.remove(at))
    }
}

impl Drive<'_> {
    /// The record has no more to tell: what was answered meanwhile, and what a crash has left open, is put on the agenda.
    pub(crate) fn reach_frontier(&mut self) {
        self.leave_replay();
        let Some(frontier) = self.frontier.take() else { return };
        let mut answers = frontier.answers;
        let (facts, made) = (self.ledger.facts(), &self.made);
        let given = |call: u32| answers.iter().any(|answer| answer.call == call);
        let open: Vec<(u32, Standing)> = facts
            .open
            .iter()
            .filter(|(call, _)| !made.contains(call) && !given(**call))
            .map(|(call, open)| (*call, open.standing.clone()))
            .collect();
        let (now, mut reopened) = (self.clock.now(), Vec::new());
        for (call, standing) in open {
            match standing {
                Standing::Called => reopened.push(call),
                // A call that an answer had set going keeps the answer's turn.
                Standing::Dispatched | Standing::Answered(..) => match self.answered_at(call) {
                    Some(at) => answers.push(Answered { at, call, resolution: None }),
                    None => reopened.push(call),
                },
                Standing::Asking(question) => {
                    if let Some(at) = question.expires.filter(|expires| *expires <= now) {
                        answers.push(Answered { at, call, resolution: Some(Resolution::Expired) });
                    }
                }
            }
        }
        self.agenda = Agenda::new(answers, reopened, now);
    }

    /// From here on what is used, and said, is the run's own.
    pub(crate) fn leave_replay(&mut self) {
        self.meter_live_slices();
        if !std::mem::take(&mut self.replays) {
            return;
        }
        if let Some(sandbox) = &mut self.sandbox {
            let replayed = sandbox.take_console();
            self.report.replayed = replayed.len();
            self.report.console = replayed;
        }
    }

    fn answered_at(&self, call: u32) -> Option<u64> {
        self.ledger.record().entries().iter().rev().find_map(|entry| match entry {
            Entry::Resolved { call: resolved, at, .. } if *resolved == call => Some(*at),
            _ => None,
        })
    }

    /// Acts on the next of the agenda. Whether there was anything.
    pub(crate) fn act_on_agenda(&mut self) -> Result<bool, RunError> {
        let items = self.agenda.next();
        let any = !items.is_empty();
        for item in items {
            match item {
                Item::Answered(answer) => self.act_on(answer)?,
                Item::Reopened(call) => self.reopen(call)?,
            }
        }
        Ok(any)
    }

    /// Writes an answer down and does what it says.
    pub(crate) fn act_on(&mut self, Answered { at, call, resolution }: Answered) -> Result<(), RunError> {
        if let Some(resolution) = resolution {
            self.ledger.resolve(call, at, resolution)?;
        }
        self.agenda.goes(call);
        let Some(Standing::Answered(question, resolution)) =
            self.ledger.facts().open.get(&call).map(|open| open.standing.clone())
        else {
            return self.reopen(call);
        };
        let told = match (resolution, question.default) {
            (Resolution::Answered(value), _) if question.kind == QuestionKind::Event => {
                Ok(Told::Outcome(Outcome::Fulfilled(value.to_vec())))
            }
            (Resolution::Expired, _) if question.kind == QuestionKind::Event => {
                rejected(&crate::wait_for::timed_out())
            }
            (Resolution::Answered(_) | Resolution::Approved { .. } | Resolution::DidNotHappen, _)
            | (Resolution::Expired, Some(_)) => return self.invoke_again(call),
            (Resolution::Happened(outcome), _) => Ok(Told::Outcome(guest_outcome(outcome))),
            (Resolution::Denied { reason }, _) => rejected(&denied(reason)),
            (Resolution::Expired, None) => rejected(&expired()),
        };
        self.tell(call, told);
        Ok(())
    }

    /// What is known at once takes its turn with what finishes.
    pub(crate) fn tell(&mut self, call: CallId, told: crate::dispatch::Answer) {
        self.finished.add(self.clock.now(), call, told);
    }

    /// A call that a crash has left open.
    fn reopen(&mut self, call: CallId) -> Result<(), RunError> {
        let Some(open) = self.ledger.facts().open.get(&call) else {
            self.agenda.finished(call);
            return Ok(());
        };
        if open.standing == Standing::Called {
            return self.invoke(call);
        }
        match self.effect(call)? {
            Effect::Pure | Effect::Idempotent => self.invoke_again(call),
            Effect::Unsafe if self.has_probe(call)? => self.probe(call),
            Effect::Unsafe => {
                self.agenda.finished(call);
                self.ask_what_happened(call)
            }
        }
    }

    pub(crate) fn ask_what_happened(&mut self, call: CallId) -> Result<(), RunError> {
        let payload = Value::object([("kind", "outcome-unknown")]);
        self.ask(call, QuestionKind::OutcomeUnknown, Interrupt::new(payload))
    }

    /// Questions that nobody answered in time are over.
    pub(crate) async fn expire(&mut self) -> Result<(), RunError> {
        let mut overdue = overdue(self.ledger.facts(), self.clock.now());
        overdue.retain(|(call, _)| !self.agenda.has(*call));
        if overdue.is_empty() {
            return Ok(());
        }
        for (call, at) in overdue {
            self.act_on(Answered { at, call, resolution: Some(Resolution::Expired) })?;
        }
        self.begin_dispatched().await
    }

    pub(crate) fn asked_too_late(&self) -> bool {
        !overdue(self.ledger.facts(), self.clock.now()).is_empty()
    }

    /// When something happens by itself.
    pub(crate) fn wakes_at(&self) -> Option<u64> {
        crate::continuation::wake_at(&self.ledger)
    }

    /// The same, but for what is late because an answer goes first: that waits for a call, and nobody waits for it.
    pub(crate) fn next_by_itself(&self, now: u64) -> Option<u64> {
        let facts = self.ledger.facts();
        let timer = facts.next_timer().map(|(due, _)| due);
        let timer = timer.filter(|due| *due > now || self.agenda.lets_fire(*due));
        let expiry = facts.unanswered().filter(|question| !self.agenda.has(question.call));
        timer.into_iter().chain(expiry.filter_map(|question| question.expires)).min()
    }

    /// Nothing is under way: the run is put away, unless a timer is due soon and nobody is asked.
    pub(crate) async fn rest(&mut self) -> Result<(), Halt> {
        let facts = self.ledger.facts();
        if facts.unanswered().next().is_some() {
            return Err(Halt::Paused);
        }
        let Some((due, _)) = facts.next_timer() else {
            self.tell_of_deadlock().await;
            return Err(RunError::Deadlock.into());
        };
        let wait = Duration::from_millis(due.saturating_sub(self.clock.now()));
        let left = self.budget.left();
        if left.is_zero() {
            return Err(self.budget.overdue().into());
        }
        if wait > left.min(self.longest_wait) { Err(Halt::Paused) } else { Ok(()) }
    }
}

/// The questions whose time is over, and since when.
pub(crate) fn overdue(facts: &Facts, now: u64) -> Vec<(u32, u64)> {
    let open = facts.unanswered().filter_map(|question| Some((question.call, question.expires?)));
    open.filter(|(_, expires)| *expires <= now).collect()
}

fn denied(reason: Option<String>) -> HostError {
    let message = reason.unwrap_or_else(|| "the call was not approved".to_owned());
    HostError::new(message).with_name("ApprovalDenied").with_code("APPROVAL_DENIED")
}

fn expired() -> HostError {
    HostError::new("nobody answered in time").with_name("TimeoutError").with_code("INTERRUPTION_EXPIRED")
}
