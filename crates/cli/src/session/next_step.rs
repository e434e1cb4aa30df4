//! What can be done with a run that has not completed: a command for it.

use intermission::ledger::Ledger;
use intermission::{Interruption, InterruptionKind, RunError, RunResult};

use super::{Driven, Left, Session};
use crate::keeping::shell_word;
use crate::moment::moment;
use crate::printable::on_one_line;
use crate::{interruptions, terminal};

impl Session<'_> {
    pub(super) fn tell_next_step(&self, driven: &Driven, left: &Left) {
        let settings = self.settings.options(|limit| !may_stop_again(driven, limit));
        if let Some(line) = (NextStep { driven, left, settings }).tell() {
            terminal::show_line(&line);
        }
    }
}

/// Whether it is the limit of this name that has stopped the run, as far as is known.
fn may_stop_again(driven: &Driven, limit: &str) -> bool {
    // Which one is too low only a text says.
    let is_too_low = driven.failure.as_ref().is_some_and(|failure| failure.code == "LIMIT_TOO_LOW");
    let exhausted = match driven.result.error() {
        Some(RunError::Exhausted(exhausted)) => exhausted.limit.name() == limit,
        _ => false,
    };
    is_too_low || exhausted
}

/// Where it is not known what a run was run with: a store does not keep that.
pub(crate) fn by_whoever(run: &str, store: &str) -> String {
    format!("go on with `intermission resume {run}{store}`, and the options that it was run with")
}

struct NextStep<'n> {
    driven: &'n Driven,
    left: &'n Left,
    /// The settings of this command, as options.
    settings: String,
}

impl NextStep<'_> {
    fn tell(&self) -> Option<String> {
        if let Some(failure) = &self.driven.failure {
            return (!is_the_scripts(&failure.code)).then(|| self.kept());
        }
        match &self.driven.result {
            RunResult::Interrupted { interruptions, wake_at, .. } => {
                Some(self.awaited_event().unwrap_or_else(|| self.put_away(interruptions, *wake_at)))
            }
            RunResult::Failed { continuation: Some(continuation), .. } if continuation.over().is_some() => {
                let is_retryable = Ledger::retry(continuation.record().clone()).is_ok();
                self.over(is_retryable)
            }
            RunResult::Failed { error, .. } => (self.is_file() || may_go_on(error)).then(|| self.kept()),
            _ => None,
        }
    }

    fn is_file(&self) -> bool {
        self.left.kept.is_some()
    }

    fn resume(&self, options: &str) -> String {
        let Left { operand, options: place, .. } = self.left;
        format!("`intermission resume {operand}{options}{place}{}`", self.settings)
    }

    fn kept(&self) -> String {
        format!("kept: what happened is in {}; go on with {}", self.left.operand, self.resume(""))
    }

    fn over(&self, is_retryable: bool) -> Option<String> {
        let retry = || format!("; {} makes the failed call again", self.resume(" --retry"));
        let retry = if is_retryable { retry() } else { String::new() };
        // That a run is in the store goes without saying.
        (self.is_file() || is_retryable)
            .then(|| format!("kept: what happened is in {}{retry}", self.left.operand))
    }

    fn put_away(&self, interruptions: &[Interruption], wake_at: Option<u64>) -> String {
        let what = what_is_open(interruptions, wake_at);
        if interruptions.is_empty() && !self.is_file() {
            let Left { operand, options, .. } = self.left;
            return format!(
                "put away: {what}. Go on with `intermission wait {operand}{options}{}`",
                self.settings
            );
        }
        let options = interruptions.iter().map(|asked| format!(" {}", interruptions::option(asked)));
        let go_on = self.resume(&options.collect::<String>());
        let is_lost = |asked: &Interruption| asked.kind == InterruptionKind::OutcomeUnknown;
        let lost = if interruptions.iter().any(is_lost) {
            "; where nothing happened, with `--did-not-happen` instead"
        } else {
            ""
        };
        format!("put away: {what}. Go on with {go_on}{lost}")
    }

    /// Of a run of the store that waits for one event, and for nothing else.
    fn awaited_event(&self) -> Option<String> {
        let RunResult::Interrupted { interruptions, .. } = &self.driven.result else { return None };
        let [asked] = interruptions.as_slice() else { return None };
        let key = asked.arguments.first()?.as_str()?;
        if asked.kind != InterruptionKind::Event || self.is_file() {
            return None;
        }
        let shown = on_one_line(key);
        // What cannot be shown as it is would not be the same key when it is copied.
        let word = if shown == key { shell_word(key) } else { "KEY".to_owned() };
        let Left { operand, options, .. } = self.left;
        let emit = if key.starts_with('-') {
            format!("intermission emit {operand}{options} -- {word} JSON")
        } else {
            format!("intermission emit {operand} {word} JSON{options}")
        };
        let resume = self.resume("");
        Some(format!("put away: the run waits for the event {shown}. `{emit}` emits it; go on with {resume}"))
    }
}

/// Whether the script itself has ended so, as the store has it: then nothing comes of going on.
fn is_the_scripts(code: &str) -> bool {
    matches!(code, "SCRIPT_ERROR" | "DETACHED_CALLS" | "DEADLOCK" | "INTERRUPT_IN_SYNC")
}

/// Whether the same script may come further, with more time or another configuration.
fn may_go_on(error: &RunError) -> bool {
    !matches!(
        error,
        RunError::Source(_)
            | RunError::Script(_)
            | RunError::Deadlock
            | RunError::Detached { .. }
            | RunError::InterruptInSync { .. }
            | RunError::Diverged(_)
            | RunError::Engine(_)
    )
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
