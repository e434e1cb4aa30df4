//! Why a run failed, in words for whoever wrote the script.

use intermission::{
    DetachedCall, Diverged, Exhausted, Fate, Frame, Interruption, Limit, Position, Report, RunError,
    RunResult, ScriptError,
};
use intermission_config::{Config, ModulesFolder};

use crate::diagnostic::Diagnostic;
use crate::refusal;
use crate::script::Script;
use crate::source_problem;
use crate::text_place::TextPlace;

/// What explanations are made from.
pub(crate) struct Explanation<'a> {
    pub(crate) script: &'a Script,
    /// What frames call the script.
    pub(crate) name: &'a str,
    pub(crate) config: &'a Config,
}

/// What is said of a run that somebody has cancelled.
pub(crate) fn cancelled() -> Diagnostic {
    Diagnostic::error("RUN_CANCELLED", "the run was cancelled, for good")
}

/// At most this many causes and members of an `AggregateError` are told.
const MOST_NOTES: usize = 5;

impl Explanation<'_> {
    /// What went wrong without failing the run, then why it failed, if it did.
    pub(crate) fn of(&self, result: &RunResult) -> Vec<Diagnostic> {
        let Report { data_error, unhandled, detached, abandoned, .. } = result.report();
        let error = result.error();
        let is_strict = matches!(error, Some(RunError::Detached { .. }));
        let data_error = data_error.iter().map(|error| {
            let message = format!("the final `data` cannot be sent: {error}");
            self.script_error(Diagnostic::warning("DATA_NOT_SENT", message), error)
        });
        let unhandled = unhandled.iter().map(|error| {
            let message = format!("nothing handled this rejection: {error}");
            self.script_error(Diagnostic::warning("UNHANDLED_REJECTION", message), error)
        });
        let detached = detached.iter().map(|call| self.detached_call(call, is_strict));
        let is_cancelled = matches!(result, RunResult::Cancelled { .. });
        // What a cancelled run asked nobody has forgotten.
        let abandoned = abandoned.iter().filter(|_| !is_cancelled).map(|asked| self.abandoned(asked));
        let cancelled = is_cancelled.then(cancelled);
        // The calls say it all where the error is that there are some.
        let error = error.filter(|_| !is_strict).map(|error| self.error(error));
        data_error.chain(unhandled).chain(detached).chain(abandoned).chain(error).chain(cancelled).collect()
    }

    fn error(&self, error: &RunError) -> Diagnostic {
        match error {
            RunError::Source(error) => source_problem::explain(self.script, error),
            RunError::Script(script_error) => {
                self.script_error(Diagnostic::error(error.code(), error.to_string()), script_error)
            }
            RunError::Exhausted(exhausted) => {
                Diagnostic::error(error.code(), error.to_string()).hint(hint_for_limit(exhausted))
            }
            RunError::Diverged(diverged) => {
                let Diverged { divergence, file, position } = &**diverged;
                let place = self.place_of_call(file.as_deref(), *position);
                Diagnostic::error(error.code(), divergence.to_string())
                    .at(place)
                    .hint("nothing was called, and nothing has changed: go on with a script that does what was done")
            }
            RunError::FunctionMissing { name } => {
                Diagnostic::error(error.code(), error.to_string()).hint(refusal::lend(name))
            }
            RunError::InterruptInSync { name } => Diagnostic::error(error.code(), error.to_string())
                .hint(format!("leave `blocking` out of [functions.\"{name}\"]")),
            error => Diagnostic::error(error.code(), error.to_string()),
        }
    }

    fn abandoned(&self, asked: &Interruption) -> Diagnostic {
        let Interruption { host_function, file, position, .. } = asked;
        let place = self.place_of_call(file.as_deref(), *position);
        let message = format!(
            "the script ended without waiting for `{host_function}`, which asked and was not answered"
        );
        Diagnostic::warning("ABANDONED", message).at(place.map(|place| place.over(host_function)))
    }

    fn detached_call(&self, call: &DetachedCall, is_strict: bool) -> Diagnostic {
        let DetachedCall { host_function, file, position, fate, .. } = call;
        let message = format!("the script ended without waiting for `{host_function}`");
        let place = self.place_of_call(file.as_deref(), *position);
        let place = place.map(|place| place.over(host_function));
        let diagnostic = if is_strict {
            Diagnostic::error("DETACHED_CALLS", message)
        } else {
            let since = match fate {
                Fate::Fulfilled => "has finished since",
                Fate::Rejected => "has failed since",
                Fate::Aborted => "was aborted",
                Fate::Unknown => "may or may not have been made",
                Fate::Refused => "was not made",
            };
            Diagnostic::warning("DETACHED_CALL", format!("{message}, which {since}"))
        };
        diagnostic.at(place).hint("put `await` before the call")
    }

    fn script_error(&self, diagnostic: Diagnostic, error: &ScriptError) -> Diagnostic {
        let place = self.place_of_error(error);
        let mut diagnostic = diagnostic.at(place);
        // One frame is where the caret is.
        if error.frames.len() > 1 {
            diagnostic = diagnostic.note(format!("stack:\n{}", error.stack().trim_end()));
        }
        let mut cause = error.cause.as_deref();
        let mut causes = Vec::new();
        while let Some(next) = cause {
            causes.push(format!("caused by {next}{}", self.where_thrown(next)));
            cause = next.cause.as_deref();
        }
        let members = error
            .errors
            .iter()
            .map(|member| format!("one of its errors: {member}{}", self.where_thrown(member)));
        for note in causes.into_iter().chain(members).take(MOST_NOTES) {
            diagnostic = diagnostic.note(note);
        }
        match hint_for_error(error) {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }

    /// ` (file:line:column)`.
    fn where_thrown(&self, error: &ScriptError) -> String {
        let place = self.place_of_error(error);
        place.map(|at| format!(" ({}:{}:{})", at.file, at.line, at.column)).unwrap_or_default()
    }

    fn place_of_error(&self, error: &ScriptError) -> Option<TextPlace> {
        error.frames.iter().find_map(|Frame { file, line, column, .. }| self.place(file, *line, *column))
    }

    /// Without a file it is in the script.
    fn place_of_call(&self, file: Option<&str>, position: Option<Position>) -> Option<TextPlace> {
        let at = position?;
        self.place(file.unwrap_or(self.name), at.line, at.column)
    }

    /// A place in the script, or in a module of the folder.
    fn place(&self, file: &str, line: u32, column: u32) -> Option<TextPlace> {
        if file == self.name {
            return Some(self.script.place(line, column));
        }
        let folder = self.config.modules.as_deref()?;
        let text = ModulesFolder::new(folder).ok()?.read(file).ok()?;
        Some(TextPlace::of_position(&folder.join(file).display().to_string(), &text, line, column))
    }
}

fn hint_for_limit(exhausted: &Exhausted) -> String {
    let name = exhausted.limit.name();
    match exhausted.limit {
        Limit::Deadline => {
            "a host function took long, or the script waits for a timer; allow more with `--deadline 1m`"
                .to_owned()
        }
        Limit::Cpu | Limit::Fuel => {
            format!("is there a loop without an end? Else allow more with `--limit {name}=...`")
        }
        Limit::Replay => "the script computes more than it did before: is it still the same?".to_owned(),
        Limit::Result => "return less, or allow more with `--limit result=...`".to_owned(),
        limit => refusal::allow_more(limit),
    }
}

fn hint_for_error(error: &ScriptError) -> Option<String> {
    match (error.name.as_deref(), error.code()) {
        (_, Some("HOST_INPUT_INVALID")) => {
            Some("`intermission types` prints what host functions take".to_owned())
        }
        (_, Some("HOST_OUTPUT_TOO_LARGE")) => Some("allow more with `--limit output=...`".to_owned()),
        (Some("ReferenceError"), _) => Some("`intermission check` finds names that are not there".to_owned()),
        _ => None,
    }
}
