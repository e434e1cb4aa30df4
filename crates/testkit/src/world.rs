//! The scripted host at work: what it answers, and what it remembers of it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value as Json, json};

use crate::host::{Behavior, Effect, Function, HostError};
use crate::{Called, Made};

/// Everything outside of the run: it outlives every invocation, every process, every crash. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct World(Arc<Mutex<Memory>>);

#[derive(Debug, Default)]
struct Memory {
    /// Everything that was asked of it, in order.
    done: Vec<Done>,
    /// How many of them were told.
    told: usize,
}

/// One call of a host function.
#[derive(Clone, Debug, PartialEq)]
pub struct Invocation {
    /// What is called.
    pub call: Called,
    /// What the script gave for an argument, where an approver has put another in its place.
    pub instead_of: Option<Json>,
    /// The call's number in its run.
    pub request_index: u32,
    /// Its idempotency key.
    pub key: String,
    /// The answer to its latest question.
    pub resumed: Option<Resumed>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Resumed {
    /// It.
    pub answer: Json,
    /// What the function kept for itself: the answers before.
    pub state: Json,
}

/// What comes of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// This value.
    Value(Json),
    /// This value, after so many milliseconds.
    Later {
        /// How many.
        ms: u64,
        /// The value.
        value: Json,
    },
    /// An error.
    Error(HostError),
    /// It asks.
    Ask {
        /// What is shown.
        payload: Json,
        /// What it keeps for itself.
        state: Json,
        /// Until when it can be answered, in milliseconds since 1970.
        expires_at: Option<u64>,
        /// What stands for an answer then.
        default: Option<Json>,
    },
    /// Nothing, until it is told to abort.
    Never,
}

/// A call and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The call.
    pub invocation: Invocation,
    /// What came of it.
    pub outcome: Outcome,
    /// Of the function.
    pub effect: Effect,
}

impl World {
    /// From here on this was done, and nothing else.
    pub fn remember(&self, done: Vec<Done>) {
        *self.memory() = Memory { told: done.len(), done };
    }

    /// Carries out a call. Of an idempotent function the same key is done once, and again gives the same.
    pub fn invoke(&self, function: &Function, invocation: Invocation) -> Outcome {
        let mut memory = self.memory();
        if function.effect == Effect::Idempotent
            && let Some(before) =
                memory.done.iter().find(|done| done.is_effect() && done.invocation.key == invocation.key)
        {
            return before.outcome.clone();
        }
        let failed =
            memory.done.iter().filter(|done| done.invocation.call.function == invocation.call.function);
        let failures = failed.filter(|done| matches!(done.outcome, Outcome::Error(_))).count();
        let outcome = if failures < function.fails as usize {
            fail(function, &invocation)
        } else {
            act(function, &invocation)
        };
        memory.done.push(Done { invocation, outcome: outcome.clone(), effect: function.effect });
        outcome
    }

    /// What a probe finds out: what came of the call with this key, if it was ever made.
    pub fn probe(&self, key: &str) -> Option<Outcome> {
        let memory = self.memory();
        let made = memory.done.iter().find(|done| done.is_act() && done.invocation.key == key);
        made.map(|done| done.outcome.clone())
    }

    /// Everything that was done so far.
    pub fn done(&self) -> Vec<Done> {
        self.memory().done.clone()
    }

    /// The calls that were carried out since this was last asked, in the order in which the script made them. A question alone is nothing done.
    pub fn take_calls(&self) -> Vec<Made> {
        let mut memory = self.memory();
        let all = memory.done.len();
        let told = std::mem::replace(&mut memory.told, all);
        let mut new: Vec<&Done> = memory.done[told..].iter().filter(|done| done.is_act()).collect();
        new.sort_by_key(|done| done.invocation.request_index);
        new.into_iter().map(Done::made).collect()
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Done {
    /// Whether anything was done, if only in vain.
    pub fn is_act(&self) -> bool {
        !matches!(self.outcome, Outcome::Ask { .. })
    }

    /// Whether it must not be done again.
    pub fn is_effect(&self) -> bool {
        self.effect != Effect::Pure && matches!(self.outcome, Outcome::Value(_) | Outcome::Later { .. })
    }

    /// As pages write it.
    pub fn made(&self) -> Made {
        let Invocation { call, instead_of, .. } = &self.invocation;
        Made { call: call.clone(), instead_of: instead_of.clone() }
    }
}

/// How many calls of each kind had an effect.
pub fn effects(done: &[Done]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for done in done.iter().filter(|done| done.is_effect()) {
        *counts.entry(done.made().to_string()).or_default() += 1;
    }
    counts
}

fn act(function: &Function, invocation: &Invocation) -> Outcome {
    let argument = &invocation.call.argument;
    match function.does {
        Behavior::Echo => Outcome::Value(argument.clone()),
        Behavior::Give => Outcome::Value(function.value.clone()),
        Behavior::Wait => Outcome::Later {
            ms: argument["ms"].as_u64().unwrap_or_default(),
            value: argument["value"].clone(),
        },
        Behavior::Fail => fail(function, invocation),
        Behavior::Ask => ask(function, invocation),
        Behavior::Never => Outcome::Never,
    }
}

fn ask(function: &Function, invocation: &Invocation) -> Outcome {
    let mut answers = match &invocation.resumed {
        Some(Resumed { state: Json::Array(before), .. }) => before.clone(),
        _ => Vec::new(),
    };
    answers.extend(invocation.resumed.as_ref().map(|resumed| resumed.answer.clone()));
    if answers.len() < function.times as usize {
        return Outcome::Ask {
            payload: json!({ "q": invocation.call.argument }),
            state: answers.into(),
            expires_at: function.expires_at,
            default: function.default.clone(),
        };
    }
    match answers.pop() {
        Some(only) if function.times <= 1 => Outcome::Value(only),
        last => {
            answers.extend(last);
            Outcome::Value(answers.into())
        }
    }
}

fn fail(function: &Function, invocation: &Invocation) -> Outcome {
    let usual = || HostError {
        name: "TypeError".to_owned(),
        message: match &invocation.call.argument {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        },
    };
    Outcome::Error(function.error.clone().unwrap_or_else(usual))
}
