//! `intermission types`.

use crate::arguments::TypesArguments;
use crate::config::{Config, Purpose};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{runner, terminal};

/// Prints the declarations.
pub(crate) fn types(arguments: &TypesArguments) -> Result<Exit, Failure> {
    let config = Config::load(arguments.config.config.as_deref(), Purpose::Look)?;
    let declarations = runner::builder(&config)?.build()?.types();
    terminal::print(declarations.trim_end())?;
    Ok(Exit::Completed)
}
