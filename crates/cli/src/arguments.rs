//! What the command line takes.

mod answers;
mod continuation;
mod run;
mod runs;
mod settings;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use self::answers::{AnswerArguments, ForCall};
pub(crate) use self::continuation::{
    ForOutcome, ForkArguments, InspectArguments, KeepArguments, ReplayArguments, ResumeArguments,
    RunToLookAt, TrustArguments,
};
pub(crate) use self::run::{OutputArguments, RunArguments};
pub(crate) use self::runs::{
    ByArguments, CancelArguments, DeleteArguments, DoctorArguments, EmitArguments, InboxArguments,
    RunsArguments, ShowArguments, StoreArguments, WaitArguments,
};
pub(crate) use self::settings::{LimitArguments, SettingsArguments};
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
    /// Runs a script and prints its value as JSON. The run is kept in the store: whatever happens, it can be gone on with.
    #[command(after_help = EXIT_CODES)]
    Run(Box<RunArguments>),
    /// Goes on with a run that was put away, stopped, or left by a process that died: with answers to what it asks, or without.
    #[command(after_help = EXIT_CODES)]
    Resume(Box<ResumeArguments>),
    /// Lists the runs of the store, the newest first.
    #[command(after_help = EXIT_CODES)]
    Runs(RunsArguments),
    /// Shows what a run of the store did, call by call, and who answered what.
    #[command(after_help = EXIT_CODES)]
    Show(ShowArguments),
    /// Lists what the runs of the store ask, and takes answers.
    #[command(after_help = EXIT_CODES)]
    Inbox(Box<InboxArguments>),
    /// Waits until a run of the store is over, and goes on with it when its time has come.
    #[command(after_help = EXIT_CODES)]
    Wait(WaitArguments),
    /// Emits an event that a script waits for with `waitFor`, or will.
    #[command(after_help = EXIT_CODES)]
    Emit(EmitArguments),
    /// Ends a run of the store for good.
    #[command(after_help = EXIT_CODES)]
    Cancel(CancelArguments),
    /// Deletes runs that are over, with all their data.
    #[command(after_help = EXIT_CODES)]
    Delete(DeleteArguments),
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
    /// Serves runs to models, by the Model Context Protocol: on the standard input and output, or by HTTP.
    Mcp(McpArguments),
    /// Checks the store, the configuration and what they need, and says what to do.
    #[command(after_help = EXIT_CODES)]
    Doctor(DoctorArguments),
    /// Prints a JSON Schema of the configuration, for editors.
    Schema,
    /// Prints what a shell needs to complete commands.
    Completions(CompletionsArguments),
    /// Prints the manual page, or writes all of them into a folder.
    Man(ManArguments),
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
    #[command(flatten)]
    pub(crate) store: StoreArguments,
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

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// Which shell.
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// Writes a page for each command into this folder, for example `~/.local/share/man/man1`.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
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
