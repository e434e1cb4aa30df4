//! What the commands take that deal with the runs of the store.

use std::path::PathBuf;

use clap::Args;
use intermission_store::RunState;

use super::{AnswerArguments, ConfigArguments, OutputArguments, SettingsArguments};
use crate::environment::variable;
use crate::run_name::RunName;

/// Where runs are kept.
#[derive(Clone, Debug, Args)]
pub(crate) struct StoreArguments {
    /// The database of runs. Default: `.intermission/runs.db` in the working directory.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// Who does something that others will want to know.
#[derive(Clone, Debug, Args)]
pub(crate) struct ByArguments {
    /// Who answers, for a run of the store. Default: the user's name.
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
}

impl ByArguments {
    /// The name, where there is one.
    pub(crate) fn name(&self) -> Option<String> {
        self.by
            .clone()
            .or_else(|| ["USER", "LOGNAME"].into_iter().find_map(variable))
            .filter(|name| !name.is_empty())
    }
}

/// A run of the store.
#[derive(Clone, Debug, Args)]
pub(crate) struct StoredRunArguments {
    /// The run: its id, the beginning of it, or `latest`.
    pub(crate) run: RunName,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
}

#[derive(Debug, Args)]
pub(crate) struct WaitArguments {
    /// The run: its id, the beginning of it, or `latest`.
    pub(crate) run: RunName,
    /// Until it asks, too.
    #[arg(long)]
    pub(crate) asks: bool,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) settings: SettingsArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RunsArguments {
    /// Only runs in this state: `ready`, `running`, `waiting`, `completed`, `failed`, `cancelled`. May be repeated.
    #[arg(long, value_name = "STATE", value_parser = state)]
    pub(crate) state: Vec<&'static str>,
    /// At most so many, the newest first.
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Prints an array of objects instead.
    #[arg(long)]
    pub(crate) json: bool,
}

fn state(text: &str) -> Result<&'static str, String> {
    RunState::named(text).ok_or_else(|| format!("there are: {}", RunState::NAMES.join(", ")))
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    pub(crate) of: StoredRunArguments,
    /// Shows arguments and outcomes in full.
    #[arg(long)]
    pub(crate) full: bool,
    /// Prints an object instead.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InboxArguments {
    /// Only what this run asks.
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<RunName>,
    #[command(flatten)]
    pub(crate) answers: AnswerArguments,
    #[command(flatten)]
    pub(crate) by: ByArguments,
    /// Lists the waits for events as well, which `emit` ends.
    #[arg(long)]
    pub(crate) events: bool,
    /// At most so many, the oldest first.
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    pub(crate) limit: usize,
    /// Asks nobody, also on a terminal: what is asked is listed.
    #[arg(long)]
    pub(crate) no_ask: bool,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
    /// Prints an array of objects instead.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EmitArguments {
    /// The run: its id, the beginning of it, or `latest`.
    pub(crate) run: RunName,
    /// What the script waits for.
    pub(crate) key: String,
    /// The event's value: JSON, a file of it (`@file`) or the standard input (`@-`).
    #[arg(value_name = "JSON|@FILE|@-")]
    pub(crate) value: String,
    #[command(flatten)]
    pub(crate) by: ByArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
}

#[derive(Debug, Args)]
pub(crate) struct CancelArguments {
    #[command(flatten)]
    pub(crate) of: StoredRunArguments,
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
}

#[derive(Debug, Args)]
pub(crate) struct DeleteArguments {
    /// The runs: their ids, or the beginnings of them.
    #[arg(required_unless_present = "over_for")]
    pub(crate) runs: Vec<RunName>,
    /// Every run that has been over for so long: `30d`.
    #[arg(long, value_name = "TIME", conflicts_with = "runs", value_parser = humantime::parse_duration)]
    pub(crate) over_for: Option<std::time::Duration>,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
    /// Prints an array of objects instead.
    #[arg(long)]
    pub(crate) json: bool,
}
