//! Questions for whose answers the guest stands still: blocking host functions, names and texts of modules.

use std::sync::Arc;

use intermission_engine::{CallId, Outcome, Question};
use intermission_ledger::entry::Request;
use intermission_ledger::{Admitted, Standing};
use intermission_value::{Value, encode};

use crate::agenda::Answered;
use crate::begin::check_source_size;
use crate::convert::{guest_outcome, ledger_outcome};
use crate::dispatch::{Answer, Told, rejected};
use crate::drive::Drive;
use crate::halt::Halt;
use crate::host_call::HostCall;
use crate::interruption::value;
use crate::policy::{self, Decision};
use crate::{Effect, HostError, RunError};

/// Whom to ask.
enum Ask {
    Function(usize, HostCall),
    Normalize { specifier: String, importer: String },
    Load { name: String },
}

impl Drive<'_> {
    /// Answers a question, from the record or within the budget. Calls that are under way go on meanwhile.
    pub(crate) async fn answer(&mut self, question: Question) -> Result<Outcome, Halt> {
        let is_text = !matches!(question, Question::Call(_));
        let (id, name) = match &question {
            Question::Call(call) => (call.id, None),
            Question::Normalize { id, .. } => (*id, None),
            Question::Load { id, name } => (*id, Some(name.clone())),
        };
        let admitted = match question {
            Question::Call(call) => self.admit_call(call)?,
            Question::Normalize { id, specifier, importer } => {
                self.admit_asked(id, Request::Normalize { specifier, importer })?
            }
            Question::Load { id, name } => self.admit_asked(id, Request::Load { name })?,
        };
        let recorded = if admitted == Admitted::Recorded { self.ledger.answer(id)? } else { None };
        let outcome = if let Some((outcome, _)) = recorded {
            guest_outcome(outcome)
        } else {
            let outcome = self.live_answer(id).await?;
            self.ledger.settle(id, self.clock.now(), ledger_outcome(outcome.clone()))?;
            outcome
        };
        let outcome = if is_text { plain_text(outcome) } else { outcome };
        self.pending.remove(&id);
        self.clock.enter(self.ledger.clock(), self.ledger.slice_reads());
        match (name, outcome) {
            (Some(name), Outcome::Fulfilled(text)) => Ok(self.module(&name, &text)?),
            (_, outcome) => Ok(outcome),
        }
    }

    async fn live_answer(&mut self, id: CallId) -> Result<Outcome, Halt> {
        if self.dry {
            return Err(Halt::Paused);
        }
        self.leave_replay();
        if let Some(outcome) = self.reopen_blocking(id).await? {
            return Ok(outcome);
        }
        self.note_blocking_use(id)?;
        match self.decision(id)? {
            Some(Decision::Ask(_)) => {
                return Err(RunError::InterruptInSync { name: self.function_name(id) }.into());
            }
            Some(Decision::Deny(ground)) => {
                return Ok(rejection(&policy::denied(&self.function_name(id), &ground))?);
            }
            Some(Decision::Allow) | None => {}
        }
        self.ledger.dispatch(id)?;
        self.commit().await?;
        let ask = self.whom_to_ask(id)?;
        let (caller, modules) = (self.caller.clone(), Arc::clone(&self.modules));
        let name = self.function_name(id);
        let search = async move {
            match ask {
                Ask::Function(index, call) => caller.answer(index, call).await,
                Ask::Normalize { specifier, importer } => {
                    text(modules.normalize(&specifier, &importer).await)
                }
                Ask::Load { name } => text(modules.load(&name).await),
            }
        };
        match self.in_time(search).await? {
            Told::Outcome(outcome) => Ok(outcome),
            Told::Interrupt(_) | Told::Again | Told::Nothing => {
                Err(RunError::InterruptInSync { name }.into())
            }
        }
    }

    /// A blocking call that a crash has left open: nobody knows what came of it. Where it may not simply be made again somebody is asked, and the run is put away in
    /// the middle of its slice.
    async fn reopen_blocking(&mut self, id: CallId) -> Result<Option<Outcome>, Halt> {
        let answer = self.frontier.as_mut().and_then(|frontier| frontier.take(id));
        if let Some(Answered { at, resolution: Some(resolution), .. }) = answer {
            self.ledger.resolve(id, at, resolution)?;
        }
        match self.standing(id).cloned() {
            Some(Standing::Answered(_, intermission_ledger::entry::Resolution::Happened(outcome))) => {
                Ok(Some(guest_outcome(outcome)))
            }
            Some(Standing::Asking(_)) => Err(Halt::Paused),
            Some(Standing::Dispatched) if self.effect(id)? == Effect::Unsafe => {
                match self.probe_blocking(id).await? {
                    Told::Outcome(outcome) => Ok(Some(outcome)),
                    Told::Again => Ok(None),
                    Told::Nothing | Told::Interrupt(_) => {
                        self.ask_what_happened(id)?;
                        Err(Halt::Paused)
                    }
                }
            }
            _ => Ok(None),
        }
    }

    async fn probe_blocking(&mut self, id: CallId) -> Result<Told, Halt> {
        if !self.has_probe(id)? {
            return Ok(Told::Nothing);
        }
        let probe = self.probing(id)?;
        Ok(self.in_time(probe).await?)
    }

    /// What the script waits for on the spot, unless the run is over before.
    async fn in_time(&mut self, work: impl Future<Output = Answer>) -> Answer {
        let budget = self.budget.clone();
        tokio::select! {
            biased;
            () = budget.aborted() => Err(RunError::Aborted),
            told = self.beside(work) => told,
            () = tokio::time::sleep_until(budget.ends_at()) => Err(budget.overdue()),
        }
    }

    fn whom_to_ask(&self, id: CallId) -> Result<Ask, RunError> {
        Ok(match &self.open(id)?.request {
            Request::Function { .. } => {
                let (index, call) = self.host_call(id)?;
                Ask::Function(index, call)
            }
            Request::Normalize { specifier, importer } => {
                Ask::Normalize { specifier: specifier.clone(), importer: importer.clone() }
            }
            Request::Load { name } => Ask::Load { name: name.clone() },
        })
    }

    /// The record has a module's text as its author wrote it; the guest gets what is made of it.
    fn module(&mut self, name: &str, text: &[u8]) -> Result<Outcome, RunError> {
        check_source_size(text.len(), &self.caller.limits)?;
        let text = String::from_utf8_lossy(text);
        match self.positions.prepare_module(name, &text, self.caller.limits.source) {
            Ok(prepared) => Ok(Outcome::Fulfilled(prepared)),
            Err(error) => {
                let error = HostError::new(format!("{name}: {error}"))
                    .with_name("SyntaxError")
                    .with_code(error.code());
                rejection(&error)
            }
        }
    }
}

fn rejection(error: &HostError) -> Result<Outcome, RunError> {
    match rejected(error)? {
        Told::Outcome(outcome) => Ok(outcome),
        Told::Interrupt(_) | Told::Again | Told::Nothing => unreachable!("a rejection asks nobody"),
    }
}

fn text(text: Result<String, HostError>) -> Answer {
    match text {
        Ok(text) => Ok(Told::Outcome(Outcome::Fulfilled(encode(&text.into())?))),
        Err(error) => rejected(&error),
    }
}

/// A module's name or text, which the ledger keeps as a value, as the guest takes it.
fn plain_text(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Fulfilled(bytes) => match value(&bytes) {
            Value::String(text) => Outcome::Fulfilled(text.to_string_lossy().into_owned().into_bytes()),
            _ => Outcome::Fulfilled(Vec::new()),
        },
        rejected @ Outcome::Rejected(_) => rejected,
    }
}
