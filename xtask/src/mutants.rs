//! `cargo xtask mutants`: the laws' own test. The product is built with faults on purpose, and the laws must find each of them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::process::Step;
use crate::repository::Repository;

/// As `crates/ledger/src/fault.rs` names them.
const FAULTS: &[&str] = &[
    "settle-in-call-order",
    "swap-resolutions",
    "invoke-recorded",
    "invoke-before-frontier",
    "drop-paused",
    "clock-goes-back",
    "finally-at-pause",
    "reuse-interruption-id",
    "forget-edit",
    "skip-argument-check",
    "drain-new-calls",
    "accept-stale",
];

/// What the test is called.
const TEST: &str = "the_laws_hold_of_generated_programs";

pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<(), Error> {
    crate::no_arguments(arguments)?;
    println!("mutants: building the laws with faults");
    let laws = build(repository)?;
    let mut findings = Vec::new();
    println!("{:<24}{:>12}  law", "fault", "cases");
    for fault in FAULTS {
        match verdict(&answer(&laws, Some(fault))?) {
            Verdict::Broken { law, cases } => println!("{fault:<24}{cases:>12}  {law}"),
            Verdict::Holds => findings.push(format!("{fault}: not found")),
            Verdict::Unclear(said) => {
                findings.push(format!("{fault}: the test ended without a verdict\n{said}"));
            }
        }
    }
    match verdict(&answer(&laws, None)?) {
        Verdict::Holds => println!("{:<24}{:>12}  -", "none", "all"),
        Verdict::Broken { .. } | Verdict::Unclear(_) => {
            findings.push(format!(
                "without a fault the laws do not hold: cargo test -p intermission --test laws {TEST}"
            ));
        }
    }
    crate::report("mutants", &findings)
}

/// Builds the laws and says where the program is.
fn build(repository: &Repository) -> Result<PathBuf, Error> {
    let mut command = Command::new("cargo");
    command.current_dir(repository.root());
    command.args(["test", "--package", "intermission", "--features", "faults", "--test", "laws"]);
    command.args(["--no-run", "--message-format", "json"]);
    let output = Step::start("building the laws", "see below", &mut command)?.wait()?;
    executable(&String::from_utf8_lossy(&output.answer))
        .ok_or(Error::Missing { path: PathBuf::from("the laws' program"), remedy: "cargo named none" })
}

/// The program of the test in what cargo says, line by line in JSON.
fn executable(said: &str) -> Option<PathBuf> {
    said.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()).find_map(|message| {
        let is_laws = message["target"]["name"] == "laws";
        message["executable"].as_str().filter(|_| is_laws).map(PathBuf::from)
    })
}

/// Runs the laws, and what they said.
fn answer(laws: &Path, fault: Option<&str>) -> Result<String, Error> {
    let mut command = Command::new(laws);
    command.args([TEST, "--exact", "--nocapture"]);
    if let Some(fault) = fault {
        command.env("INTERMISSION_LAWS_FAULT", fault);
    }
    let output = command.output().map_err(Error::at(laws))?;
    let texts = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    Ok(texts.concat())
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Holds,
    Broken { law: u8, cases: u32 },
    Unclear(String),
}

fn verdict(said: &str) -> Verdict {
    let broken = said.lines().find_map(|line| {
        let (law, cases) = line.strip_prefix("BROKEN law=")?.split_once(" cases=")?;
        Some(Verdict::Broken { law: law.parse().ok()?, cases: cases.trim().parse().ok()? })
    });
    match broken {
        Some(broken) => broken,
        None if said.contains("1 passed; 0 failed") => Verdict::Holds,
        None => Verdict::Unclear(said.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_that_there_is_is_tried() {
        let source = include_str!("../../crates/ledger/src/fault.rs");
        let names: Vec<_> =
            source.lines().filter_map(|line| line.split_once("=> \"")?.1.strip_suffix("\",")).collect();
        assert_eq!(names, FAULTS);
    }

    #[test]
    fn a_test_that_ends_otherwise_is_no_verdict() {
        assert_eq!(verdict("test result: ok. 1 passed; 0 failed; 0 ignored"), Verdict::Holds);
        assert_eq!(verdict("x\nBROKEN law=4 cases=17\n"), Verdict::Broken { law: 4, cases: 17 });
        assert_eq!(verdict("killed"), Verdict::Unclear("killed".to_owned()));
        assert_eq!(verdict("0 passed; 0 failed"), Verdict::Unclear("0 passed; 0 failed".to_owned()));
    }

    #[test]
    fn the_program_is_the_one_of_the_laws() {
        let said = "{\"target\":{\"name\":\"intermission\"},\"executable\":null}\n{\"target\":{\"name\":\"laws\"},\"executable\":\"/t/laws-1\"}\n";
        assert_eq!(executable(said), Some(PathBuf::from("/t/laws-1")));
        assert_eq!(executable("no JSON"), None);
    }
}
