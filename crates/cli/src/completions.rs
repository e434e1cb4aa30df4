//! `intermission completions`.

use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;

/// Prints what a shell needs to complete commands.
pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "intermission", &mut script);
    terminal::print(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Exit::Completed)
}
