//! The project's own chores: `cargo xtask <chore>`; `cargo xtask help` lists them.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool talks to its user")]

mod arrows;
mod bench_peers;
mod docs;
mod error;
mod fuzz;
mod guest;
mod limits;
mod mutants;
mod process;
mod repository;
mod sizes;

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
    Chore { name: "check-arrows", does: "which crate may depend on which", run: arrows::run },
    Chore { name: "check-docs", does: "paths and links in the Markdown lead somewhere", run: docs::run },
    Chore { name: "check-sizes", does: "source files stay small", run: sizes::run },
    Chore {
        name: "check-limits",
        does: "how late limits of time are, by the clock: twenty rounds of each script",
        run: limits::run,
    },
    Chore {
        name: "check-durable",
        does: "what a store costs: durable calls beside bare commits, and lists of 10,000 runs",
        run: limits::run_durable,
    },
    Chore {
        name: "fuzz",
        does: "inputs that nobody would write, 20 s a target; --seconds N; --only target,target",
        run: fuzz::run,
    },
    Chore {
        name: "mutants",
        does: "faults on purpose, each of which the laws must find (minutes)",
        run: mutants::run,
    },
    Chore {
        name: "bench-peers",
        does: "measures beside other sandboxes (half an hour and more); --only peer,peer; --rounds N",
        run: bench_peers::run,
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

/// Prints what a check found; fails when it found something.
fn report(checked: &str, findings: &[String]) -> Result<(), Error> {
    for finding in findings {
        println!("{finding}");
    }
    if findings.is_empty() {
        println!("{checked}: ok");
        Ok(())
    } else {
        Err(Error::Findings { count: findings.len() })
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

    #[test]
    fn findings_make_a_check_fail() {
        assert!(report("sizes", &[]).is_ok());
        let error = report("sizes", &["a.rs: too long".to_owned()]).unwrap_err();
        assert_eq!(error.to_string(), "1 finding(s), listed above");
    }
}
