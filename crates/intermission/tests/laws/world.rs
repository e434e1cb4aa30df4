//! The world that programs call: it does what the plan says, remembers what it did, and has a clock.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use intermission::{
    Answer, Effect, HostCall, HostError, HostFunction, HostFunctions, Interrupt, Interruption,
    InterruptionId, InterruptionKind, InvocationId, TimeSource, Value,
};
use tokio::time::Instant;

use crate::case::{Planned, SALT, Verdict};

/// When the first invocation of every run begins.
pub(crate) const BEGINNING: u64 = 1_000_000;

/// Shared by the host functions, the clock and the tests of one thread; set anew for each life.
#[derive(Clone)]
pub(crate) struct World(Arc<Mutex<State>>);

struct State {
    plan: Vec<Planned>,
    /// The time at `epoch`.
    base: u64,
    epoch: Instant,
    memory: Memory,
}

/// What the world has done and seen.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    /// Every invocation of a host function, in order.
    pub(crate) invoked: Vec<Invoked>,
    /// How often each effect took place, by its idempotency key.
    pub(crate) effects: BTreeMap<String, u32>,
    /// Calls in the order in which their outcomes were known.
    pub(crate) finished: Vec<Finished>,
    /// What was answered to which question.
    given: BTreeMap<InterruptionId, Value>,
    /// What no host function should ever see.
    pub(crate) wrongs: Vec<String>,
}

/// An invocation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Invoked {
    pub(crate) request_index: u32,
    pub(crate) function: String,
    pub(crate) key: String,
    /// Whether it does something; else it only asks.
    pub(crate) acts: bool,
}

/// An outcome that became known.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub(crate) invocation: InvocationId,
    pub(crate) request_index: u32,
    pub(crate) at: u64,
}

/// Whether the world asks, and needs approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Asking,
    /// It has all answers already: nothing interrupts.
    Knowing,
}

