//! A ledger as the story of its calls.

use intermission::ledger::Entry;
use intermission::ledger::entry::{Outcome, Request, Resolution};
use intermission::value::decode;
use intermission::{Continuation, InterruptionId, InterruptionKind, Value};
use intermission_store::Given;
use serde_json::{Value as Json, json};

use crate::entries::{arguments_of, resolution_text};
use crate::interruptions::of_value;
use crate::moment::moment;
use crate::table::shorten;

/// The calls of a run, in their order.
pub(super) struct Timeline {
    /// When the run began, in milliseconds since 1970.
    pub(super) began: u64,
    pub(super) calls: Vec<Call>,
}

/// One host call, or the request of a module.
pub(super) struct Call {
    pub(super) number: u32,
    pub(super) function: String,
    arguments: Vec<Value>,
    /// When the script made it, as its clock has it: in milliseconds since 1970.
    pub(super) at: u64,
    /// Whether its function was invoked.
    is_made: bool,
    outcome: Option<(u64, Result<Value, Value>)>,
    pub(super) questions: Vec<Asked>,
}

/// What a call asked, and what was said.
pub(super) struct Asked {
    id: InterruptionId,
    kind: InterruptionKind,
    created: u64,
    answer: Option<Answered>,
    is_abandoned: bool,
}

struct Answered {
    at: u64,
    text: String,
    by: Option<String>,
    /// Whether the run has acted on it.
    is_taken: bool,
}

impl Timeline {
    /// Of a ledger, and of the answers that its store has.
    pub(super) fn of(continuation: &Continuation, answers: &[Given]) -> Self {
        let record = continuation.record();
        let began = record.started().time;
        let name = |function: u32| record.started().functions.get(function as usize);
        let mut timeline = Self { began, calls: Vec::new() };
        let (mut run_id, mut now) = (record.started().run_id, began);
        for entry in record.entries() {
            match entry {
                Entry::Forked { run_id: forked, .. } => run_id = *forked,
                Entry::Clock { elapsed, .. } | Entry::TimerFired { elapsed, .. } => now += elapsed,
                Entry::Called { call, request } => {
                    let (function, arguments) = match request {
                        Request::Function { function, arguments } => {
                            (name(*function).map_or("?", |lent| lent.name.as_str()), arguments_of(arguments))
                        }
                        Request::Normalize { specifier, .. } => ("import", vec![specifier.as_str().into()]),
                        Request::Load { name } => ("import", vec![name.as_str().into()]),
                    };
                    timeline.calls.push(Call::new(*call, function, arguments, now));
                }
                Entry::Settled { call, elapsed, outcome } => {
                    now += elapsed;
                    timeline.with(*call, |call| call.outcome = Some((now, value_of(outcome))));
                }
                Entry::Dispatched { call } => timeline.with(*call, |call| call.is_made = true),
                Entry::Interrupted(question) => timeline.with(question.call, |call| {
                    call.questions.push(Asked {
                        id: InterruptionId::new(run_id, question.call, question.ordinal),
                        kind: question.kind.into(),
                        created: question.created,
                        answer: None,
                        is_abandoned: false,
                    });
                }),
                Entry::Resolved { call, at, resolution } => {
                    timeline.answered(*call, *at, resolution, answers);
                }
                Entry::Abandoned { call } => timeline.with(*call, |call| {
                    call.questions.iter_mut().for_each(|asked| asked.is_abandoned = asked.answer.is_none());
                }),
                Entry::Retried { call } => {
                    timeline.with(*call, |call| call.outcome = None);
                    // What the run had ended without is asked again.
                    let questions = timeline.calls.iter_mut().flat_map(|call| &mut call.questions);
                    questions.for_each(|asked| asked.is_abandoned = false);
                }
                _ => {}
            }
        }
        timeline.add_what_waits(answers);
        timeline
    }

    /// Answers that the run has not taken yet.
    fn add_what_waits(&mut self, answers: &[Given]) {
        let questions = self.calls.iter_mut().flat_map(|call| &mut call.questions);
        for asked in questions.filter(|asked| asked.answer.is_none() && !asked.is_abandoned) {
            asked.answer = given(answers, &asked.id).map(|given| {
                let text = Given { by: None, ..given.clone() }.text();
                let id = format!("{}: ", asked.id);
                let text = text.strip_prefix(&id).unwrap_or(&text).to_owned();
                Answered { at: given.at, text, by: given.by.clone(), is_taken: false }
            });
        }
    }

