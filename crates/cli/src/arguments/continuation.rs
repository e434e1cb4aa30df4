//! What the commands take that deal with continuations, and with runs of the store alike.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::{
    AnswerArguments, ByArguments, ConfigArguments, LimitArguments, OutputArguments, SettingsArguments,
    StoreArguments,
};
use crate::operand::Operand;

/// Where a run goes when it is put away.
#[derive(Debug, Args)]
pub(crate) struct KeepArguments {
    /// Keeps the run as a continuation, here: a file, or `-` for the standard output. Default: the file that it came from, else `<run id>.imt`.
    #[arg(long, value_name = "FILE|-")]
    pub(crate) continuation: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) trust: TrustArguments,
    /// Asks nobody, also on a terminal: what the run asks is printed, and it is put away.
    #[arg(long)]
    pub(crate) no_ask: bool,
}

/// What is trusted besides files.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct TrustArguments {
    /// Lets a continuation out of its file without a key, and in: whoever sees it can read everything that the run was told, and whoever
    /// changes it decides what the run has done.
    #[arg(long)]
    pub(crate) unprotected: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArguments {
    /// The run: its id in the store, the beginning of it, or `latest`; or a continuation: a file, `-` for the standard input, a token (`imt1_...`).
    pub(crate) run: Operand,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) answers: AnswerArguments,
    #[command(flatten)]
    pub(crate) by: ByArguments,
    /// Makes the host call again whose rejection ended the run.
    #[arg(long)]
    pub(crate) retry: bool,
    /// Goes on with this script: it must do what the run has done so far.
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Option<PathBuf>,
    /// Remembers in this folder which answers were first: of all copies of a continuation one is gone on with, and the same answers get its result. What a process
    /// did that was killed is not remembered: the next with the same answers does it again.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) claims: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: SettingsArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) keep: KeepArguments,
}

/// The run that a command looks at, and how far it is trusted.
#[derive(Debug, Args)]
pub(crate) struct RunToLookAt {
    /// The run: its id in the store, the beginning of it, or `latest`; or a continuation: a file, `-` for the standard input, a token (`imt1_...`).
    pub(crate) run: Operand,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
    #[command(flatten)]
    pub(crate) trust: TrustArguments,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArguments {
    /// Shows every entry of the ledger as well.
    #[arg(long)]
    pub(crate) entries: bool,
    #[command(flatten)]
    pub(crate) of: RunToLookAt,
    /// Prints an object instead.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// Another script than the run's.
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) of: RunToLookAt,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// Prints an object instead.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ForkArguments {
    /// How many entries the new run has in common with the old one: `inspect --entries` numbers them.
    #[arg(long, value_name = "NUMBER", required_unless_present = "with")]
    pub(crate) at: Option<usize>,
    /// Gives a call of these entries another outcome, by its number in `show`: JSON, `@FILE` or `@-`. Without `--at` the fork is right behind it. May be repeated.
    #[arg(long, value_name = "CALL=JSON")]
    pub(crate) with: Vec<ForOutcome>,
    /// Keeps the new run as a continuation, here: a file, or `-` for the standard output. Default: where the old run is kept, in the store or in `<run id>.imt`.
    #[arg(long, value_name = "FILE|-")]
    pub(crate) continuation: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) of: RunToLookAt,
    /// Prints an object instead.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `CALL=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ForOutcome {
    /// The call's number, from 1.
    pub(crate) call: u32,
    pub(crate) value: String,
}

impl FromStr for ForOutcome {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=');
        match parts.and_then(|(call, value)| Some((call.parse().ok()?, value))) {
            Some((call, value)) => Ok(Self { call, value: value.to_owned() }),
            None => {
                Err("expected the number of a call, `=` and JSON, for example `3={\"total\": 5}`".to_owned())
            }
        }
    }
}
