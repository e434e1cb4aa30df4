//! The end: what came of a run is kept, explained and printed.

use intermission::ledger::Ledger;
use intermission::{Continuation, Interruption, InterruptionKind, RunResult, Value};

use super::{Driven, Session, report};
use crate::exit::Exit;
use crate::explain::Explanation;
use crate::failure::Failure;
use crate::keeping::{Destination, KeepError, Kept, shell_word};
use crate::moment::moment;
use crate::{interruptions, terminal};

impl Session<'_> {
    pub(super) fn conclude(&self, driven: &Driven) -> Result<Exit, Failure> {
        let result = &driven.result;
        let kept = self.keep(driven).transpose();
        let explanation = Explanation { script: &self.script, name: &self.name, config: self.config };
        terminal::show(&explanation.of(result));
        let place = kept.as_ref().ok().and_then(Option::as_ref);
        if let Some(kept) = place {
            if !matches!(self.destination, Destination::Back(_)) {
                terminal::show(&kept.warning());
            }
            self.tell_how_to_go_on(result, kept);
        }
        self.print(result, place)?;
        kept?;
        Ok(driven.ended_by.unwrap_or_else(|| exit(result)))
    }

    /// What a run asks is kept; what came of one that was answered or resumed is kept as well, so that nothing is done twice.
    fn keep(&self, driven: &Driven) -> Option<Result<Kept, KeepError>> {
        let continuation = driven.result.continuation()?;
        let is_kept = match driven.result {
            RunResult::Interrupted { .. } => true,
            // A run that failed before it came to anything new is what it was: another script, say, is not its own yet.
            RunResult::Failed { .. } if !self.has_news(continuation) => false,
            // Of a run that completes the value is printed, and nothing else: what it has done goes back to where it came from.
            RunResult::Completed { .. } if self.is_printed_alone() => {
                let back = Destination::Back(self.origin.clone()?);
                return Some(back.keep(continuation, &self.keeper));
            }
            _ => self.keeps || driven.was_answered,
        };
        is_kept.then(|| self.destination.keep(continuation, &self.keeper))
    }

    fn is_printed_alone(&self) -> bool {
        matches!(self.destination, Destination::Output) && !self.output.report
    }

    fn has_news(&self, continuation: &Continuation) -> bool {
        continuation.record().entries().len() > self.before
    }

    /// A command that goes on with the run.
    fn tell_how_to_go_on(&self, result: &RunResult, kept: &Kept) {
        let operand = kept.operand();
        let trust = if kept.is_protected || kept.file.is_some() { "" } else { " --unprotected" };
        let config = self.config_given.as_deref().map_or_else(String::new, |path| {
            format!(" --config {}", shell_word(&path.display().to_string()))
        });
        let resume = |options: &str| format!("`intermission resume {operand}{options}{trust}{config}`");
        say_how(result, &operand, resume);
    }

    fn print(&self, result: &RunResult, kept: Option<&Kept>) -> Result<(), Failure> {
        if self.output.report {
            return terminal::print(&format!("{:#}", report::to_json(result, kept)?));
        }
        match result {
            RunResult::Completed { value: Value::String(text), .. } if self.output.raw => {
                terminal::print(&text.to_string_lossy())
            }
            RunResult::Completed { value, .. } => {
                let json = value.to_json().map_err(Failure::ValueNotJson)?;
                terminal::print(&format!("{json:#}"))
            }
            RunResult::Interrupted { interruptions, wake_at, report, .. } => {
                let asked = interruptions::put_away(report.run_id, interruptions, *wake_at, kept);
                terminal::print(&format!("{asked:#}"))
            }
            result if kept.is_some_and(|kept| kept.token.is_some()) => {
                let nothing = interruptions::put_away(result.report().run_id, &[], None, kept);
                terminal::print(&format!("{nothing:#}"))
            }
            _ => Ok(()),
        }
    }
}

fn exit(result: &RunResult) -> Exit {
    match result {
        RunResult::Completed { .. } => Exit::Completed,
        RunResult::Interrupted { .. } => Exit::PutAway,
        result => result.error().map_or(Exit::Failed, Exit::of),
    }
}

fn say_how(result: &RunResult, operand: &str, resume: impl Fn(&str) -> String) {
    match result {
        RunResult::Interrupted { interruptions, wake_at, .. } => {
            let what = what_is_open(interruptions, *wake_at);
            let options = interruptions.iter().map(|asked| format!(" {}", interruptions::option(asked)));
            let go_on = resume(&options.collect::<String>());
            let is_lost = |asked: &Interruption| asked.kind == InterruptionKind::OutcomeUnknown;
            let lost = if interruptions.iter().any(is_lost) {
                "; where nothing happened, with `--did-not-happen` instead"
            } else {
                ""
            };
            terminal::show_line(&format!("put away: {what}. Go on with {go_on}{lost}"));
        }
        RunResult::Failed { continuation: Some(continuation), .. } if continuation.over().is_some() => {
            let is_retryable = Ledger::retry(continuation.record().clone()).is_ok();
            let retry = || format!("; {} makes the failed call again", resume(" --retry"));
            let retry = if is_retryable { retry() } else { String::new() };
            terminal::show_line(&format!("kept: what happened is in {operand}{retry}"));
        }
        RunResult::Failed { .. } => {
            terminal::show_line(&format!("kept: what happened is in {operand}; go on with {}", resume("")));
        }
        _ => {}
    }
}

fn what_is_open(interruptions: &[Interruption], wake_at: Option<u64>) -> String {
    let open = match interruptions {
        [] => {
            return wake_at.map_or_else(String::new, |time| format!("the run waits until {}", moment(time)));
        }
        [one] => format!("{} asks", one.host_function),
        several => format!("{} questions are open", several.len()),
    };
    match wake_at {
        Some(time) => format!("{open}; without an answer it can go on at {}", moment(time)),
        None => open,
    }
}
