//! Why a command did not even begin what it was asked for, or could not tell.

use std::io;
use std::path::PathBuf;

use intermission::{EngineError, Interruption, ResumeError};
use intermission_config::{ConfigError, FileError, LoadError, ModulesError};
use intermission_mcp::ServeError;
use intermission_store::{RunsError, StoreError};

use crate::answers::NoSuchQuestion;
use crate::diagnostic::Diagnostic;
use crate::exit::Exit;
use crate::keeping::KeepError;
use crate::refusal;
use crate::run_name::NoSuchRun;
use crate::store::Untrusted;
use crate::text_place::TextPlace;

/// Each has a stable code.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{what} is not JSON: {error}")]
    NotJson { what: String, error: serde_json::Error },
    #[error("the standard input can be read only once, and two arguments ask for it")]
    InputTwice,
    #[error(transparent)]
    Modules(#[from] ModulesError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("{error}")]
    NotUtf8 { error: intermission::SourceError, place: TextPlace },
    #[error("the value cannot be written as JSON: {0}")]
    ValueNotJson(intermission::value::ExpandError),
    #[error("the result cannot be written: {0}")]
    Output(io::Error),
    #[error("cannot start: {0}")]
    Runtime(io::Error),
    #[error("the realm does not tell its globals: {0}")]
    Realm(String),
    #[error(transparent)]
    Keep(#[from] KeepError),
    #[error(transparent)]
    NoSuchQuestion(#[from] NoSuchQuestion),
    #[error("{}", .0.message)]
    Refused(Box<Diagnostic>),
    #[error("{0}")]
    Fork(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Runs(#[from] RunsError),
    #[error("there is no store of runs at {}", path.display())]
    NoStore { path: PathBuf },
    #[error("the store is not to be trusted: {0}")]
    StoreUntrusted(#[from] Untrusted),
    #[error(transparent)]
    NoSuchRun(#[from] NoSuchRun),
    #[error("{option} is for continuations, and {run} is a run of the store")]
    NotOfStore { option: &'static str, run: String },
    #[error("--store and --continuation are two places, and a run is kept in one")]
    TwoPlaces,
    #[error("{run} is {state}, and not cancelled{why}")]
    NotCancelled { run: String, state: &'static str, why: String },
    #[error("{error}")]
    Stopped { error: StoreError, run: String },
    #[error("left at once, and what was under way was not waited for: the run is in the store")]
    Left { exit: Exit },
    #[error("not waited for any longer: another process goes on with {run}")]
    Elsewhere { exit: Exit, run: String, option: String },
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::File(error) => Self::File(error),
            LoadError::Config(error) => Self::Config(error),
            error => Self::Realm(error.to_string()),
        }
    }
}

impl Failure {
    /// A file that cannot be read.
    pub(crate) fn unreadable(path: impl Into<PathBuf>, error: io::Error) -> Self {
        Self::File(FileError::Read { path: path.into(), error })
    }

    /// A resume that was refused, of a run that asks this.
    pub(crate) fn refused(error: &ResumeError, pending: &[Interruption]) -> Self {
        Self::Refused(Box::new(refusal::explain(error, pending)))
    }

    /// The stable code.
    fn code(&self) -> &str {
        match self {
            Self::File(error) => error.code(),
            Self::NotJson { .. } => "NOT_JSON",
            Self::InputTwice => "INPUT_TWICE",
            Self::Modules(error) => error.code(),
            Self::Config(error) => error.code(),
            Self::NotUtf8 { error, .. } => error.code(),
            Self::ValueNotJson(_) => "VALUE_NOT_JSON",
            Self::Output(_) => "OUTPUT_UNWRITABLE",
            Self::Runtime(_) => "RUNTIME",
            Self::Realm(_) => "REALM",
            Self::Keep(error) => error.code(),
            Self::NoSuchQuestion(error) => error.code(),
            Self::Refused(diagnostic) => &diagnostic.code,
            Self::Fork(_) => "FORK_REFUSED",
            Self::Store(error) | Self::Stopped { error, .. } => error.code(),
            Self::Runs(error) => error.code(),
            Self::NoStore { .. } => "NO_STORE",
            Self::StoreUntrusted(_) => "STORE_UNTRUSTED",
            Self::NoSuchRun(error) => error.code(),
            Self::NotOfStore { .. } | Self::TwoPlaces => "NOT_OF_STORE",
            Self::NotCancelled { .. } => "RUN_NOT_CANCELLED",
            Self::Left { .. } | Self::Elsewhere { .. } => "ABORTED",
            Self::Serve(error) => error.code(),
            Self::Engine(_) => "ENGINE",
        }
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::NotUtf8 { .. } => Exit::NoScript,
            Self::ValueNotJson(_) => Exit::Failed,
            Self::Runtime(_) | Self::Realm(_) | Self::Engine(_) => Exit::Fault,
            Self::Left { exit } | Self::Elsewhere { exit, .. } => *exit,
            _ => Exit::Usage,
        }
    }

    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.code(), self.to_string());
        match self {
            Self::Config(error) => {
                let file = error.path().display().to_string();
                let diagnostic = diagnostic.at(TextPlace::of_bytes(&file, error.text(), error.at()));
                match error.hint() {
                    Some(hint) => diagnostic.hint(hint),
                    None => diagnostic,
                }
            }
            Self::NotJson { .. } => diagnostic
                .hint("JSON has double quotes, around keys too: {\"name\": \"x\"}; a file is `@file`"),
            Self::NotUtf8 { place, .. } => diagnostic.at(place.clone()).hint("save the script as UTF-8"),
            Self::Refused(refusal) => (**refusal).clone(),
            Self::NoSuchQuestion(error) => diagnostic.hint(error.hint()),
            Self::Keep(error) => match error.hint() {
                Some(hint) => diagnostic.hint(hint),
                None => diagnostic,
            },
            Self::NoStore { .. } => diagnostic.hint(
                "`intermission run` makes one in the working directory; another is named with `--store`",
            ),
            Self::StoreUntrusted(error) => match error.hint() {
                Some(hint) => diagnostic.hint(hint),
                None => diagnostic,
            },
            Self::NoSuchRun(error) => diagnostic.hint(error.hint()),
            Self::NotOfStore { .. } => diagnostic.hint("leave it out, or give the file of a continuation"),
            Self::TwoPlaces => diagnostic.hint("leave one of them out"),
            Self::NotCancelled { state: "failed", .. } => diagnostic.hint(
                "where it needs its configuration for that, give it with `--config`; it can still be gone on with",
            ),
            Self::NotCancelled { .. } => diagnostic.hint("`intermission show` tells why"),
            Self::Stopped { run, .. } => diagnostic.hint(format!(
                "what happened until then is kept: `intermission resume {run}` goes on when the store can be written"
            )),
            Self::Elsewhere { run, option, .. } => diagnostic.hint(format!(
                "`intermission wait {run}{option}` waits for it again, `intermission cancel {run}{option}` ends it for good"
            )),
            Self::Left { .. } => diagnostic.hint("`intermission resume RUN` goes on with it"),
            Self::Store(error) | Self::Runs(RunsError::Store(error)) => {
                diagnostic_of_store(diagnostic, error)
            }
            Self::Runs(error) => match refusal::of_runs(error) {
                Some(hint) => diagnostic.hint(hint),
                None => diagnostic,
            },
            Self::Fork(_) => diagnostic.hint("`intermission inspect --entries` numbers the entries"),
            Self::ValueNotJson(_) => diagnostic.hint("return plain data: no object may contain itself"),
            _ => diagnostic,
        }
    }
}

/// The error's own text says what to do; but where no store can be made, there is a way without.
fn diagnostic_of_store(diagnostic: Diagnostic, error: &StoreError) -> Diagnostic {
    match error {
        StoreError::Unreachable { .. } | StoreError::ReadOnly { .. } => diagnostic
            .hint("name another place with `--store FILE`; `run --ephemeral` keeps no run in a store"),
        _ => diagnostic,
    }
}
