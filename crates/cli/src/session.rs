//! One run, driven to its end or to where it is put away, over as many invocations as somebody at the terminal answers.

mod outcome;
mod report;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use intermission::{
    AbortController, Interruption, InterruptionId, Resolution, ResumeError, ResumeInput, RunError, RunInput,
    RunResult, Runner,
};
use intermission_config::Config;

use crate::arguments::OutputArguments;
use crate::ask::{self, Asked, Source};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::{Destination, Keeper};
use crate::script::Script;
use crate::signals::Signals;
use crate::{refusal, terminal};

/// What a run is driven with.
pub(crate) struct Session<'s> {
    pub(crate) config: &'s Config,
    /// The file of the configuration, where the command named one.
    pub(crate) config_given: Option<PathBuf>,
    pub(crate) runner: Runner,
    pub(crate) script: Script,
    /// What frames call the script.
    pub(crate) name: String,
    pub(crate) keeper: Arc<Keeper>,
    pub(crate) destination: Destination,
    /// The file that it came from.
    pub(crate) origin: Option<PathBuf>,
    /// Whether it is kept in any case, not only when it asks.
    pub(crate) keeps: bool,
    /// How many entries its ledger has before.
    pub(crate) before: usize,
    pub(crate) output: &'s OutputArguments,
    /// Whether there may be somebody to ask.
    pub(crate) asks: bool,
}

/// What an invocation begins with.
pub(crate) enum Begin {
    Run(Box<RunInput<'static>>),
    Resume(Box<ResumeInput>),
}

/// What came of it.
struct Driven {
    result: RunResult,
    /// The signal that ended it.
    ended_by: Option<Exit>,
    /// Whether it went on with answers that were given here.
    was_answered: bool,
}

impl Session<'_> {
    /// Drives a run that has `pending` questions. What is printed is the value, or what is asked.
    ///
    /// # Errors
    /// When it cannot be begun, kept or told.
    pub(crate) fn drive(&self, begin: Begin, pending: &[Interruption]) -> Result<Exit, Failure> {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Failure::Runtime)?;
        let driven = runtime.block_on(self.rounds(begin, pending));
        // A request that nobody waits for, or a line that nobody types, must not hold up the end.
        runtime.shutdown_background();
        self.conclude(&driven?)
    }

    /// Invocation by invocation, as long as there are answers.
    async fn rounds(&self, begin: Begin, pending: &[Interruption]) -> Result<Driven, Failure> {
        let mut signals = Signals::listen().map_err(Failure::Runtime)?;
        let first = self.invocation(begin, &mut signals).await;
        let mut driven = first.map_err(|error| Failure::refused(&error, pending))?;
        let mut later = BTreeSet::new();
        loop {
            say(&driven.result);
            match self.next_round(&mut driven, &mut later, &mut signals).await? {
                Some(next) => driven = next,
                None => return Ok(driven),
            }
        }
    }

    /// Asks what was not left for later before, and goes on with the answers, if there are any.
    async fn next_round(
        &self,
        driven: &mut Driven,
        later: &mut BTreeSet<InterruptionId>,
        signals: &mut Signals,
    ) -> Result<Option<Driven>, Failure> {
        let RunResult::Interrupted { interruptions, continuation, .. } = &driven.result else {
            return Ok(None);
        };
        if !self.asks || driven.ended_by.is_some() {
            return Ok(None);
        }
        let source = Source { script: &self.script, name: &self.name };
        let mut open: Vec<_> = interruptions.iter().filter(|asked| !later.contains(&asked.id)).collect();
        let mut answers: Vec<Resolution> = Vec::new();
        loop {
            let Asked { answers: given, ended_by } =
                ask::ask(&open, source, signals).await.map_err(Failure::Runtime)?;
            later.extend(open.iter().map(|asked| asked.id.clone()));
            answers.extend(given);
            if answers.is_empty() || ended_by.is_some() {
                driven.ended_by = ended_by;
                return Ok(None);
            }
            let input =
                ResumeInput { resolutions: answers.clone(), ..ResumeInput::new(continuation.clone()) };
            match self.invocation(Begin::Resume(Box::new(input)), signals).await {
                Ok(next) => return Ok(Some(Driven { was_answered: true, ..next })),
                Err(error) => {
                    terminal::show([&refusal::explain(&error, interruptions)]);
                    let Some(refused) = refusal::question(&error) else { return Ok(None) };
                    answers.retain(|answer| answer.interruption_id != *refused);
                    open = interruptions.iter().filter(|asked| asked.id == *refused).collect();
                }
            }
        }
    }

    /// One pass over the script, to its end or until a signal ends it.
    async fn invocation(&self, begin: Begin, signals: &mut Signals) -> Result<Driven, ResumeError> {
        let abort = AbortController::new();
        let invocation = async {
            match begin {
                Begin::Run(input) => Ok(self.runner.run(input.abort(abort.signal())).await),
                Begin::Resume(input) => self.runner.resume(input.abort(abort.signal())).await,
            }
        };
        tokio::pin!(invocation);
        let (result, signal) = tokio::select! {
            biased;
            result = &mut invocation => (result?, None),
            exit = signals.next() => {
                abort.abort();
                (invocation.await?, Some(exit))
            }
        };
        // A run that had its value anyway has it.
        let ended_by = signal.filter(|_| !matches!(result, RunResult::Completed { .. }));
        Ok(Driven { result, ended_by, was_answered: false })
    }
}

/// What came on the console since the last invocation.
fn say(result: &RunResult) {
    let report = result.report();
    // Before a divergence nothing is new.
    let is_old = matches!(result.error(), Some(RunError::Diverged(_)));
    let said = if is_old { report.console.len() } else { report.replayed };
    terminal::show_console(&report.console[said..]);
}
