//! A run that is in this process alone, until it is put away as a continuation.

use std::path::PathBuf;
use std::sync::Arc;

use intermission::{
    AbortController, Continuation, Interruption, Resolution, ResumeError, ResumeInput, RunError, RunInput,
    RunResult, Runner,
};

use super::{Asking, Driven, Left, Unanswered, Way};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::{Destination, KeepError, Keeper};
use crate::refusal;
use crate::signals::Signals;

/// A run in this process.
pub(crate) struct Ephemeral {
    pub(crate) runner: Runner,
    /// What the first pass begins with.
    pub(crate) begin: Option<Begin>,
    pub(crate) keeper: Arc<Keeper>,
    pub(crate) destination: Destination,
    /// The file that it came from.
    pub(crate) origin: Option<PathBuf>,
    /// Whether it is kept in any case, not only when it asks.
    pub(crate) keeps: bool,
    /// Whether the value is printed alone.
    pub(crate) prints_value_alone: bool,
    /// How many entries its ledger has before.
    pub(crate) before: usize,
}

/// What a pass begins with.
pub(crate) enum Begin {
    Run(Box<RunInput<'static>>),
    /// And what is asked before.
    Resume(Box<ResumeInput>, Vec<Interruption>),
}

impl Ephemeral {
    /// One pass over the script, to its end or until a signal ends it.
    async fn pass(&self, begin: Begin, signals: &mut Signals) -> Result<Driven, ResumeError> {
        let abort = AbortController::new();
        let pass = async {
            match begin {
                Begin::Run(input) => Ok(self.runner.run(input.abort(abort.signal())).await),
                Begin::Resume(input, _) => self.runner.resume(input.abort(abort.signal())).await,
            }
        };
        tokio::pin!(pass);
        let (result, signal) = tokio::select! {
            biased;
            result = &mut pass => (result?, None),
            exit = signals.next() => {
                abort.abort();
                (pass.await?, Some(exit))
            }
        };
        // A run that had its value anyway has it.
        let ended_by: Option<Exit> = signal.filter(|_| !matches!(result, RunResult::Completed { .. }));
        Ok(Driven { said: said_before(&result), result, failure: None, ended_by, was_answered: false })
    }

    fn has_news(&self, continuation: &Continuation) -> bool {
        continuation.record().entries().len() > self.before
    }
}

impl Way for Ephemeral {
    async fn first(&mut self, signals: &mut Signals) -> Result<Driven, Failure> {
        let Some(begin) = self.begin.take() else { unreachable!("there is one first pass") };
        let pending = match &begin {
            Begin::Run(_) => Vec::new(),
            Begin::Resume(_, pending) => pending.clone(),
        };
        self.pass(begin, signals).await.map_err(|error| Failure::refused(&error, &pending))
    }

    async fn answer(
        &mut self,
        asking: &Asking,
        answers: &[Resolution],
        signals: &mut Signals,
    ) -> Result<Driven, Unanswered> {
        let input =
            ResumeInput { resolutions: answers.to_vec(), ..ResumeInput::new(asking.continuation.clone()) };
        let begin = Begin::Resume(Box::new(input), Vec::new());
        self.pass(begin, signals).await.map_err(|error| Unanswered::Refused {
            why: Box::new(refusal::explain(&error, &asking.interruptions)),
            question: refusal::question(&error).cloned(),
        })
    }

    /// What a run asks is kept; what came of one that was answered or resumed is kept as well, so that nothing is done twice.
    fn leave(&self, driven: &Driven) -> Result<Option<Left>, KeepError> {
        let Some(continuation) = driven.result.continuation() else { return Ok(None) };
        let mut destination = &self.destination;
        let back;
        let is_kept = match driven.result {
            RunResult::Interrupted { .. } => true,
            // A run that failed before it came to anything new is what it was: another script, say, is not its own yet.
            RunResult::Failed { .. } if !self.has_news(continuation) => false,
            // Of a run that completes the value is printed, and nothing else: what it has done goes back to where it came from.
            RunResult::Completed { .. } if self.prints_value_alone => match &self.origin {
                Some(origin) => {
                    back = Destination::Back(origin.clone());
                    destination = &back;
                    true
                }
                None => false,
            },
            _ => self.keeps || driven.was_answered,
        };
        if !is_kept {
            return Ok(None);
        }
        let kept = destination.keep(continuation, &self.keeper)?;
        let trust = if kept.is_protected || kept.file.is_some() { "" } else { " --unprotected" };
        let warning = kept.warning().filter(|_| !matches!(self.destination, Destination::Back(_)));
        Ok(Some(Left { operand: kept.operand(), options: trust.to_owned(), warning, kept: Some(kept) }))
    }
}

/// Before a divergence nothing is new.
fn said_before(result: &RunResult) -> usize {
    let report = result.report();
    let is_old = matches!(result.error(), Some(RunError::Diverged(_)));
    if is_old { report.console.len() } else { report.replayed }
}
