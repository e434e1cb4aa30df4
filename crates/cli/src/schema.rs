//! `intermission schema`.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;

/// Prints the schema.
pub(crate) fn schema() -> Result<Exit, Failure> {
    terminal::print(&format!("{:#}", intermission_config::schema()))?;
    Ok(Exit::Completed)
}
