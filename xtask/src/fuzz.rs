//! `cargo xtask fuzz`: bytes and texts that nobody would write, for what reads bytes and texts.
//!
//! libFuzzer makes them, guided by coverage counters that the stable compiler can plant. fuzz/README.md says how to go on when it finds something.

mod build;
mod round;
mod seeds;

use std::path::Path;

use crate::error::Error;
use crate::repository::Repository;
use round::Round;
use seeds::Seed;

/// A program under `fuzz/fuzz_targets`, and what it begins with.
struct Target {
    name: &'static str,
    seeds: fn(&Repository) -> Result<Vec<Seed>, Error>,
}

const TARGETS: &[Target] = &[
    Target { name: "value_decode", seeds: seeds::values },
    Target { name: "value_json", seeds: seeds::values_and_json },
    Target { name: "source_prepare", seeds: seeds::sources },
    Target { name: "guest_decode", seeds: seeds::outcomes },
    Target { name: "token", seeds: seeds::tokens },
    Target { name: "ledger", seeds: seeds::ledgers },
    Target { name: "open_ledger", seeds: seeds::open_ledgers },
];

const DEFAULT_SECONDS: u32 = 20;

/// A target that gets through less has become so slow that it finds nothing.
const LEAST_A_MINUTE: u64 = 10_000;

pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<(), Error> {
    let seconds = seconds(arguments)?;
    println!("fuzz: building {} targets (minutes, the first time)", TARGETS.len());
    let programs = build::build(repository)?;
    let mut findings = Vec::new();
    for target in TARGETS {
        let corpus = repository.path("fuzz/corpus").join(target.name);
        seeds::plant(&corpus, &(target.seeds)(repository)?)?;
        let executions = fuzz(repository, &programs, &corpus, target.name, seconds)?;
        println!("{}: {executions} inputs in {seconds} s", target.name);
        findings.extend(too_slow(target.name, executions, seconds));
    }
    crate::report("fuzz", &findings)
}

fn fuzz(
    repository: &Repository,
    programs: &Path,
    corpus: &Path,
    name: &str,
    seconds: u32,
) -> Result<u64, Error> {
    let artifacts = repository.path("fuzz/artifacts").join(name);
    std::fs::create_dir_all(&artifacts).map_err(Error::at(&artifacts))?;
    Round { program: &programs.join(name), corpus, artifacts: &artifacts, seconds }.run()
}

/// `[--seconds N]`, for each target.
fn seconds(arguments: &[String]) -> Result<u32, Error> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(DEFAULT_SECONDS),
        ["--seconds"] => Err(Error::Seconds { given: String::new() }),
        ["--seconds", given] => match given.parse() {
            Ok(seconds) if seconds > 0 => Ok(seconds),
            _ => Err(Error::Seconds { given: given.to_owned() }),
        },
        ["--seconds", _, other, ..] | [other, ..] => {
            Err(Error::UnknownArgument { argument: other.to_owned() })
        }
    }
}

fn too_slow(target: &str, executions: u64, seconds: u32) -> Option<String> {
    let least = LEAST_A_MINUTE * u64::from(seconds) / 60;
    (executions < least).then(|| format!("{target}: {executions} inputs in {seconds} s, fewer than {least}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(arguments: &[&str]) -> Result<u32, String> {
        let arguments: Vec<_> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        seconds(&arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn a_target_runs_for_the_seconds_given_or_for_twenty() {
        assert_eq!(given(&[]), Ok(20));
        assert_eq!(given(&["--seconds", "300"]), Ok(300));
    }

    #[test]
    fn what_is_no_number_of_seconds_is_refused() {
        for wrong in ["0", "-1", "ten", ""] {
            let expected = format!("--seconds takes a number from 1 on, not `{wrong}`");
            assert_eq!(given(&["--seconds", wrong]), Err(expected));
        }
        assert_eq!(given(&["--seconds"]), Err("--seconds takes a number from 1 on, not ``".to_owned()));
        assert_eq!(given(&["--seconds", "1", "2"]), Err("unknown argument `2`".to_owned()));
    }

    #[test]
    fn ten_thousand_inputs_a_minute_are_the_least() {
        assert_eq!(too_slow("t", 10_000, 60), None);
        assert_eq!(too_slow("t", 1_666, 10), None);
        assert_eq!(too_slow("t", 1_665, 10).as_deref(), Some("t: 1665 inputs in 10 s, fewer than 1666"));
    }

    #[test]
    fn every_target_is_a_program_of_the_fuzz_package() {
        let manifest = include_str!("../../fuzz/Cargo.toml");
        let programs: Vec<_> =
            manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/")).collect();
        let expected: Vec<_> = TARGETS.iter().map(|target| format!("{}.rs\"", target.name)).collect();
        assert_eq!(programs, expected);
    }
}
