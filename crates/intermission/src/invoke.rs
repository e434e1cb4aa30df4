//! From a call of the script to a host function on its way.

use futures_util::future::{BoxFuture, FutureExt};
use intermission_engine::{Call, CallId, Position};
use intermission_ledger::entry::{Question, QuestionKind, Request, Resolution};
use intermission_ledger::{InterruptionId, OpenCall, RunId, Standing};
use intermission_value::{Value, encode};

use crate::convert::place;
use crate::dispatch::{Answer, rejected};
use crate::drive::Drive;
use crate::host_call::{HostCall, Inner, Resume};
use crate::host_functions::Lent;
use crate::interruption::{argument_list, interruption, value};
use crate::policy::{self, Decision, ProposedCall};
use crate::wait_for::Wait;
use crate::{Effect, HostError, Interrupt, Interruption, RunError};

/// What becomes of a call.
enum Verdict {
    Allow,
    Ask(Interrupt),
    Reject(HostError),
}

impl Drive<'_> {
    pub(crate) fn invoke_made(&mut self) -> Result<(), RunError> {
        for call in std::mem::take(&mut self.made) {
            self.invoke(call)?;
        }
        Ok(())
    }

    /// A call that nothing was done about: denied, asked about, or set going.
    pub(crate) fn invoke(&mut self, call: CallId) -> Result<(), RunError> {
        let Request::Function { function, .. } = self.open(call)?.request else { return Ok(()) };
        let (_, lent) = self.today(function)?;
        let (fingerprint, awaits_event) = (lent.fingerprint, lent.function.awaits_event);
        if awaits_event {
            self.ledger.note_use(function, fingerprint)?;
            return self.wait_for_event(call);
        }
        let verdict = self.verdict(call, function)?;
        self.ledger.note_use(function, fingerprint)?;
        match verdict {
            Verdict::Allow => self.dispatch(call),
            Verdict::Ask(interrupt) => self.ask(call, QuestionKind::Approval, interrupt),
            Verdict::Reject(error) => {
                self.tell(call, rejected(&error));
                Ok(())
            }
        }
    }

    /// No host function is called, so no policy is asked.
    fn wait_for_event(&mut self, call: CallId) -> Result<(), RunError> {
        let wait = Wait::of(&argument_list(self.open(call)?.effective_arguments().unwrap_or_default()));
        match wait {
            Ok(wait) => {
                let now = self.clock.now();
                self.ask_at(now, call, QuestionKind::Event, wait.question(now))
            }
            Err(problem) => {
                self.tell(call, rejected(&problem));
                Ok(())
            }
        }
    }

    /// A call that was let in before is made again, or at last, unless it is denied today.
    pub(crate) fn invoke_again(&mut self, call: CallId) -> Result<(), RunError> {
        match self.denial(call)? {
            None => self.dispatch(call),
            Some(error) => {
                self.tell(call, rejected(&error));
                Ok(())
            }
        }
    }

    /// What becomes of a call. What does not fit its schema is not asked about.
    fn verdict(&self, call: CallId, function: u32) -> Result<Verdict, RunError> {
        let (_, lent) = self.today(function)?;
        let ground = match self.decision(call)? {
            Some(Decision::Deny(ground)) => {
                return Ok(Verdict::Reject(policy::denied(&lent.function.name, &ground)));
            }
            Some(Decision::Ask(ground)) => Some(ground),
            None if lent.function.approval => None,
            Some(Decision::Allow) | None => return Ok(Verdict::Allow),
        };
        let arguments = self.open(call)?.effective_arguments().unwrap_or_default();
        let first = argument_list(arguments).into_iter().next().unwrap_or_default();
        match lent.schemas.check_input(&lent.function.name, first) {
            Ok(()) => Ok(Verdict::Ask(policy::question(ground))),
            Err(problem) => Ok(Verdict::Reject(problem)),
        }
    }

    /// Why a call that was let in before is not made, if it is not.
    pub(crate) fn denial(&self, call: CallId) -> Result<Option<HostError>, RunError> {
        let Request::Function { function, .. } = self.open(call)?.request else { return Ok(None) };
        match self.decision(call)? {
            Some(Decision::Deny(ground)) => {
                Ok(Some(policy::denied(&self.today(function)?.1.function.name, &ground)))
            }
            _ => Ok(None),
        }
    }

    /// What the policy says of a call, as it would be made now.
    pub(crate) fn decision(&self, call: CallId) -> Result<Option<Decision>, RunError> {
        let Some(policy) = &self.runner.policy else { return Ok(None) };
        let open = self.open(call)?;
        let Request::Function { function, .. } = &open.request else { return Ok(None) };
        let decision = policy.decide(&ProposedCall {
            run_id: self.ledger.facts().run_id,
            request_index: call,
            function: &self.today(*function)?.1.function,
            arguments: argument_list(open.effective_arguments().unwrap_or_default()),
        });
        // Whoever goes on with the run decides again: perhaps nobody was there any more to decide.
        if self.budget.is_aborted() { Err(RunError::Aborted) } else { Ok(decision) }
    }

    /// Sets the host function of a call going. It is not polled before the ledger is kept.
    pub(crate) fn dispatch(&mut self, call: CallId) -> Result<(), RunError> {
        self.ledger.dispatch(call)?;
        let (index, host_call) = self.host_call(call)?;
        tracing::debug!(
            run_id = %host_call.run_id(),
            invocation_id = %host_call.invocation_id(),
            request_index = call,
            host_function = host_call.host_function(),
            resumed = host_call.resume().is_some(),
            "a host function is invoked"
        );
        let caller = self.caller.clone();
        self.under_way.insert(call);
        self.in_flight.push(async move { (call, caller.answer(index, host_call).await) }.boxed());
        Ok(())
    }

    /// Asks the host function's probe what became of a call that a crash has left open. It takes its turn like a call.
    pub(crate) fn probe(&mut self, call: CallId) -> Result<(), RunError> {
        let probe = self.probing(call)?;
        self.under_way.insert(call);
        self.in_flight.push(async move { (call, probe.await) }.boxed());
        Ok(())
    }

    pub(crate) fn probing(&self, call: CallId) -> Result<BoxFuture<'static, Answer>, RunError> {
        let (index, host_call) = self.host_call(call)?;
        Ok(self.caller.clone().probe(index, host_call).boxed())
    }

    /// What a host function is invoked with, and which it is today.
    pub(crate) fn host_call(&self, call: CallId) -> Result<(usize, HostCall), RunError> {
        let open = self.open(call)?;
        let Request::Function { function, arguments } = &open.request else { return Err(unknown(call)) };
        let (index, lent) = self.today(*function)?;
        let run_id = self.ledger.facts().run_id;
        let host_call = HostCall::new(Inner {
            run_id,
            invocation_id: self.caller.invocation_id,
            request_index: call,
            host_function: lent.function.name.clone(),
            arguments: open.effective_arguments().unwrap_or_default().to_vec(),
            position: self.pending.get(&call).and_then(|call| call.position),
            abort: self.caller.abort.signal(),
            outbox: self.caller.outbox.clone(),
            resume: open
                .resume
                .as_deref()
                .and_then(|(question, resolution)| resume(run_id, question, resolution)),
            edited_from: open.edited.as_ref().map(|_| arguments.to_vec()),
        });
        Ok((index, host_call))
    }

    /// A host function has asked.
    pub(crate) fn interrupted(&mut self, call: CallId, interrupt: Interrupt) -> Result<(), RunError> {
        self.ask(call, QuestionKind::Question, interrupt)
    }

    pub(crate) fn ask(
        &mut self,
        call: CallId,
        kind: QuestionKind,
        interrupt: Interrupt,
    ) -> Result<(), RunError> {
        self.ask_at(self.clock.now(), call, kind, interrupt)
    }

    fn ask_at(
        &mut self,
        now: u64,
        call: CallId,
        kind: QuestionKind,
        interrupt: Interrupt,
    ) -> Result<(), RunError> {
        let asked = self.open(call)?.questions;
        let at = self.pending.get(&call);
        let place = at.and_then(|call| place(call.file.as_deref(), self.place_of(call)));
        let bytes = |value: Option<Value>| value.map(|value| encode(&value).map(Into::into)).transpose();
        let question = Question {
            call,
            ordinal: asked + 1,
            kind,
            payload: encode(&interrupt.payload)?.into(),
            state: bytes(interrupt.state)?,
            place,
            created: now,
            expires: interrupt.expires,
            default: bytes(interrupt.default)?,
        };
        self.ledger.interrupt(question.clone())?;
        tracing::info!(
            run_id = %self.ledger.facts().run_id,
            invocation_id = %self.caller.invocation_id,
            request_index = call,
            host_function = self.function_name(call),
            kind = crate::InterruptionKind::from(kind).name(),
            "a run asks"
        );
        if self.live.is_listened_to() {
            let announcement = self.announcement(call, &question)?;
            self.live.announce(announcement);
        }
        Ok(())
    }

    /// Where a call is named in what the author wrote.
    pub(crate) fn place_of(&self, call: &Call) -> Option<Position> {
        let started = self.ledger.record().started();
        let name = started.functions.get(call.function as usize).map_or("", |lent| &lent.name);
        self.positions.of_call(call, name)
    }

    fn announcement(&self, call: CallId, question: &Question) -> Result<Interruption, RunError> {
        let id = InterruptionId::new(self.ledger.facts().run_id, call, question.ordinal);
        Ok(interruption(id, &self.open(call)?.request, question, self.ledger.record().started()))
    }

    pub(crate) fn open(&self, call: CallId) -> Result<&OpenCall, RunError> {
        self.ledger.facts().open.get(&call).map(Box::as_ref).ok_or_else(|| unknown(call))
    }

    /// What happens when the call is made again.
    pub(crate) fn effect(&self, call: CallId) -> Result<Effect, RunError> {
        match &self.open(call)?.request {
            Request::Function { function, .. } => Ok(self.today(*function)?.1.function.effect),
            Request::Normalize { .. } | Request::Load { .. } => Ok(Effect::Pure),
        }
    }

    /// Whether what became of the call can be found out.
    pub(crate) fn has_probe(&self, call: CallId) -> Result<bool, RunError> {
        match &self.open(call)?.request {
            Request::Function { function, .. } => Ok(self.today(*function)?.1.function.probe.is_some()),
            Request::Normalize { .. } | Request::Load { .. } => Ok(false),
        }
    }

    /// Where a function that was lent to the run is today, and what it is.
    pub(crate) fn today(&self, function: u32) -> Result<(usize, &Lent), RunError> {
        let index = match &self.functions {
            None => Some(function as usize),
            Some(map) => map.get(function as usize).copied().flatten(),
        };
        let today = index.and_then(|index| Some((index, self.caller.functions.get(index)?)));
        today.ok_or_else(|| {
            let lent = self.ledger.record().started().functions.get(function as usize);
            RunError::FunctionMissing { name: lent.map(|lent| lent.name.clone()).unwrap_or_default() }
        })
    }

    pub(crate) fn standing(&self, call: CallId) -> Option<&Standing> {
        self.ledger.facts().open.get(&call).map(|open| &open.standing)
    }

    pub(crate) fn function_name(&self, call: CallId) -> String {
        let started = self.ledger.record().started();
        let function = self.pending.get(&call).and_then(|call| started.functions.get(call.function as usize));
        function.map(|lent| lent.name.clone()).unwrap_or_default()
    }

    /// A blocking call is not asked about, but its function is used.
    pub(crate) fn note_blocking_use(&mut self, call: CallId) -> Result<(), RunError> {
        let Request::Function { function, .. } = self.open(call)?.request else { return Ok(()) };
        let fingerprint = self.today(function)?.1.fingerprint;
        Ok(self.ledger.note_use(function, fingerprint)?)
    }
}

fn unknown(call: u32) -> RunError {
    RunError::Trapped(format!("a call that was never made: {call}"))
}

fn resume(run: RunId, question: &Question, resolution: &Resolution) -> Option<Resume> {
    let (resolution, expired) = match (resolution, &question.default) {
        (Resolution::Answered(bytes), _) => (value(bytes), false),
        (Resolution::Expired, Some(default)) => (value(default), true),
        _ => return None,
    };
    Some(Resume {
        interruption_id: InterruptionId::new(run, question.call, question.ordinal),
        resolution,
        expired,
        payload: value(&question.payload),
        state: question.state.as_ref().map(|bytes| value(bytes)),
    })
}
