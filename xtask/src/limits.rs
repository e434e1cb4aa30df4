//! `check-limits` and `check-durable`: build a measuring program of benches/ and run it. What it prints goes straight through.

use std::process::Command;

use crate::error::Error;
use crate::no_arguments;
use crate::repository::Repository;

pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<(), Error> {
    no_arguments(arguments)?;
    measure(repository, "check-limits")
}

pub(crate) fn run_durable(repository: &Repository, arguments: &[String]) -> Result<(), Error> {
    no_arguments(arguments)?;
    measure(repository, "check-durable")
}

fn measure(repository: &Repository, program: &str) -> Result<(), Error> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(repository.root());
    cargo.args(["run", "--quiet", "--release", "--package", "intermission-benches", "--bin", program]);
    let status = cargo.status().map_err(|source| Error::CannotStart {
        program: "cargo".to_owned(),
        remedy: "it must be on the path",
        source,
    })?;
    if status.success() { Ok(()) } else { Err(Error::Late) }
}
