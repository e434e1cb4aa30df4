//! What the command line takes.

mod answers;
mod continuation;
mod run;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use self::answers::{AnswerArguments, ForCall};
pub(crate) use self::continuation::{
    ForkArguments, InspectArguments, KeepArguments, ReplayArguments, ResumeArguments, RunToLookAt,
    TrustArguments,
};
pub(crate) use self::run::{LimitArguments, OutputArguments, RunArguments};
use crate::exit::EXIT_CODES;

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
    Run(Box<RunArguments>),
    /// Goes on with a run that was put away: with answers to what it asks, or without.
    #[command(after_help = EXIT_CODES)]
    Resume(Box<ResumeArguments>),
    /// Shows what a run that was put away asks, and what it has done.
    #[command(after_help = EXIT_CODES)]
    Inspect(InspectArguments),
    /// Checks a ledger against its script, or another, without invoking anything.
    #[command(after_help = EXIT_CODES)]
    Replay(ReplayArguments),
    /// Makes another run of the beginning of a ledger.
    #[command(after_help = EXIT_CODES)]
    Fork(ForkArguments),
    /// Reads a script without running it, and says what is wrong with it.
    #[command(after_help = EXIT_CODES)]
    Check(CheckArguments),
    /// Prints TypeScript declarations of what scripts can call.
    #[command(after_help = EXIT_CODES)]
    Types(TypesArguments),
    /// Prints a JSON Schema of the configuration, for editors.
    Schema,
    /// Serves runs to models, by the Model Context Protocol: on the standard input and output, or by HTTP.
    Mcp(McpArguments),
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
pub(crate) struct McpArguments {
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
    /// Serves streamable HTTP at this address of the loopback, for example `127.0.0.1:8000`, instead of the standard input and output.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) http: Option<std::net::SocketAddr>,
    /// The database of runs. Default: `.intermission/runs.db` in the working directory.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Takes approvals from the client's tool `resume`, so mostly from the model whose script asks.
    #[arg(long)]
    pub(crate) let_client_approve: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ConfigArguments {
    /// Host functions, limits and settings. Default: `intermission.toml`, if it is there.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// A realm by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileName {
    /// What language models expect.
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
