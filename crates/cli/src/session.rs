//! One run, driven to its end or to where it is put away, over as many passes as somebody at the terminal answers.

mod durable;
mod ephemeral;
mod next_step;
mod outcome;
mod report;

use std::collections::BTreeSet;

use intermission::{Continuation, Interruption, InterruptionId, Resolution, RunResult};
use intermission_config::Config;

pub(crate) use self::durable::{Durable, Start};
pub(crate) use self::ephemeral::{Begin, Ephemeral};
pub(crate) use self::next_step::by_whoever;
use crate::arguments::{OutputArguments, SettingsArguments};
use crate::ask::{self, Asked, Source};
use crate::diagnostic::Diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::{KeepError, Kept};
use crate::script::Script;
use crate::signals::Signals;
use crate::terminal;

/// What is known of a run that is driven, wherever it is kept.
pub(crate) struct Session<'s> {
    pub(crate) config: &'s Config,
    /// What the command was given that the next one needs, too.
    pub(crate) settings: &'s SettingsArguments,
    pub(crate) script: Script,
    /// What frames call the script.
    pub(crate) name: String,
    pub(crate) output: &'s OutputArguments,
    /// Whether there may be somebody to ask.
    pub(crate) asks: bool,
}

/// How a run is gone on with, and where it is left.
pub(crate) trait Way {
    /// The first pass.
    async fn first(&mut self, signals: &mut Signals) -> Result<Driven, Failure>;

    /// Goes on with answers.
    async fn answer(
        &mut self,
        asking: &Asking,
        answers: &[Resolution],
        signals: &mut Signals,
    ) -> Result<Driven, Unanswered>;

    /// Keeps what came of it, where it is not kept already.
    fn leave(&self, driven: &Driven) -> Result<Option<Left>, KeepError>;
}

/// What a pass came to.
pub(crate) struct Driven {
    result: RunResult,
    /// Of the console, how much was said before.
    said: usize,
    /// Why it has failed, where the result does not know: what somebody else's pass came to, as the store has it.
    failure: Option<Box<Diagnostic>>,
    /// The signal that ended it.
    ended_by: Option<Exit>,
    /// Whether it went on with answers that were given here.
    was_answered: bool,
}

/// A run that asks.
pub(crate) struct Asking {
    continuation: Continuation,
    interruptions: Vec<Interruption>,
}

/// Why a run did not go on with answers.
pub(crate) enum Unanswered {
    /// They were refused: that to this question, if it is one's fault.
    Refused {
        why: Box<Diagnostic>,
        question: Option<InterruptionId>,
    },
    Failed(Failure),
}

/// Where a run is, for whoever goes on with it.
pub(crate) struct Left {
    /// Its continuation, where it has one.
    kept: Option<Kept>,
    /// What commands call it.
    operand: String,
    /// What else they have to be told.
    options: String,
    /// What there is to say of the place.
    warning: Option<Diagnostic>,
}

impl Session<'_> {
    /// Drives a run. What is printed is the value, or what is asked.
    ///
    /// # Errors
    /// When it cannot be begun, kept or told.
    pub(crate) fn drive(&self, mut way: impl Way) -> Result<Exit, Failure> {
        // A store is written on a thread beside.
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).enable_all().build().map_err(Failure::Runtime)?;
        let driven = runtime.block_on(self.rounds(&mut way));
        // A request that nobody waits for, or a line that nobody types, must not hold up the end.
        runtime.shutdown_background();
        self.conclude(&way, &driven?)
    }

    /// Pass by pass, as long as there are answers.
    async fn rounds(&self, way: &mut impl Way) -> Result<Driven, Failure> {
        let mut signals = Signals::listen().map_err(Failure::Runtime)?;
        let mut driven = way.first(&mut signals).await?;
        let mut later = BTreeSet::new();
        loop {
            terminal::show_console(&driven.result.report().console[driven.said..]);
            match self.next_round(way, &mut driven, &mut later, &mut signals).await? {
                Some(next) => driven = next,
                None => return Ok(driven),
            }
        }
    }

    /// Asks what was not left for later before, and goes on with the answers, if there are any.
    async fn next_round(
        &self,
        way: &mut impl Way,
        driven: &mut Driven,
        later: &mut BTreeSet<InterruptionId>,
        signals: &mut Signals,
    ) -> Result<Option<Driven>, Failure> {
        let RunResult::Interrupted { interruptions, continuation, .. } = &driven.result else {
            return Ok(None);
        };
        if !self.asks || driven.ended_by.is_some() || driven.failure.is_some() {
            return Ok(None);
        }
        let asking = Asking { continuation: continuation.clone(), interruptions: interruptions.clone() };
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
            match way.answer(&asking, &answers, signals).await {
                Ok(next) => return Ok(Some(Driven { was_answered: true, ..next })),
                Err(Unanswered::Failed(failure)) => return Err(failure),
                Err(Unanswered::Refused { why, question }) => {
                    terminal::show([&*why]);
                    let Some(refused) = question else { return Ok(None) };
                    answers.retain(|answer| answer.interruption_id != refused);
                    open = interruptions.iter().filter(|asked| asked.id == refused).collect();
                }
            }
        }
    }
}
