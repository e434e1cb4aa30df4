//! Many answers at the same time: one wins.

use super::Course;
use crate::door::{Door, Ended, Failure, Seen, Setting};
use crate::mismatch::{compare, list};
use crate::same;
use crate::step::{Reply, Rival, Step};

impl<D: Door> Course<'_, D> {
    pub(super) fn at_once(&mut self, step: &Step, setting: &Setting<'_>, token: &D::Token, at: usize) {
        let (mut whose, mut resumes) = (Vec::new(), Vec::new());
        for rival in &step.rivals {
            let answers = self.answers(&rival.answers, at);
            whose.extend(std::iter::repeat_n(rival, rival.times));
            resumes.extend(std::iter::repeat_n(answers, rival.times));
        }
        let results = self.door.at_once(setting, token, resumes);
        let outcomes = || whose.iter().copied().zip(&results);
        let Some((winner, _)) = outcomes().find(|(rival, result)| rival.has_won(result)) else {
            self.differences.push("nobody has won".to_owned());
            return;
        };
        for (rival, result) in outcomes() {
            let is_right = match result {
                Err(failure) if !std::ptr::eq(rival, winner) => {
                    failure.code == "RESOLUTION_CONFLICT" && winner.is_named_in(&failure.message)
                }
                _ => std::ptr::eq(rival, winner) && rival.has_won(result),
            };
            if !is_right {
                let seen = result.as_ref().map(|seen| &seen.ended);
                self.differences.push(format!("the winner has {}, and another {seen:?}", winner.value));
            }
        }
        let calls = self.door.take_calls();
        let is_same = calls == winner.calls;
        compare(&mut self.differences, "calls", is_same, list(&winner.calls), list(&calls));
    }
}

impl Rival {
    fn has_won<T>(&self, result: &Result<Seen<T>, Failure>) -> bool {
        matches!(result, Ok(Seen { ended: Ended::Completed(value), .. }) if same(value, &self.value))
    }

    /// Whether a conflict says what the winner has answered.
    fn is_named_in(&self, message: &str) -> bool {
        self.answers.iter().all(|answer| match &answer.reply {
            Reply::Value(value) => message.contains(&value.to_string()),
            _ => true,
        })
    }
}
