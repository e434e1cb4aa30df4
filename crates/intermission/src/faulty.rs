//! What takes more than a line to get wrong. For tests alone: see [`Fault`].

use futures_util::future::FutureExt;
use futures_util::stream::StreamExt;
use intermission_engine::{Call, Event, Outcome};
use intermission_ledger::{Fault, entry};
use intermission_value::encode;

use crate::agenda::Answered;
use crate::drive::Drive;
use crate::host_call::{HostCall, Inner};
use crate::{HostError, RunError};

impl Drive<'_> {
    /// [`Fault::SettleInCallOrder`]: nothing is told before what was called earlier.
    pub(crate) async fn wait_for_lower_calls(&mut self) {
        if !self.runner.faults.has(Fault::SettleInCallOrder) {
            return;
        }
        while self.finished.first_call().is_some_and(|first| self.under_way.range(..first).next().is_some()) {
            let Some((call, answer)) = self.in_flight.next().await else { return };
            self.has_finished(call, answer);
        }
    }

    /// [`Fault::InvokeBeforeFrontier`]: the answers are acted on before anything is replayed.
    pub(crate) fn invoke_early(&mut self) -> Result<(), RunError> {
        if self.runner.faults.has(Fault::InvokeBeforeFrontier) && self.frontier.is_some() {
            // What is said from here on was said before all the same.
            let replays = std::mem::take(&mut self.replays);
            self.reach_frontier();
            self.replays = replays;
            self.act_on_agenda()?;
            self.look_for_finished();
        }
        Ok(())
    }

    /// [`Fault::InvokeRecorded`]: what the record answers is invoked all the same.
    pub(crate) fn invoke_recorded(&self, call: &Call) {
        if !self.runner.faults.has(Fault::InvokeRecorded) {
            return;
        }
        let Ok((index, lent)) = self.today(call.function) else { return };
        let host_call = HostCall::new(Inner {
            run_id: self.ledger.facts().run_id,
            invocation_id: self.caller.invocation_id,
            request_index: call.id,
            host_function: lent.function.name.clone(),
            arguments: call.arguments.clone(),
            position: call.position,
            abort: self.caller.abort.signal(),
            outbox: self.caller.outbox.clone(),
            resume: None,
            edited_from: None,
        });
        // What comes of it is lost.
        drop(self.caller.clone().answer(index, host_call).now_or_never());
    }

    /// [`Fault::FinallyAtPause`]: the first call that asks throws.
    pub(crate) fn throw_at_pause(&mut self) {
        if !self.runner.faults.has(Fault::FinallyAtPause) {
            return;
        }
        let asking = self.ledger.facts().unanswered().next().map(|question| question.call);
        let (Some(call), Some(sandbox)) = (asking, &mut self.sandbox) else { return };
        if !sandbox.is_resting() {
            return;
        }
        let Ok(error) = encode(&HostError::new("paused").to_value()) else { return };
        drop(sandbox.advance(Event::Settled { call, outcome: Outcome::Rejected(error) }));
    }
}

/// [`Fault::SwapResolutions`]: two answers to questions change places.
pub(crate) fn swap(answers: &mut [Answered]) {
    let is_answer =
        |answered: &&mut Answered| matches!(answered.resolution, Some(entry::Resolution::Answered(_)));
    let mut questions = answers.iter_mut().filter(is_answer);
    if let (Some(one), Some(other)) = (questions.next(), questions.next()) {
        std::mem::swap(&mut one.resolution, &mut other.resolution);
    }
}
