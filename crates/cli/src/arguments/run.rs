//! What `intermission run` takes, and what others share with it.

use std::path::PathBuf;

use clap::Args;

use super::{KeepArguments, ProfileName, SettingsArguments, StoreArguments};

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// A file with JavaScript or TypeScript; `-` is the standard input.
    pub(crate) script: PathBuf,
    /// The global `input`: JSON, a file of it (`@file`) or the standard input (`@-`).
    #[arg(long, value_name = "JSON|@FILE|@-")]
    pub(crate) input: Option<String>,
    /// The global `data`, given as `--input` is. Its final state is part of `--report`.
    #[arg(long, value_name = "JSON|@FILE|@-")]
    pub(crate) data: Option<String>,
    #[command(flatten)]
    pub(crate) settings: SettingsArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Keeps the run in this process alone: when it asks, it is put away as a continuation. `--continuation` says so too.
    #[arg(long, conflicts_with = "store")]
    pub(crate) ephemeral: bool,
    #[command(flatten)]
    pub(crate) keep: KeepArguments,
    /// The seed of `Math.random` and `crypto`, so that they give the same values again.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// Which globals the script has.
    #[arg(long, value_enum)]
    pub(crate) profile: Option<ProfileName>,
    /// Lets `eval` and `Function` take strings.
    #[arg(long)]
    pub(crate) allow_eval: bool,
}

impl RunArguments {
    /// Whether the run is no durable one.
    pub(crate) fn is_ephemeral(&self) -> bool {
        self.ephemeral || self.keep.continuation.is_some()
    }
}

/// How the result is printed.
#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// Prints an object instead: the value or the error, the final `data`, the console, what the run used.
    #[arg(long)]
    pub(crate) report: bool,
    /// Prints a value that is a string as it is, without quotes.
    #[arg(long, conflicts_with = "report")]
    pub(crate) raw: bool,
}
