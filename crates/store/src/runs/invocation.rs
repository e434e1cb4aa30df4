//! One pass over a run that is leased: from what the store has to what becomes of the run.

use std::sync::Arc;

use intermission::ledger::Over;
use intermission::value::encode;
use intermission::{AbortSignal, Continuation, ResumeError, ResumeInput, RunError, RunHandle, RunResult};
use tokio::sync::mpsc::UnboundedReceiver;

use super::Shared;
use super::driver::Told;
use super::sink::{Cause, LeasedSink};
use super::watcher::Passed;
use crate::StoreError;
use crate::answer::Given;
use crate::lease::Lease;
use crate::rows::{Loaded, Rest, Wish};

/// What is to be done with the run.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    /// To be put down.
    Rest(Rest),
    /// It cannot be gone on with as this process is set up: a function is missing or another, a limit too low.
    Unfit { code: String, message: String },
    /// To be gone on with at once.
    Again,
    /// Somebody else has it.
    Lost,
}

/// One pass.
pub(crate) struct Invocation<'s> {
    pub(crate) shared: &'s Arc<Shared>,
    pub(crate) lease: Lease,
    /// Aborted when the lease is lost.
    pub(crate) lost: AbortSignal,
}

impl Invocation<'_> {
    /// Goes on with the run, as far as it goes: from `begun`, or else from what the store has.
    ///
    /// # Errors
    /// Where the store fails.
    pub(crate) async fn run(
        &self,
        begun: Option<Continuation>,
        told: &mut UnboundedReceiver<Told>,
    ) -> Result<Next, StoreError> {
        let (continuation, answers, wish) = if let Some(begun) = begun {
            (begun, Vec::new(), None)
        } else {
            let loaded = self.shared.store.load(self.lease.run_id).await?;
            let Some(Loaded { ledger, answers, wish }) = loaded else { return Ok(Next::Lost) };
            match Continuation::from_bytes(&ledger) {
                Ok(continuation) => (continuation, answers, wish),
                Err(error) => return Ok(failed(error.code(), &error)),
            }
        };
        let is_over = continuation.over().is_some();
        if continuation.over() == Some(&Over::Cancelled) {
            return Ok(Next::Rest(Rest::Cancelled));
        }
        let is_cancelled = wish == Some(Wish::Cancel) && !is_over;
        let mut resolutions = Vec::new();
        if !is_over && !is_cancelled {
            for given in answers {
                let resolution = given.resolution();
                match self.shared.runner.check(&continuation, &resolution) {
                    Ok(()) => resolutions.push(resolution),
                    Err(refused) => self.refuse(&given, &refused).await?,
                }
            }
        }
        let sink = LeasedSink::new(Arc::clone(self.shared), self.lease);
        let mut input = ResumeInput::new(continuation)
            .ledger_sink(sink.clone())
            .longest_wait(self.shared.settings.longest_wait)
            .abort(self.lost.clone());
        input.retry = wish == Some(Wish::Retry) && is_over;
        input.resolutions = resolutions;
        if is_cancelled {
            return match self.shared.runner.cancel(input).await {
                Ok(result) => self.came_to(result, &sink),
                Err(refused) => Ok(not_here(&refused)),
            };
        }
        match self.shared.runner.start_resume(input).await {
            Ok(handle) => self.attend(handle, &sink, told).await,
            Err(refused) => Ok(not_here(&refused)),
        }
    }

    /// Hands the run what comes meanwhile.
    async fn attend(
        &self,
        mut handle: RunHandle,
        sink: &LeasedSink,
        told: &mut UnboundedReceiver<Told>,
    ) -> Result<Next, StoreError> {
        let mut failure = None;
        loop {
            let told = tokio::select! {
                event = handle.next_event() => match event {
                    // Somebody may have answered before it was asked.
                    Some(_) => {
                        self.shared.changed();
                        Told::Answers
                    }
                    None => break,
                },
                Some(told) = told.recv() => told,
            };
            match told {
                Told::Cancel => handle.cancel(),
                Told::Answers => {
                    if let Err(error) = self.hand_over(&handle).await {
                        // The run goes on; it is told later.
                        failure = Some(error);
                    }
                }
            }
        }
        if let Some(error) = failure {
            tracing::warn!(run_id = %self.lease.run_id, code = error.code(), "answers could not be read");
        }
        self.came_to(handle.wait().await, sink)
    }

    /// What is to be done with the run; and whoever watches hears what came of it.
    fn came_to(&self, result: RunResult, sink: &LeasedSink) -> Result<Next, StoreError> {
        let next = next(&result, sink)?;
        self.shared.watcher.tell(self.lease.run_id, Passed::Result(Box::new(result)));
        Ok(next)
    }

    async fn hand_over(&self, handle: &RunHandle) -> Result<(), StoreError> {
        for given in self.shared.store.untaken(self.lease.run_id).await? {
            match handle.resolve(given.resolution()).await {
                Ok(()) => {}
                Err(refused) => self.refuse(&given, &refused).await?,
            }
        }
        Ok(())
    }

    /// An answer that came before its question may not fit it: then the question is open for others.
    async fn refuse(&self, given: &Given, refused: &ResumeError) -> Result<(), StoreError> {
        let never_fits = matches!(
            refused,
            ResumeError::Invalid { .. } | ResumeError::ArgumentsDiffer { .. } | ResumeError::Duplicate { .. }
        );
        if never_fits {
            tracing::warn!(run_id = %self.lease.run_id, interruption_id = %given.interruption_id, "{refused}");
            self.shared.store.discard(self.lease.run_id, given.interruption_id.clone()).await?;
        }
        Ok(())
    }
}

fn not_here(refused: &ResumeError) -> Next {
    match refused {
        ResumeError::FunctionMissing { .. }
        | ResumeError::FunctionChanged { .. }
        | ResumeError::LimitTooLow(_) => {
            Next::Unfit { code: refused.code().to_owned(), message: refused.to_string() }
        }
        _ => failed(refused.code(), refused),
    }
}

fn failed(code: &str, error: &dyn std::fmt::Display) -> Next {
    Next::Rest(Rest::Failed { code: code.to_owned(), message: error.to_string() })
}

fn next(result: &RunResult, sink: &LeasedSink) -> Result<Next, StoreError> {
    if let Some(Cause::Store(error)) = sink.cause() {
        return Err(error);
    }
    Ok(match result {
        RunResult::Completed { value, .. } => match encode(value) {
            Ok(value) => Next::Rest(Rest::Completed { value }),
            Err(error) => failed("INPUT_REFUSED", &error),
        },
        RunResult::Interrupted { wake_at, .. } => Next::Rest(Rest::Waiting { wake_at: *wake_at }),
        RunResult::Cancelled { .. } => Next::Rest(Rest::Cancelled),
        RunResult::Failed { error, .. } => match (sink.cause(), error) {
            (Some(Cause::Lost), _) => Next::Lost,
            // Its lease was lost, and this is refused; or it is left to others.
            (None, RunError::Aborted) => Next::Rest(Rest::Ready),
            (Some(Cause::Answered), _) => Next::Again,
            _ => failed(error.code(), error),
        },
        other => failed("SANDBOX_TRAPPED", &format!("an end that this version does not know: {other:?}")),
    })
}
