//! The end of an invocation: what is under way is awaited, and what there is to say is said.

use std::collections::BTreeMap;

use futures_util::stream::StreamExt;
use intermission_engine::{Call, CallId, End, Event, Outcome, Step, Thrown};
use intermission_ledger::entry::{self, Ending};
use intermission_ledger::{Entry, Fault, Over, Standing};
use intermission_value::{Value, decode};
use tokio::time::Instant;

use crate::agenda::Answered;
use crate::budget::after;
use crate::convert::ledger_outcome;
use crate::dispatch::{Answer, Told, rejected};
use crate::drive::Drive;
use crate::halt::Halt;
use crate::interruption::{abandoned, pending};
use crate::run_result::{DetachedCall, Fate, RunResult};
use crate::snapshots::{Guest, Snapshot};
use crate::{Continuation, Effect, RunError, ScriptError};

impl Drive<'_> {
    /// The script has ended: what it did not wait for is awaited for a while, then told to abort.
    pub(crate) async fn end(&mut self, end: End) -> Result<Value, Halt> {
        self.note_unhandled(end.unhandled);
        self.note_data(end.data);
        let result =
            end.result.map_err(|thrown| (thrown.call, Box::new(ScriptError::new(*thrown, &self.positions))));
        self.ledger.end(match &result {
            Ok(bytes) => Ending::Returned(bytes.clone().into()),
            Err((call, error)) => Ending::Threw { message: error.to_string(), call: *call },
        })?;
        if self.frontier.take().is_some() {
            self.leave_replay();
        }
        if self.dry {
            self.take_recorded_fates();
        } else if self.runner.strict && !self.runner.faults.has(Fault::DrainNewCalls) {
            self.refuse_detached();
        } else {
            self.drain().await?;
        }
        self.report.detached.sort_by_key(|call| call.request_index);
        self.close_ledger()?;
        self.commit().await?;
        let bytes = result.map_err(|(_, error)| error)?;
        if self.runner.strict && !self.report.detached.is_empty() {
            let calls = self.report.detached.iter().map(ToString::to_string).collect();
            return Err(RunError::Detached { calls }.into());
        }
        let malformed = |error| RunError::Trapped(format!("a malformed value: {error}"));
        Ok(decode(&bytes, usize::MAX).map_err(malformed)?)
    }

    fn close_ledger(&mut self) -> Result<(), RunError> {
        if !self.ledger.facts().closed && !self.dry {
            self.ledger.spend(self.spent())?;
            self.ledger.close()?;
        }
        let (facts, started) = (self.ledger.facts(), self.ledger.record().started());
        self.report.abandoned = abandoned(facts, started);
        self.report.abandoned.extend(pending(facts, started));
        Ok(())
    }

    /// Strict: calls of the last slice are not made, those under way are told to abort.
    fn refuse_detached(&mut self) {
        let made = std::mem::take(&mut self.made);
        for (id, call) in std::mem::take(&mut self.pending) {
            let mut abandoned = self.ledger.facts().abandoned();
            let asks = matches!(self.standing(id), Some(Standing::Asking(_)));
            if !asks && abandoned.all(|(_, _, question)| question.call != id) {
                let fate = if made.contains(&id) { Fate::Refused } else { Fate::Aborted };
                self.report.detached.push(self.detached(&call, fate));
            }
        }
    }

    async fn drain(&mut self) -> Result<(), Halt> {
        self.take_recorded_fates();
        if self.ledger.facts().closed {
            return Ok(());
        }
        self.take_up_open_calls()?;
        let until = self.budget.ends_at().min(after(Instant::now(), self.runner.drain));
        while let Some((call, answer)) = self.finished.take() {
            self.note_detached(call, answer)?;
        }
        while !self.in_flight.is_empty() {
            if self.is_ahead() {
                self.commit().await?;
            }
            tokio::select! {
                biased;
                () = self.budget.aborted() => break,
                Some((call, answer)) = self.in_flight.next() => self.note_detached(call, answer)?,
                () = tokio::time::sleep_until(until) => break,
            }
        }
        for (id, call) in std::mem::take(&mut self.pending) {
            if !matches!(self.standing(id), Some(Standing::Asking(_))) {
                self.report.detached.push(self.detached(&call, Fate::Aborted));
            }
        }
        Ok(())
    }

    /// Of a run that had ended before: what the record says of the calls that its script did not wait for.
    fn take_recorded_fates(&mut self) {
        let entries = self.ledger.record().entries();
        let ended =
            entries.iter().rposition(|entry| matches!(entry, Entry::Ended(_))).unwrap_or(entries.len());
        let fates: BTreeMap<CallId, Option<Fate>> = entries[ended..]
            .iter()
            .filter_map(|entry| match entry {
                Entry::Settled { call, outcome: entry::Outcome::Fulfilled(_), .. } => {
                    Some((*call, Some(Fate::Fulfilled)))
                }
                Entry::Settled { call, outcome: entry::Outcome::Rejected(_), .. } => {
                    Some((*call, Some(Fate::Rejected)))
                }
                Entry::Abandoned { call } => Some((*call, None)),
                _ => None,
            })
            .collect();
        for (id, fate) in fates {
            if let (Some(call), Some(fate)) = (self.pending.remove(&id), fate) {
                self.report.detached.push(self.detached(&call, fate));
            }
        }
        if self.ledger.facts().closed {
            for call in std::mem::take(&mut self.pending).into_values() {
                self.report.detached.push(self.detached(&call, Fate::Aborted));
            }
        }
    }

    /// Calls of the last slice are made, and so are those that a crash has left open, if they may.
    fn take_up_open_calls(&mut self) -> Result<(), RunError> {
        self.made.clear();
        let open: Vec<(CallId, Standing)> =
            self.ledger.facts().open.iter().map(|(call, open)| (*call, open.standing.clone())).collect();
        for (id, standing) in open {
            match standing {
                Standing::Called => self.invoke(id)?,
                Standing::Dispatched if !self.under_way.contains(&id) => match self.effect(id)? {
                    Effect::Pure | Effect::Idempotent => self.invoke_again(id)?,
                    Effect::Unsafe if self.has_probe(id)? => self.probe(id)?,
                    Effect::Unsafe => {
                        if let Some(call) = self.pending.remove(&id) {
                            self.report.detached.push(self.detached(&call, Fate::Unknown));
                        }
                    }
                },
                _ => {}
            }
        }
        Ok(())
    }

    /// What comes of a call that the script did not wait for. It is too late to ask: such a call is abandoned.
    fn note_detached(&mut self, call: CallId, answer: Answer) -> Result<(), RunError> {
        self.under_way.remove(&call);
        let (fate, outcome) = match answer {
            Ok(Told::Outcome(outcome @ Outcome::Fulfilled(_))) => (Fate::Fulfilled, Some(outcome)),
            Ok(Told::Outcome(outcome @ Outcome::Rejected(_))) => (Fate::Rejected, Some(outcome)),
            Ok(Told::Interrupt(interrupt)) => return self.interrupted(call, *interrupt),
            Ok(Told::Again) if self.ledger.facts().over != Some(Over::Cancelled) => {
                return match self.denial(call)? {
                    None => self.dispatch(call),
                    Some(error) => self.note_detached(call, rejected(&error)),
                };
            }
            Ok(Told::Again | Told::Nothing) => (Fate::Unknown, None),
            Err(_) => (Fate::Rejected, None),
        };
        if let Some(outcome) = outcome {
            self.ledger.settle(call, self.clock.now(), ledger_outcome(outcome))?;
        }
        if let Some(call) = self.pending.remove(&call) {
            self.report.detached.push(self.detached(&call, fate));
        }
        Ok(())
    }

    fn detached(&self, call: &Call, fate: Fate) -> DetachedCall {
        let lent = self.ledger.record().started().functions.get(call.function as usize);
        DetachedCall {
            request_index: call.id,
            host_function: lent.map(|lent| lent.name.clone()).unwrap_or_default(),
            file: call.file.as_deref().map(str::to_owned),
            position: self.place_of(call),
            fate,
        }
    }

    /// A script that has not ended tells its data. One that waits for nothing may have lost the reason in a rejection that nobody handled.
    pub(crate) async fn tell_of_deadlock(&mut self) {
        let unhandled = self.tell_state().await;
        self.note_unhandled(unhandled);
    }

    /// The same of one that may go on from here. Whether nothing of the script ran for it: a replay does not ask at this place.
    async fn tell_quietly(&mut self) -> bool {
        let fuel = |drive: &Self| {
            let sandbox = drive.sandbox.as_ref().filter(|sandbox| sandbox.is_resting());
            sandbox.map(|sandbox| sandbox.usage().fuel)
        };
        let before = fuel(self);
        let unhandled = self.tell_state().await;
        before.is_some() && fuel(self) == before && unhandled.is_empty() && self.report.data_error.is_none()
    }

    async fn tell_state(&mut self) -> Vec<Thrown> {
        let Some(mut sandbox) = self.sandbox.take_if(|sandbox| sandbox.is_resting()) else {
            return Vec::new();
        };
        let mut step = self.budget.advance(&mut sandbox, Event::Report);
        if matches!(step, Ok(Step::Yielded)) {
            match self.runner.premises.workers.finish(sandbox, self.budget.clone()).await {
                Ok(finished) => (sandbox, step) = finished,
                Err(_) => return Vec::new(),
            }
        }
        // A getter that calls a blocking host function is not answered any more: then there is no data.
        let told = matches!(step, Ok(Step::Idle));
        let (data, unhandled) =
            if told { (sandbox.take_data(), sandbox.take_unhandled()) } else { (None, Vec::new()) };
        self.sandbox = Some(sandbox);
        if let Some(data) = data {
            self.note_data(data.map_err(Box::new));
        }
        unhandled
    }

    fn note_unhandled(&mut self, unhandled: Vec<Thrown>) {
        self.report.unhandled =
            unhandled.into_iter().map(|thrown| ScriptError::new(thrown, &self.positions)).collect();
    }

    fn note_data(&mut self, data: Result<Vec<u8>, Box<Thrown>>) {
        match data {
            Ok(bytes) => self.report.data = decode(&bytes, usize::MAX).ok(),
            Err(thrown) => self.report.data_error = Some(ScriptError::new(*thrown, &self.positions)),
        }
    }

    /// The result, with all that there is to say.
    pub(crate) async fn close(mut self, value: Result<Value, Halt>) -> RunResult {
        let mut stays = false;
        let value = match value {
            Err(Halt::Paused) => self.put_away().await.map(|quietly| {
                stays = quietly;
                None
            }),
            Err(Halt::Cancelled) => self.cancelled().await.map(|()| None),
            Err(Halt::Failed(RunError::Aborted)) if self.live.is_cancelled() => {
                self.cancelled().await.map(|()| None)
            }
            Err(Halt::Failed(error)) => {
                // What was written is worth keeping, whatever happens to what is said of it.
                let _ = self.stop().await;
                Err(error)
            }
            Ok(value) => Ok(Some(value)),
        };
        let mut sandbox = self.sandbox.take();
        if let Some(sandbox) = &mut sandbox {
            let usage = sandbox.usage();
            self.report.console.extend(sandbox.take_console());
            self.report.stats.fuel = usage.fuel;
            self.report.stats.memory = usage.memory;
            self.report.stats.calls = usage.calls;
            self.report.stats.cpu = self.meter.used(usage.cpu);
        }
        self.report.stats.wall = self.budget.started.elapsed();
        let interruptions = pending(self.ledger.facts(), self.ledger.record().started());
        let cancelled = self.ledger.facts().over == Some(Over::Cancelled);
        let wake_at = self.wakes_at();
        if stays && let Some(seat) = sandbox {
            let (clock, positions, pending) = (self.clock, self.positions, self.pending);
            let console = self.report.console.clone();
            self.runner.premises.keep_snapshot(Snapshot {
                record: self.ledger.record().clone(),
                limits: self.caller.limits,
                guest: Guest { seat, clock, positions, pending, console },
            });
        }
        let continuation = match &value {
            Err(_) => Continuation::without_vain(self.ledger, self.came, self.added),
            Ok(_) => Continuation::of(self.ledger),
        };
        let report = self.report;
        tracing::debug!(
            run_id = %report.run_id,
            invocation_id = %report.invocation_id,
            calls = report.stats.calls,
            questions = interruptions.len(),
            code = value.as_ref().err().map(RunError::code),
            "an invocation is over"
        );
        match value {
            Ok(Some(value)) => RunResult::Completed { value, continuation, report },
            Ok(None) if cancelled => RunResult::Cancelled { continuation, report },
            Ok(None) => RunResult::Interrupted { interruptions, continuation, wake_at, report },
            Err(error) => RunResult::Failed { error, continuation: Some(continuation), report },
        }
    }

    /// At rest: what is asked is handed out. Gives whether the sandbox is what a replay would give.
    async fn put_away(&mut self) -> Result<bool, RunError> {
        let spent = self.spent();
        if self.dry {
            self.tell_state().await;
            if self.ledger.facts().closed {
                self.close_ledger()?;
            }
            return Ok(false);
        }
        self.throw_at_pause();
        let mut stays = false;
        if self.sandbox.as_ref().is_some_and(|sandbox| sandbox.is_resting()) {
            stays = self.tell_quietly().await && self.runner.premises.snapshots.are_wanted();
            self.ledger.pause(spent)?;
        } else {
            // It stands in a blocking call whose outcome a crash has lost.
            self.keep_answers()?;
            self.ledger.spend(spent)?;
        }
        self.commit().await?;
        Ok(stays)
    }

    /// Answers that were not acted on, because the script never came to wait for them, are facts all the same.
    fn keep_answers(&mut self) -> Result<(), RunError> {
        for Answered { at, call, resolution } in self.frontier.take().unwrap_or_default().answers {
            if let Some(resolution) = resolution {
                self.ledger.resolve(call, at, resolution)?;
            }
        }
        Ok(())
    }

    /// The invocation ends in the middle of things.
    async fn stop(&mut self) -> Result<(), RunError> {
        if self.ledger.phase() == intermission_ledger::Phase::Live && !self.dry {
            self.keep_answers()?;
            self.ledger.spend(self.spent())?;
        }
        self.commit().await
    }

    /// The run is over. What was under way is told to abort, and what comes of it all the same is written down.
    async fn cancelled(&mut self) -> Result<(), RunError> {
        self.caller.cancel();
        self.ledger.cancel()?;
        let until = after(Instant::now(), self.runner.drain);
        while !self.in_flight.is_empty() {
            tokio::select! {
                biased;
                Some((call, answer)) = self.in_flight.next() => self.note_detached(call, answer)?,
                () = tokio::time::sleep_until(until) => break,
            }
        }
        self.close_ledger()?;
        self.commit().await
    }
}
