//! What can be wrong with a configuration.

use std::ops::Range;
use std::path::{Path, PathBuf};

use intermission::HostFunctionsError;

use crate::files::FileError;
use crate::limits::LimitError;
use crate::suggestion;

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Its file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not in order.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl LoadError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::File(error) => error.code(),
            Self::Config(error) => error.code(),
        }
    }
}

/// A problem of a configuration, with the place.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct ConfigError {
    problem: Box<Problem>,
    file: Source,
}

/// The file and what is in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: std::sync::Arc<str>,
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
    #[error("the MCP server `{server}` has {what}")]
    Transport { at: Range<usize>, server: String, what: &'static str },
    #[error("`{key}`: cannot read {}: {problem}", path.display())]
    File { at: Range<usize>, key: String, path: PathBuf, problem: String },
    #[error("`{key}`: the environment has no variable {variable}")]
    Variable { at: Range<usize>, key: String, variable: String },
    #[error("{error}")]
    Functions { at: Range<usize>, error: HostFunctionsError, of_server: bool },
    #[error("`{key}` is a group, not a function")]
    Group { at: Range<usize>, key: String, function: String },
    #[error("the MCP server `{server}` {problem}")]
    Server { at: Range<usize>, server: String, problem: String },
    #[error("the MCP server `{server}` has no tool `{tool}`")]
    Tool { at: Range<usize>, server: String, tool: String, known: Vec<String> },
    #[error("the tools `{one}` and `{other}` of the MCP server `{server}` would both be `{function}`")]
    Clash { at: Range<usize>, server: String, one: String, other: String, function: String },
    #[error("`{key}`: {problem}")]
    Rule { at: Range<usize>, key: String, problem: String, hint: Option<String> },
}

fn within(table: &str) -> String {
    if table.is_empty() { String::new() } else { format!(" in `{table}`") }
}

impl ConfigError {
    pub(crate) fn new(source: &Source, problem: Problem) -> Self {
        Self { problem: Box::new(problem), file: source.clone() }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match &*self.problem {
            Problem::Toml { .. } => "CONFIG_TOML",
            Problem::UnknownKey { .. } => "CONFIG_UNKNOWN_KEY",
            Problem::Value { .. } => "CONFIG_VALUE",
            Problem::Limit { error, .. } => error.code(),
            Problem::Answer { .. } | Problem::Transport { .. } => "CONFIG_ANSWER",
            Problem::File { .. } => "CONFIG_FILE",
            Problem::Variable { .. } => "CONFIG_VARIABLE",
            Problem::Functions { error, .. } => error.code(),
            Problem::Group { .. } => "CONFIG_GROUP",
            Problem::Server { .. } => "CONFIG_SERVER",
            Problem::Tool { .. } => "CONFIG_TOOL",
            Problem::Clash { .. } => "CONFIG_CLASH",
            Problem::Rule { .. } => "CONFIG_POLICY",
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// What is in it.
    pub fn text(&self) -> &str {
        &self.file.text
    }

    /// Which bytes of the text are to blame.
    pub fn at(&self) -> Range<usize> {
        self.problem.at().clone()
    }

    /// What to do.
    pub fn hint(&self) -> Option<String> {
        self.problem.hint()
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
            | Self::Transport { at, .. }
            | Self::File { at, .. }
            | Self::Variable { at, .. }
            | Self::Functions { at, .. }
            | Self::Group { at, .. }
            | Self::Server { at, .. }
            | Self::Tool { at, .. }
            | Self::Clash { at, .. }
            | Self::Rule { at, .. } => at,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownKey { key, known, .. } => Some(suggestion::hint(key, known.iter().copied())),
            Self::Limit { error, .. } => Some(error.hint()),
            Self::Answer { .. } => {
                Some("say `command = [\"./program\"]` or `http = { url = \"...\" }`, one of them".to_owned())
            }
            Self::Transport { .. } => {
                Some("say `command = [\"./server\"]` or `url = \"https://...\"`, one of them".to_owned())
            }
            Self::File { .. } => Some("paths are relative to the folder of the configuration".to_owned()),
            Self::Variable { variable, .. } => Some(format!("set {variable} before the run")),
            Self::Group { function, .. } => Some(format!(
                "a function of a group has its whole name in quotes: [functions.\"{function}\"]"
            )),
            Self::Tool { tool, known, .. } => Some(suggestion::hint(tool, known.iter().map(String::as_str))),
            Self::Clash { server, other, .. } => Some(format!(
                "give one of them another name: [mcp.{server}.tools.\"{other}\"] name = \"...\""
            )),
            Self::Server { .. } => Some("see whether it works by itself, or leave the server out".to_owned()),
            Self::Rule { hint, .. } => hint.clone(),
            Self::Functions { of_server: true, error, .. } => Some(hint_for_tool(error).to_owned()),
            Self::Toml { .. } | Self::Value { .. } | Self::Functions { .. } => None,
        }
    }
}

/// What to do about a function of an MCP server, of which only names can be changed here.
const fn hint_for_tool(error: &HostFunctionsError) -> &'static str {
    match error {
        HostFunctionsError::Name { .. } | HostFunctionsError::Reserved { .. } => {
            "the server's name is the group of its functions: call it otherwise, [mcp.NAME]"
        }
        HostFunctionsError::Duplicate { .. } => {
            "call the server otherwise: its name is the group of its functions"
        }
        _ => "leave the tool out: `lend` says which tools are lent",
    }
}
