//! The project's own chores: `cargo xtask <chore>`; `cargo xtask help` lists them.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool talks to its user")]

mod error;
mod guest;
mod process;
mod repository;

use std::path::Path;
use std::process::ExitCode;

use error::Error;
use repository::Repository;

struct Chore {
    name: &'static str,
    does: &'static str,
    run: fn(&Repository, &[String]) -> Result<(), Error>,
}

const CHORES: &[Chore] = &[
    Chore {
        name: "guest",
        does: "builds guest/guest.wasm, if its sources changed; --check builds twice and compares",
        run: guest::run,
    },
    Chore { name: "help", does: "this list", run: help },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, rest) =
        arguments.split_first().map_or(("help", &[][..]), |(name, rest)| (name.as_str(), rest));
    match perform(name, rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask {name}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn perform(name: &str, arguments: &[String]) -> Result<(), Error> {
    let chore = CHORES
        .iter()
        .find(|chore| chore.name == name)
        .ok_or_else(|| Error::UnknownChore { name: name.to_owned() })?;
    let here = Path::new(".").canonicalize().map_err(Error::at(Path::new(".")))?;
    (chore.run)(&Repository::around(&here)?, arguments)
}

fn help(_: &Repository, arguments: &[String]) -> Result<(), Error> {
    no_arguments(arguments)?;
    println!("cargo xtask <chore>\n");
    for chore in CHORES {
        println!("  {:14}{}", chore.name, chore.does);
    }
    Ok(())
}

/// Most chores take none.
fn no_arguments(arguments: &[String]) -> Result<(), Error> {
    match arguments.first() {
        None => Ok(()),
        Some(argument) => Err(Error::UnknownArgument { argument: argument.clone() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chore_that_does_not_exist_is_refused_by_name() {
        let error = perform("gest", &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no chore `gest`; `cargo xtask help` lists those that there are"
        );
    }

    #[test]
    fn an_argument_that_a_chore_does_not_know_is_refused_by_name() {
        for chore in CHORES {
            let error = perform(chore.name, &["--chekc".to_owned()]).unwrap_err();
            assert_eq!(error.to_string(), "unknown argument `--chekc`", "{}", chore.name);
        }
    }
}
