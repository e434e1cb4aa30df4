//! The command line: `docs/cli.md` is its page.

mod answers;
mod arguments;
mod ask;
mod cancel;
mod check;
mod claims;
mod completions;
mod delete;
mod diagnostic;
mod doctor;
mod emit;
mod entries;
mod environment;
mod exit;
mod explain;
mod failure;
mod fork;
mod given;
mod going_on;
mod inbox;
mod inspect;
mod interruptions;
mod keeping;
mod looking;
mod man;
mod mcp;
mod moment;
mod operand;
mod ownership;
mod printable;
mod progress;
mod refusal;
mod replay;
mod resume;
mod run;
mod run_name;
mod runner;
mod runs;
mod runtime;
mod schema;
mod script;
mod session;
mod show;
mod signals;
mod source_problem;
mod store;
mod table;
mod terminal;
mod text_place;
mod types;
mod wait;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Resume(arguments) => resume::resume(&arguments),
        Command::Runs(arguments) => runs::runs(&arguments),
        Command::Show(arguments) => show::show(&arguments),
        Command::Inbox(arguments) => inbox::inbox(&arguments),
        Command::Wait(arguments) => wait::wait(&arguments),
        Command::Emit(arguments) => emit::emit(&arguments),
        Command::Cancel(arguments) => cancel::cancel(&arguments),
        Command::Delete(arguments) => delete::delete(&arguments),
        Command::Inspect(arguments) => inspect::inspect(&arguments),
        Command::Replay(arguments) => replay::replay(&arguments),
        Command::Fork(arguments) => fork::fork(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Types(arguments) => types::types(&arguments),
        Command::Doctor(arguments) => doctor::doctor(&arguments),
        Command::Schema => schema::schema(),
        Command::Mcp(arguments) => mcp::mcp(&arguments),
        Command::Completions(arguments) => completions::completions(&arguments),
        Command::Man(arguments) => man::man(&arguments),
    };
    let exit = done.unwrap_or_else(|failure| {
        terminal::show([&failure.diagnostic()]);
        failure.exit()
    });
    exit.into()
}