    fn with(&mut self, number: u32, change: impl FnOnce(&mut Call)) {
        if let Some(call) = self.calls.iter_mut().find(|call| call.number == number) {
            change(call);
        }
    }

    fn answered(&mut self, call: u32, at: u64, resolution: &Resolution, answers: &[Given]) {
        self.with(call, |call| {
            if let Some(asked) = call.questions.last_mut() {
                let by = given(answers, &asked.id).and_then(|given| given.by.clone());
                let by = by.filter(|_| *resolution != Resolution::Expired);
                asked.answer = Some(Answered { at, text: resolution_text(resolution), by, is_taken: true });
            }
        });
    }
}

fn given<'g>(answers: &'g [Given], id: &InterruptionId) -> Option<&'g Given> {
    answers.iter().find(|given| given.interruption_id == *id)
}

impl Call {
    fn new(number: u32, function: &str, arguments: Vec<Value>, at: u64) -> Self {
        let function = function.to_owned();
        Self { number, function, arguments, at, is_made: false, outcome: None, questions: Vec::new() }
    }

    /// How long the script waited for it, in milliseconds.
    pub(super) fn took(&self) -> Option<u64> {
        self.outcome.as_ref().map(|(at, _)| at.saturating_sub(self.at))
    }

    pub(super) fn arguments_text(&self) -> String {
        let texts: Vec<_> = self.arguments.iter().map(|argument| of_value(argument).to_string()).collect();
        texts.join(", ")
    }

    pub(super) fn outcome_text(&self) -> String {
        let is_open = |asked: &Asked| asked.answer.as_ref().is_none_or(|answer| !answer.is_taken);
        let asks = self.questions.last().is_some_and(|asked| is_open(asked) && !asked.is_abandoned);
        match &self.outcome {
            Some((_, Ok(value))) => of_value(value).to_string(),
            Some((_, Err(error))) => format!("rejected: {}", error_text(error)),
            None if asks => "asks".to_owned(),
            None if self.questions.last().is_some_and(|asked| asked.is_abandoned) => "abandoned".to_owned(),
            None if self.is_made => "under way".to_owned(),
            None => "not made yet".to_owned(),
        }
    }

    pub(super) fn to_json(&self) -> Json {
        let outcome = self.outcome.as_ref().map(|(at, outcome)| match outcome {
            Ok(value) => json!({ "at": at, "fulfilled": of_value(value) }),
            Err(error) => json!({ "at": at, "rejected": error_text(error) }),
        });
        json!({
            "request_index": self.number,
            "host_function": self.function,
            "arguments": self.arguments.iter().map(of_value).collect::<Vec<_>>(),
            "at": self.at,
            "invoked": self.is_made,
            "outcome": outcome,
            "took_ms": self.took(),
            "questions": self.questions.iter().map(Asked::to_json).collect::<Vec<_>>(),
        })
    }
}

impl Asked {
    /// `approved by ada, 2025-03-01T12:00:00.000Z`.
    pub(super) fn to_text(&self, most: usize) -> String {
        match &self.answer {
            Some(Answered { at, text, by, is_taken }) => {
                let by = by.as_ref().map_or_else(String::new, |by| format!(" by {by}"));
                let later = if *is_taken { "" } else { ", not taken yet" };
                format!("{}{by}, {}{later}", shorten(text, most), moment(*at))
            }
            None if self.is_abandoned => format!("{}, abandoned", self.kind.name()),
            None => format!("{}, open", self.kind.name()),
        }
    }

    fn to_json(&self) -> Json {
        let answer = self.answer.as_ref();
        json!({
            "id": self.id.as_str(),
            "kind": self.kind.name(),
            "created": self.created,
            "abandoned": self.is_abandoned,
            "answer": answer.map(|answer| {
                json!({ "at": answer.at, "answer": answer.text, "by": answer.by, "taken": answer.is_taken })
            }),
        })
    }
}

fn value_of(outcome: &Outcome) -> Result<Value, Value> {
    let value = |bytes: &[u8]| decode(bytes, usize::MAX).unwrap_or_default();
    match outcome {
        Outcome::Fulfilled(bytes) => Ok(value(bytes)),
        Outcome::Rejected(bytes) => Err(value(bytes)),
    }
}

/// An error's name and message.
fn error_text(error: &Value) -> String {
    match error {
        Value::Error(error) => {
            format!("{}: {}", error.name.to_string_lossy(), error.message.to_string_lossy())
        }
        other => of_value(other).to_string(),
    }
}
