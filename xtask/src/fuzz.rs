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
    /// Of the fuzz package, where it wants one.
    feature: Option<&'static str>,
    seeds: fn(&Repository) -> Result<Vec<Seed>, Error>,
}

const TARGETS: &[Target] = &[
    Target { name: "value_decode", feature: None, seeds: seeds::values },
    Target { name: "value_json", feature: None, seeds: seeds::values_and_json },
    Target { name: "source_prepare", feature: Some("source"), seeds: seeds::sources },
    Target { name: "guest_decode", feature: Some("guest"), seeds: seeds::outcomes },
    Target { name: "token", feature: None, seeds: seeds::tokens },
    Target { name: "ledger", feature: None, seeds: seeds::ledgers },
    Target { name: "open_ledger", feature: None, seeds: seeds::open_ledgers },
];

const DEFAULT_SECONDS: u32 = 20;

/// A target that gets through less has become so slow that it finds nothing.
const LEAST_A_MINUTE: u64 = 10_000;

pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<(), Error> {
    let Options { seconds, targets } = Options::parse(arguments)?;
    println!("fuzz: building {} targets (minutes, the first time)", targets.len());
    let programs = build::build(repository, &targets)?;
    let mut findings = Vec::new();
    for target in targets {
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

/// What is asked for.
struct Options {
    /// For each target.
    seconds: u32,
    targets: Vec<&'static Target>,
}

impl Options {
    /// `[--seconds N] [--only a,b]`.
    fn parse(arguments: &[String]) -> Result<Self, Error> {
        let mut options = Self { seconds: DEFAULT_SECONDS, targets: TARGETS.iter().collect() };
        let mut words = arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let given = words.next().unwrap_or_default();
            match word {
                "--seconds" => match given.parse() {
                    Ok(seconds) if seconds > 0 => options.seconds = seconds,
                    _ => return Err(Error::Seconds { given: given.to_owned() }),
                },
                "--only" => {
                    let find = |name| TARGETS.iter().find(|target| target.name == name);
                    let unknown = |name: &str| Error::UnknownArgument { argument: name.to_owned() };
                    let named = given.split(',').map(|name| find(name).ok_or_else(|| unknown(name)));
                    options.targets = named.collect::<Result<_, _>>()?;
                }
                other => return Err(Error::UnknownArgument { argument: other.to_owned() }),
            }
        }
        Ok(options)
    }
}

fn too_slow(target: &str, executions: u64, seconds: u32) -> Option<String> {
    let least = LEAST_A_MINUTE * u64::from(seconds) / 60;
    (executions < least).then(|| format!("{target}: {executions} inputs in {seconds} s, fewer than {least}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(arguments: &[&str]) -> Result<Options, String> {
        let arguments: Vec<_> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Options::parse(&arguments).map_err(|error| error.to_string())
    }

    fn given(arguments: &[&str]) -> Result<u32, String> {
        options(arguments).map(|options| options.seconds)
    }

    #[test]
    fn all_targets_run_or_those_that_are_named() {
        let names = |arguments: &[&str]| -> Result<Vec<&str>, String> {
            Ok(options(arguments)?.targets.iter().map(|target| target.name).collect())
        };
        assert_eq!(names(&[]).unwrap().len(), TARGETS.len());
        assert_eq!(names(&["--only", "token,ledger", "--seconds", "5"]).unwrap(), ["token", "ledger"]);
        assert_eq!(names(&["--only", "tokens"]), Err("unknown argument `tokens`".to_owned()));
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
        assert_eq!(given(&["--only"]), Err("unknown argument ``".to_owned()));
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