impl World {
    /// One that knows nothing yet.
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(State {
            plan: Vec::new(),
            base: BEGINNING,
            epoch: Instant::now(),
            memory: Memory::default(),
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins at `now` with this plan and what it remembers.
    pub(crate) fn begin(&self, plan: &[Planned], now: u64, memory: Memory) {
        *self.state() = State { plan: plan.to_vec(), base: now, epoch: Instant::now(), memory };
    }

    /// Sets the clock.
    pub(crate) fn set_now(&self, now: u64) {
        let mut state = self.state();
        (state.base, state.epoch) = (now, Instant::now());
    }

    /// What it remembers.
    pub(crate) fn memory(&self) -> Memory {
        self.state().memory.clone()
    }

    /// How many invocations there were.
    pub(crate) fn invocations(&self) -> usize {
        self.state().memory.invoked.len()
    }

    /// The true answer to a question.
    pub(crate) fn answer(&self, asked: &Interruption) -> Answer {
        let mut state = self.state();
        let input = asked.arguments.first().cloned().unwrap_or_default();
        let planned = planned(&state.plan, &input).clone();
        match asked.kind {
            InterruptionKind::Question => {
                let ordinal = asked.payload.as_i64().unwrap_or_default();
                let answer = said(&input, ordinal);
                state.memory.given.insert(asked.id.clone(), answer.clone());
                Answer::Value(answer)
            }
            InterruptionKind::Event => unreachable!("no program waits for events"),
            InterruptionKind::Approval => match planned.verdict {
                Verdict::Yes => Answer::Approve,
                Verdict::Edited => Answer::ApproveWith(vec![edited(&input)]),
                Verdict::No => Answer::Deny { reason: Some(denial(&input)) },
            },
            InterruptionKind::OutcomeUnknown => {
                let happened = state.memory.invoked.iter().rev().find(|invoked| {
                    invoked.request_index == asked.request_index
                        && state.memory.effects.contains_key(&invoked.key)
                });
                if happened.is_none() {
                    return Answer::DidNotHappen;
                }
                let approves = asked.host_function == "t.wire" && planned.verdict == Verdict::Edited;
                let effective = if approves { edited(&input) } else { input };
                let asks = asked.host_function == "t.askOnce";
                let resolution = asks.then(|| said(&effective, planned.questions.into()));
                Answer::Happened(outcome(&planned, &asked.host_function, &effective, resolution))
            }
        }
    }

    /// The host functions.
    pub(crate) fn functions(&self, manner: Manner) -> HostFunctions {
        let schema = serde_json::json!({ "type": "object", "required": ["k"], "properties": { "k": { "type": "number" } } });
        let function = |name: &'static str, effect: Effect| {
            let world = self.clone();
            HostFunction::new(name, move |call| {
                let world = world.clone();
                async move { world.perform(&call, manner).await }
            })
            .effect(effect)
            .input_schema(schema.clone())
        };
        let approved = |function: HostFunction| match manner {
            Manner::Asking => function.approval(),
            Manner::Knowing => function,
        };
        HostFunctions::new([
            function("t.pure", Effect::Pure),
            function("t.idem", Effect::Idempotent),
            function("t.once", Effect::Unsafe),
            function("t.ask", Effect::Idempotent),
            function("t.askOnce", Effect::Unsafe),
            approved(function("t.mail", Effect::Idempotent)),
            approved(function("t.wire", Effect::Unsafe)),
            function("t.peek", Effect::Pure).blocking(),
            function("t.stamp", Effect::Unsafe).blocking(),
        ])
        .unwrap()
    }

    async fn perform(self, call: &HostCall, manner: Manner) -> Result<Value, HostError> {
        let (delay, answer) = self.take(call, manner);
        if delay > 0 {
            tokio::time::sleep(Duration::from_millis(delay.into())).await;
        }
        let at = self.now();
        // A program that stands still for a call is told before all others.
        let blocking = matches!(call.host_function(), "t.peek" | "t.stamp");
        if !blocking && answer.as_ref().err().and_then(HostError::code) != Some("INTERRUPTED") {
            let finished =
                Finished { invocation: call.invocation_id(), request_index: call.request_index(), at };
            self.state().memory.finished.push(finished);
        }
        answer
    }

    /// Notes an invocation and decides what comes of it, and after how long.
    fn take(&self, call: &HostCall, manner: Manner) -> (u16, Result<Value, HostError>) {
        let mut state = self.state();
        let name = call.host_function();
        let input = call.input();
        let planned = planned(&state.plan, &input).clone();
        let asks = name.starts_with("t.ask");
        let asked = call.resume().and_then(|resume| resume.state.as_ref()?.as_i64()).unwrap_or_default();
        let answer = if asks && manner == Manner::Asking && asked < i64::from(planned.questions) {
            let ask = Interrupt::new(Value::from((asked + 1) as f64));
            Err(ask.state(Value::from((asked + 1) as f64)).into())
        } else if manner == Manner::Knowing && is_approved(name) {
            knowing(&planned, name, &input)
        } else {
            let resolution = asks.then(|| match manner {
                Manner::Asking => call.resume().map(|resume| resume.resolution.clone()).unwrap_or_default(),
                Manner::Knowing => said(&input, planned.questions.into()),
            });
            outcome(&planned, name, &input, resolution)
        };
        let acts = answer.as_ref().err().and_then(HostError::code) != Some("INTERRUPTED");
        let key = call.idempotency_key();
        let memory = &mut state.memory;
        memory.check(call, &planned, manner);
        if acts {
            *memory.effects.entry(key.clone()).or_default() += 1;
        }
        memory.invoked.push(Invoked {
            request_index: call.request_index(),
            function: name.to_owned(),
            key,
            acts,
        });
        (planned.delay, answer)
    }
}

impl TimeSource for World {
    fn now(&self) -> u64 {
        let state = self.state();
        state.base + u64::try_from(state.epoch.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Memory {
    /// Whether the call got what was answered, and the arguments that were approved.
    fn check(&mut self, call: &HostCall, planned: &Planned, manner: Manner) {
        let (name, index) = (call.host_function(), call.request_index());
        if let Some(resume) = call.resume()
            && name.starts_with("t.ask")
            && self.given.get(&resume.interruption_id) != Some(&resume.resolution)
        {
            self.wrongs.push(format!("call {index} got the answer to another question: {resume:?}"));
        }
        if is_approved(name) && manner == Manner::Asking {
            let expected = if planned.verdict == Verdict::Edited { "edited" } else { SALT };
            let given = call.input().get("to").and_then(Value::as_str).map(str::to_owned);
            if given.as_deref() != Some(expected) || planned.verdict == Verdict::No {
                self.wrongs
                    .push(format!("{name}, call {index}, was made with what nobody approved: {given:?}"));
            }
        }
    }
}

fn is_approved(name: &str) -> bool {
    matches!(name, "t.mail" | "t.wire")
}

fn place(input: &Value) -> (i64, i64) {
    let number = |key| input.get(key).and_then(Value::as_i64).unwrap_or_default();
    (number("k"), number("i"))
}

fn planned<'p>(plan: &'p [Planned], input: &Value) -> &'p Planned {
    let (site, turn) = place(input);
    &plan[(site + 5 * turn) as usize % plan.len()]
}

fn said(input: &Value, ordinal: i64) -> Value {
    let (site, turn) = place(input);
    Value::array([site, turn, ordinal].map(|number| number as f64))
}

fn edited(input: &Value) -> Value {
    let (site, turn) = place(input);
    Value::object([("k", Value::from(site as f64)), ("i", Value::from(turn as f64)), ("to", "edited".into())])
}

fn denial(input: &Value) -> String {
    format!("not {:?}", place(input))
}

/// What comes of a call that is done.
fn outcome(
    planned: &Planned,
    name: &str,
    input: &Value,
    resolution: Option<Value>,
) -> Result<Value, HostError> {
    if planned.rejects {
        return Err(HostError::new(format!("{name} {:?}", place(input))).with_code("PLANNED"));
    }
    let answer = resolution.unwrap_or_default();
    Ok(Value::object([("of", Value::from(name)), ("with", input.clone()), ("answer", answer)]))
}

/// What comes of a call that needs approval, where it is known what the approver would say.
fn knowing(planned: &Planned, name: &str, input: &Value) -> Result<Value, HostError> {
    match planned.verdict {
        Verdict::Yes => outcome(planned, name, input, None),
        Verdict::Edited => outcome(planned, name, &edited(input), None),
        Verdict::No => {
            Err(HostError::new(denial(input)).with_name("ApprovalDenied").with_code("APPROVAL_DENIED"))
        }
    }
}
