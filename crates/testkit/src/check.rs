//! A case, step by step, through a door.

mod ending;
mod rivals;

use std::collections::{BTreeMap, BTreeSet};

use crate::door::{Answered, Door, Ended, Failure, Question, Resume, Run, Seen, Setting};
use crate::host::Host;
use crate::mismatch::{Mismatch, compare, list};
use crate::page::change;
use crate::step::{Answer, Do, Step, To};
use crate::{Called, Case};

/// Takes a case through a door. Besides what the page says it holds that a question keeps its id and is never asked again once its answer was taken,
/// and that a run that ended says the same when it is replayed, and calls nothing.
///
/// # Errors
/// [`Mismatch`] for the first step that is not right.
pub fn check<D: Door>(door: &mut D, case: &Case) -> Result<(), Mismatch> {
    door.begin();
    let mut course = Course {
        door,
        case,
        functions: case.host.clone(),
        clock: None,
        strict: false,
        tokens: Vec::new(),
        asked: BTreeMap::new(),
        pending: Vec::new(),
        answered: BTreeSet::new(),
        differences: Vec::new(),
    };
    for (index, step) in case.steps.iter().enumerate() {
        course.step(step);
        if !course.differences.is_empty() {
            let (file, differences) = (case.place.0.clone(), course.differences);
            return Err(Mismatch { file, line: step.line, step: index + 1, differences });
        }
    }
    Ok(())
}

/// A case on its way.
struct Course<'c, D: Door> {
    door: &'c mut D,
    case: &'c Case,
    functions: Host,
    clock: Option<u64>,
    strict: bool,
    /// What each step left.
    tokens: Vec<Option<D::Token>>,
    /// Every question so far, and whose it is.
    asked: BTreeMap<String, Called>,
    /// What each step asked.
    pending: Vec<Vec<Question>>,
    /// Questions whose answers were taken.
    answered: BTreeSet<String>,
    differences: Vec<String>,
}

impl<D: Door> Course<'_, D> {
    fn step(&mut self, step: &Step) {
        change(&mut self.functions, &step.functions);
        self.clock = step.clock.or(self.clock);
        self.strict |= step.strict;
        let (mut token, mut pending) = (None, Vec::new());
        let acted = self.act(step, &mut pending);
        let calls = self.door.take_calls();
        match acted {
            Ok(None) => {}
            Ok(Some(seen)) => {
                if let Ended::Interrupted { asks, .. } = &seen.ended {
                    pending.clone_from(asks);
                }
                self.look(step, &seen);
                token = seen.token;
            }
            Err(refused) => self.refused(step, &refused),
        }
        if step.action != Do::AtOnce {
            let is_same = calls == step.calls;
            compare(&mut self.differences, "calls", is_same, list(&step.calls), list(&calls));
        }
        if let Some(expected) = step.runs {
            let runs = self.door.runs();
            let seen = runs.unwrap_or_default();
            compare(&mut self.differences, "runs", seen == expected, expected, seen);
        }
        if step.action == Do::Cut {
            token = self.cut(step);
        }
        self.tokens.push(token);
        self.pending.push(pending);
    }

    fn act(&mut self, step: &Step, pending: &mut Vec<Question>) -> Result<Option<Seen<D::Token>>, Failure> {
        let cancel_at = step.cancel_at.as_deref();
        let functions = self.functions.clone();
        let setting =
            Setting { case: self.case, functions: &functions, clock: self.clock, strict: self.strict };
        if step.action == Do::Run {
            let request = step.request.as_deref();
            let run = Run { input: &step.input, data: step.data.as_ref(), cancel_at, request };
            return Ok(Some(self.door.run(&setting, &run)));
        }
        let Some((at, token)) = self.from(step) else { return Ok(None) };
        match step.action {
            Do::Run | Do::Cut => Ok(None),
            Do::Cancel => self.door.cancel(&setting, &token).map(Some),
            Do::Emit => match &step.emits {
                Some(event) => self.door.emit(&setting, &token, event).map(Some),
                None => Ok(None),
            },
            Do::Inspect => {
                let (asks, wakes_at) = self.door.inspect(&setting, &token);
                self.asks(step, &asks, wakes_at);
                *pending = asks;
                Ok(None)
            }
            Do::AtOnce => {
                self.at_once(step, &setting, &token, at);
                Ok(None)
            }
            Do::Resume => {
                let answers = self.answers(&step.answers, at);
                let ids: Vec<String> = answers.iter().map(|answer| answer.id.clone()).collect();
                let source = step.source.as_ref().and_then(|name| self.case.others.get(name));
                let resume = Resume { answers, retry: step.retry, source, cancel_at };
                let seen = self.door.resume(&setting, &token, &resume)?;
                if step.from.is_none() {
                    self.answered.extend(ids);
                }
                Ok(Some(seen))
            }
        }
    }

    /// Where a step goes on from: which step left it, and what.
    fn from(&mut self, step: &Step) -> Option<(usize, D::Token)> {
        let at =
            step.from.map_or_else(|| self.tokens.iter().rposition(Option::is_some), |from| Some(from - 1));
        let token = at.and_then(|at| Some((at, self.tokens[at].clone()?)));
        if token.is_none() {
            self.differences.push("there is no continuation to go on from".to_owned());
        }
        token
    }

    fn cut(&mut self, step: &Step) -> Option<D::Token> {
        let (entry, call) = step.behind.as_ref()?;
        let (_, token) = self.from(step)?;
        let cut = self.door.cut(&token, entry, *call);
        if cut.is_none() {
            self.differences.push(format!("the ledger has no `{entry}` of call {call}"));
        }
        cut
    }

    /// Answers to what the step `at` asked.
    fn answers(&mut self, answers: &[Answer], at: usize) -> Vec<Answered> {
        let found: Vec<_> = answers.iter().map(|answer| (answer, self.question(&answer.to, at))).collect();
        let mut given = Vec::new();
        for (answer, question) in found {
            match question {
                Some((id, digest)) => given.push(Answered {
                    id,
                    reply: answer.reply.clone(),
                    at: answer.at,
                    digest: answer.digest.clone().or(digest),
                }),
                None => self.differences.push(format!("there is no such question: {:?}", answer.to)),
            }
        }
        given
    }

    /// The id of a question, and the digest that it showed.
    fn question(&self, to: &To, at: usize) -> Option<(String, Option<String>)> {
        let of = |question: &Question| (question.id.clone(), question.digest.clone());
        match to {
            To::Id(id) => Some((id.clone(), None)),
            To::Place(place) => self.pending[at].get(place.checked_sub(1)?).map(of),
            To::Call(call) => {
                let steps = std::iter::once(&self.pending[at]).chain(self.pending.iter().rev());
                steps.flatten().find(|question| question.call == *call).map(of)
            }
        }
    }

    fn refused(&mut self, step: &Step, refused: &Failure) {
        let seen = format!("refused, {}: {}", refused.code, refused.message);
        let is_same = step.refused.as_ref() == Some(&refused.code);
        compare(&mut self.differences, "the end", is_same, ending::expected(step), seen);
    }
}
