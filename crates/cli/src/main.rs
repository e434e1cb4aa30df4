//! The command line: `docs/cli.md` is its page.

mod answers;
mod arguments;
mod ask;
mod check;
mod claims;
mod diagnostic;
mod entries;
mod exit;
mod explain;
mod failure;
mod fork;
mod given;
mod inspect;
mod interruptions;
mod keeping;
mod mcp;
mod moment;
mod operand;
mod printable;
mod refusal;
mod replay;
mod resume;
mod run;
mod runner;
mod schema;
mod script;
mod session;
mod signals;
mod source_problem;
mod terminal;
mod text_place;
mod types;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Resume(arguments) => resume::resume(&arguments),
        Command::Inspect(arguments) => inspect::inspect(&arguments),
        Command::Replay(arguments) => replay::replay(&arguments),
        Command::Fork(arguments) => fork::fork(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Types(arguments) => types::types(&arguments),
        Command::Schema => schema::schema(),
        Command::Mcp(arguments) => mcp::mcp(&arguments),
    };
    let exit = done.unwrap_or_else(|failure| {
        terminal::show([&failure.diagnostic()]);
        failure.exit()
    });
    exit.into()
}
