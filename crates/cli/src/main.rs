//! The command line: `docs/cli.md` is its page.

mod arguments;
mod check;
mod config;
mod diagnostic;
mod exit;
mod failure;
mod functions;
mod given;
mod limits;
mod modules_folder;
mod printable;
mod run;
mod runner;
mod script;
mod source_problem;
mod suggestion;
mod terminal;
mod text_place;
mod types;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Types(arguments) => types::types(&arguments),
    };
    let exit = done.unwrap_or_else(|failure| {
        terminal::show([&failure.diagnostic()]);
        failure.exit()
    });
    exit.into()
}
