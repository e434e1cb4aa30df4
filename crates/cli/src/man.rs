//! `intermission man`.

use clap::CommandFactory;
use clap_mangen::Man;

use crate::arguments::{Arguments, ManArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;

/// Prints the manual page of the whole, or writes one for each command.
pub(crate) fn man(arguments: &ManArguments) -> Result<Exit, Failure> {
    if let Some(folder) = &arguments.folder {
        std::fs::create_dir_all(folder).map_err(|error| Failure::unreadable(folder, error))?;
        clap_mangen::generate_to(Arguments::command(), folder).map_err(Failure::Output)?;
        return Ok(Exit::Completed);
    }
    let mut page = Vec::new();
    Man::new(Arguments::command()).render(&mut page).map_err(Failure::Output)?;
    terminal::print(String::from_utf8_lossy(&page).trim_end())?;
    Ok(Exit::Completed)
}
