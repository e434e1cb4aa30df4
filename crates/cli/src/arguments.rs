//! What the command line takes.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::exit::EXIT_CODES;
use crate::limits::LimitSetting;

/// Runs scripts that can do nothing but compute and call the functions that they are lent.
#[derive(Debug, Parser)]
#[command(name = "intermission", version, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Runs a script and prints its value as JSON.
    #[command(after_help = EXIT_CODES)]
    Run(RunArguments),
    /// Reads a script without running it, and says what is wrong with it.
    #[command(after_help = EXIT_CODES)]
    Check(CheckArguments),
    /// Prints TypeScript declarations of what scripts can call.
    #[command(after_help = EXIT_CODES)]
    Types(TypesArguments),
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
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
    /// Prints an object instead: the value or the error, the final `data`, the console, what the run used.
    #[arg(long)]
    pub(crate) report: bool,
    /// Prints a value that is a string as it is, without quotes.
    #[arg(long, conflicts_with = "report")]
    pub(crate) raw: bool,
    /// Wall-clock time of the run, host functions included: `10s`.
    #[arg(long, value_name = "TIME", value_parser = amount_of("deadline"))]
    pub(crate) deadline: Option<LimitSetting>,
    /// Time that the script computes: `5s`.
    #[arg(long, value_name = "TIME", value_parser = amount_of("cpu"))]
    pub(crate) cpu: Option<LimitSetting>,
    /// Loops and calls of the script: the same number on every machine.
    #[arg(long, value_name = "NUMBER", value_parser = amount_of("fuel"))]
    pub(crate) fuel: Option<LimitSetting>,
    /// Memory of the script: `64MB`.
    #[arg(long, value_name = "SIZE", value_parser = amount_of("memory"))]
    pub(crate) memory: Option<LimitSetting>,
    /// Any other limit (docs/cli.md): `--limit calls=100`. May be repeated.
    #[arg(long = "limit", value_name = "NAME=VALUE")]
    pub(crate) limits: Vec<LimitSetting>,
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
    /// The limits that are set, in the order in which they are.
    pub(crate) fn limits(&self) -> Vec<LimitSetting> {
        let own = [self.deadline, self.cpu, self.fuel, self.memory];
        own.into_iter().flatten().chain(self.limits.iter().copied()).collect()
    }
}

/// Reads an amount of one limit.
fn amount_of(
    name: &'static str,
) -> impl Fn(&str) -> Result<LimitSetting, String> + Clone + Send + Sync + 'static {
    move |amount| format!("{name}={amount}").parse()
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// A file with JavaScript or TypeScript; `-` is the standard input.
    pub(crate) script: PathBuf,
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
    /// Prints the findings as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TypesArguments {
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ConfigArguments {
    /// Host functions, limits and settings. Default: `intermission.toml`, if it is there.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// A realm by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ProfileName {
    /// What language models expect.
    #[default]
    Full,
    /// ECMAScript and `console`.
    Bare,
}

impl From<ProfileName> for intermission::Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Full => Self::Full,
            ProfileName::Bare => Self::Bare,
        }
    }
}
