//! The corpus through the command line: each step is a process of its own.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod command_line;
mod report;

use std::process::ExitCode;

use command_line::CommandLine;
use intermission_testkit::run_corpus;

fn main() -> ExitCode {
    run_corpus("command line", command_line::offers, CommandLine::new)
}
