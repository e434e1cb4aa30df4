//! What can be wrong with a configuration.

use std::ops::Range;
use std::path::{Path, PathBuf};

use intermission::HostFunctionsError;

use crate::diagnostic::Diagnostic;
use crate::limits::LimitError;
use crate::suggestion;
use crate::text_place::TextPlace;

/// A problem and the file that has it.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub(crate) struct ConfigError {
    problem: Box<Problem>,
    path: PathBuf,
    text: String,
}

/// What is wrong, and where in the text.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    #[error("{}", message.trim_end())]
    Toml { at: Range<usize>, message: String },
    #[error("there is no setting `{key}`{}", within(table))]
    UnknownKey { at: Range<usize>, key: String, table: String, known: Vec<&'static str> },
    #[error("`{key}`: {problem}")]
    Value { at: Range<usize>, key: String, problem: String },
    #[error("{error}")]
    Limit { at: Range<usize>, error: LimitError },
    #[error("`{function}` has {what}")]
    Answer { at: Range<usize>, function: String, what: &'static str },
    #[error("`{key}`: cannot read {}: {problem}", path.display())]
    File { at: Range<usize>, key: String, path: PathBuf, problem: String },
    #[error("`{key}`: the environment has no variable {variable}")]
    Variable { at: Range<usize>, key: String, variable: String },
    #[error("{error}")]
    Functions { at: Range<usize>, error: HostFunctionsError },
    #[error("`{key}` is a group, not a function")]
    Group { at: Range<usize>, key: String, function: String },
}

fn within(table: &str) -> String {
    if table.is_empty() { String::new() } else { format!(" in `{table}`") }
}

impl ConfigError {
    pub(super) fn new(path: &Path, text: &str, problem: Problem) -> Self {
        Self { problem: Box::new(problem), path: path.to_owned(), text: text.to_owned() }
    }

    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match &*self.problem {
            Problem::Toml { .. } => "CONFIG_TOML",
            Problem::UnknownKey { .. } => "CONFIG_UNKNOWN_KEY",
            Problem::Value { .. } => "CONFIG_VALUE",
            Problem::Limit { error, .. } => error.code(),
            Problem::Answer { .. } => "CONFIG_ANSWER",
            Problem::File { .. } => "CONFIG_FILE",
            Problem::Variable { .. } => "CONFIG_VARIABLE",
            Problem::Functions { error, .. } => error.code(),
            Problem::Group { .. } => "CONFIG_GROUP",
        }
    }

    /// The diagnostic with the place and what to do.
    pub(crate) fn complete(&self, diagnostic: Diagnostic) -> Diagnostic {
        let file = self.path.display().to_string();
        let diagnostic = diagnostic.at(TextPlace::of_bytes(&file, &self.text, self.problem.at().clone()));
        match self.problem.hint() {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }
}

impl Problem {
    fn at(&self) -> &Range<usize> {
        match self {
            Self::Toml { at, .. }
            | Self::UnknownKey { at, .. }
            | Self::Value { at, .. }
            | Self::Limit { at, .. }
            | Self::Answer { at, .. }
            | Self::File { at, .. }
            | Self::Variable { at, .. }
            | Self::Functions { at, .. }
            | Self::Group { at, .. } => at,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownKey { key, known, .. } => Some(suggestion::hint(key, known.iter().copied())),
            Self::Limit { error, .. } => Some(error.hint()),
            Self::Answer { .. } => {
                Some("say `command = [\"./program\"]` or `http = { url = \"...\" }`, one of them".to_owned())
            }
            Self::File { .. } => Some("paths are relative to the folder of the configuration".to_owned()),
            Self::Variable { variable, .. } => Some(format!("set {variable} before the run")),
            Self::Group { function, .. } => Some(format!(
                "a function of a group has its whole name in quotes: [functions.\"{function}\"]"
            )),
            Self::Toml { .. } | Self::Value { .. } | Self::Functions { .. } => None,
        }
    }
}
