//! `intermission types`.

use intermission_config::{Config, Purpose};

use crate::arguments::TypesArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;

/// Prints the declarations.
pub(crate) fn types(arguments: &TypesArguments) -> Result<Exit, Failure> {
    let config = Config::load(arguments.config.config.as_deref())?;
    let declarations = config.lend(Purpose::Look)?.host_functions().types();
    terminal::print(declarations.trim_end())?;
    Ok(Exit::Completed)
}
