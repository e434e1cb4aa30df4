//! What `intermission run` takes, and what others share with it.

use std::path::PathBuf;

use clap::Args;
use intermission_config::LimitSetting;

use super::{ConfigArguments, KeepArguments, ProfileName, StoreArguments};

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
    pub(crate) config: ConfigArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Keeps the run in this process alone: when it asks, it is put away as a continuation. `--continuation` says so too.
    #[arg(long, conflicts_with = "store")]
    pub(crate) ephemeral: bool,
    #[command(flatten)]
    pub(crate) keep: KeepArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// The seed of `Math.random` and `crypto`, so that they give the same values again.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// Fails a script that ends without having waited for its host calls.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Which globals the script has.
    #[arg(long, value_enum)]
    pub(crate) profile: Option<ProfileName>,
    /// Lets `eval` and `Function` take strings.
    #[arg(long)]
    pub(crate) allow_eval: bool,
    /// A folder whose files the script may import, and nothing outside of it.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) modules: Option<PathBuf>,
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

/// Limits, which go before those of the configuration.
#[derive(Debug, Args)]
pub(crate) struct LimitArguments {
    /// Wall-clock time, host functions included: `10s`.
    #[arg(long, value_name = "TIME", value_parser = amount_of("deadline"))]
    deadline: Option<LimitSetting>,
    /// Time that the script computes: `5s`.
    #[arg(long, value_name = "TIME", value_parser = amount_of("cpu"))]
    cpu: Option<LimitSetting>,
    /// Loops and calls of the script: the same number on every machine.
    #[arg(long, value_name = "NUMBER", value_parser = amount_of("fuel"))]
    fuel: Option<LimitSetting>,
    /// Memory of the script: `64MB`.
    #[arg(long, value_name = "SIZE", value_parser = amount_of("memory"))]
    memory: Option<LimitSetting>,
    /// Any other limit (docs/cli.md): `--limit calls=100`. May be repeated.
    #[arg(long = "limit", value_name = "NAME=VALUE")]
    others: Vec<LimitSetting>,
}

impl LimitArguments {
    /// The limits that are set, in the order in which they are.
    pub(crate) fn settings(&self) -> Vec<LimitSetting> {
        let own = [self.deadline, self.cpu, self.fuel, self.memory];
        own.into_iter().flatten().chain(self.others.iter().copied()).collect()
    }
}

/// Reads an amount of one limit.
fn amount_of(
    name: &'static str,
) -> impl Fn(&str) -> Result<LimitSetting, String> + Clone + Send + Sync + 'static {
    move |amount| format!("{name}={amount}").parse()
}
