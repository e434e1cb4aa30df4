//! What came of an invocation, against what is right.

use std::collections::BTreeSet;

use super::Course;
use crate::door::{Door, Ended, Failure, Question, Seen, Setting};
use crate::mismatch::{compare, list};
use crate::step::Step;
use crate::{Asked, Fails, same};

impl<D: Door> Course<'_, D> {
    pub(super) fn look(&mut self, step: &Step, seen: &Seen<D::Token>) {
        match (&seen.ended, step) {
            (Ended::Completed(value), Step { value: Some(expected), .. }) => {
                compare(&mut self.differences, "value", same(expected, value), expected, value);
            }
            (Ended::Interrupted { asks, wakes_at }, Step { asks: Some(_), .. }) => {
                self.asks(step, asks, *wakes_at);
                self.ids(asks);
            }
            (Ended::Failed(failure), Step { fails: Some(fails), .. }) => self.fails(fails, failure),
            (Ended::Cancelled, Step { cancelled: true, .. }) => {}
            (other, _) => {
                compare(&mut self.differences, "the end", false, expected(step), told(other));
            }
        }
        self.report(step, seen);
        let is_over = matches!(seen.ended, Ended::Completed(_) | Ended::Failed(_));
        if is_over && self.differences.is_empty() && step.fails.as_ref().is_none_or(Fails::is_the_scripts) {
            self.replay(seen);
        }
    }

    /// What there is to say besides the ending.
    fn report(&mut self, step: &Step, seen: &Seen<D::Token>) {
        let differences = &mut self.differences;
        let entry = |(one, other): &(String, String)| format!("{one} {other:?}");
        if let Some(console) = &step.console {
            let (expected, said) = (list(console.iter().map(entry)), list(seen.console.iter().map(entry)));
            compare(differences, "console", *console == seen.console, expected, said);
        }
        if let (Some(expected), Some(replayed)) = (step.replayed, seen.replayed) {
            compare(differences, "replayed console entries", expected == replayed, expected, replayed);
        }
        let is_same = step.abandoned == seen.abandoned;
        compare(differences, "abandoned", is_same, list(&step.abandoned), list(&seen.abandoned));
        let (expected, detached) =
            (list(step.detached.iter().map(entry)), list(seen.detached.iter().map(entry)));
        compare(differences, "detached", step.detached == seen.detached, expected, detached);
        let has = |(part, text): (&String, &String)| text.contains(part.as_str());
        let is_same = step.unhandled.len() == seen.unhandled.len()
            && step.unhandled.iter().zip(&seen.unhandled).all(has);
        compare(differences, "unhandled", is_same, list(&step.unhandled), list(&seen.unhandled));
        if let Some(expected) = &step.leaves {
            let data = seen.data.clone().unwrap_or_default();
            compare(differences, "data", same(expected, &data), expected, &data);
        }
    }

    pub(super) fn asks(&mut self, step: &Step, asks: &[Question], wakes_at: Option<u64>) {
        let expected = step.asks.as_deref().unwrap_or_default();
        let is_same =
            expected.len() == asks.len() && expected.iter().zip(asks).all(|(asked, seen)| asked.is(seen));
        let seen = asks.iter().map(|question| Asked {
            call: question.call.clone(),
            kind: Some(question.kind.clone()),
            payload: Some(question.payload.clone()),
            at: question.at,
        });
        compare(&mut self.differences, "asks", is_same, list(expected), list(seen));
        let time = |time: Option<u64>| time.map_or_else(|| "never".to_owned(), |time| time.to_string());
        compare(
            &mut self.differences,
            "wakes at",
            step.wakes_at == wakes_at,
            time(step.wakes_at),
            time(wakes_at),
        );
    }

    /// A question keeps its id, and one whose answer was taken is not asked again.
    fn ids(&mut self, asks: &[Question]) {
        let ids: BTreeSet<&str> = asks.iter().map(|question| question.id.as_str()).collect();
        if ids.len() != asks.len() {
            self.differences.push("two questions have the same id".to_owned());
        }
        for question in asks {
            if self.answered.contains(&question.id) {
                self.differences.push(format!("{} is asked again under the same id", question.call));
            }
            let before = self.asked.entry(question.id.clone()).or_insert_with(|| question.call.clone());
            if *before != question.call {
                self.differences.push(format!("{} has the id of {before}", question.call));
            }
        }
    }

    fn fails(&mut self, fails: &Fails, failure: &Failure) {
        let is_same = fails.code == failure.code;
        let seen = format!("{}: {}", failure.code, failure.message);
        compare(&mut self.differences, "error", is_same, &fails.code, &seen);
        for part in fails.says.iter().filter(|part| !failure.message.contains(part.as_str())) {
            self.differences.push(format!("message: expected is {part:?} in {:?}", failure.message));
        }
        if fails.at.is_some() && fails.at != failure.at {
            self.differences.push(format!("place: expected {:?}, seen {:?}", fails.at, failure.at));
        }
    }

    /// A run that ended ends so again, without any call.
    fn replay(&mut self, seen: &Seen<D::Token>) {
        let Some(token) = &seen.token else { return };
        let functions = self.functions.clone();
        let setting =
            Setting { case: self.case, functions: &functions, clock: self.clock, strict: self.strict };
        let Some(again) = self.door.replay(&setting, token) else { return };
        let called = self.door.take_calls();
        compare(
            &mut self.differences,
            "calls of a replay",
            called.is_empty(),
            "[]".to_owned(),
            list(&called),
        );
        let is_same = again.ended.is(&seen.ended);
        compare(&mut self.differences, "the end of a replay", is_same, told(&seen.ended), told(&again.ended));
        if again.console != seen.console {
            self.differences.push(format!("console of a replay: {:?}", again.console));
        }
        if again.abandoned != seen.abandoned {
            self.differences.push(format!("abandoned in a replay: {}", list(&again.abandoned)));
        }
        if again.detached != seen.detached {
            self.differences.push(format!("detached of a replay: {:?}", again.detached));
        }
    }
}

impl Asked {
    fn is(&self, question: &Question) -> bool {
        self.call == question.call
            && self.kind.as_ref().is_none_or(|kind| *kind == question.kind)
            && self.payload.as_ref().is_none_or(|payload| same(payload, &question.payload))
            && (self.at.is_none() || self.at == question.at)
    }
}

impl Ended {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Completed(one), Self::Completed(other)) => same(one, other),
            (one, other) => one == other,
        }
    }
}

impl Fails {
    /// What the script itself throws is in its ledger; what stops it is not.
    fn is_the_scripts(&self) -> bool {
        self.code == "SCRIPT_ERROR"
    }
}

/// What is right, in short.
pub(super) fn expected(step: &Step) -> String {
    if let Some(value) = &step.value {
        format!("value {value}")
    } else if let Some(asks) = &step.asks {
        format!("asks {}", list(asks))
    } else if let Some(fails) = &step.fails {
        format!("failed, {}", fails.code)
    } else if let Some(refused) = &step.refused {
        format!("refused, {refused}")
    } else {
        "cancelled".to_owned()
    }
}

fn told(ended: &Ended) -> String {
    match ended {
        Ended::Completed(value) => format!("value {value}"),
        Ended::Interrupted { asks, .. } => {
            format!("asks {}", list(asks.iter().map(|question| &question.call)))
        }
        Ended::Failed(failure) => format!("failed, {}: {}", failure.code, failure.message),
        Ended::Cancelled => "cancelled".to_owned(),
    }
}
