//! The peers: built or installed under `target/peers`, where they are not yet.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::options::Options;
use super::peer::{Measured, Peer};
use crate::error::Error;
use crate::process::Step;
use crate::repository::Repository;

/// A peer that can be had.
pub(super) struct Known {
    pub(super) name: &'static str,
    what: &'static str,
    measured: Measured,
    install: fn(&Repository) -> Result<Vec<OsString>, Error>,
}

pub(super) const PEERS: &[Known] = &[
    Known {
        name: "intermission",
        what: "the library of this repository",
        measured: Measured::Everything { waiting_runs: 1000 },
        install: intermission,
    },
    Known {
        name: "intermission-replaying",
        what: "the same, as it goes on in another process: by replay",
        measured: Measured::Pauses,
        install: intermission_replaying,
    },
    Known {
        name: "modebox",
        what: "modebox-core 0.2.0",
        measured: Measured::Everything { waiting_runs: 1000 },
        install: modebox,
    },
    Known {
        name: "modebox-unmetered",
        what: "modebox-core 0.2.0, its metering off",
        measured: Measured::Everything { waiting_runs: 1000 },
        install: modebox_unmetered,
    },
    // Each run that waits keeps a thread, and that thread its own engine.
    Known {
        name: "run",
        what: "npm run 2.1.5",
        measured: Measured::Everything { waiting_runs: 50 },
        install: run,
    },
];

pub(super) struct Installed {
    pub(super) peers: Vec<Peer>,
    /// The command line tool, if it was built.
    pub(super) cli: Option<PathBuf>,
}

impl Installed {
    pub(super) fn install(repository: &Repository, options: &Options) -> Result<Self, Error> {
        let wanted = PEERS.iter().filter(|peer| options.wants(peer.name));
        let peers = wanted.map(|known| {
            println!("making {} ready: {}", known.name, known.what);
            let command = (known.install)(repository)?;
            Ok(Peer { name: known.name, command, measured: known.measured })
        });
        let peers = peers.collect::<Result<_, Error>>()?;
        let cli = options.wants("intermission").then(|| cli(repository)).transpose()?;
        Ok(Self { peers, cli })
    }
}

fn intermission(repository: &Repository) -> Result<Vec<OsString>, Error> {
    let arguments = ["--package", "intermission-benches", "--bin", "peer"];
    Ok(vec![build(repository, "peer", &arguments, "the repository must build: run ./test")?.into()])
}

fn intermission_replaying(repository: &Repository) -> Result<Vec<OsString>, Error> {
    let mut command = intermission(repository)?;
    command.push("--replaying".into());
    Ok(command)
}

fn cli(repository: &Repository) -> Result<PathBuf, Error> {
    build(
        repository,
        "intermission",
        &["--package", "intermission-cli"],
        "the repository must build: run ./test",
    )
}

fn modebox(repository: &Repository) -> Result<Vec<OsString>, Error> {
    let manifest = repository.path("benches/peers/modebox/Cargo.toml");
    let target = repository.path("target/peers/modebox");
    let (manifest, target) = (manifest.to_string_lossy(), target.to_string_lossy());
    // It asks for Rust 1.96, but does not need it.
    let arguments =
        ["--manifest-path", &manifest, "--target-dir", &target, "--locked", "--ignore-rust-version"];
    let remedy = "it needs the Rust registry and, the first time, some 20 minutes";
    Ok(vec![build(repository, "peer-modebox", &arguments, remedy)?.into()])
}

fn modebox_unmetered(repository: &Repository) -> Result<Vec<OsString>, Error> {
    let mut command = modebox(repository)?;
    command.push("--unmetered".into());
    Ok(command)
}

fn run(repository: &Repository) -> Result<Vec<OsString>, Error> {
    let (from, to) = (repository.path("benches/peers/run"), repository.path("target/peers/run"));
    std::fs::create_dir_all(&to).map_err(Error::at(&to))?;
    for file in ["package.json", "package-lock.json", "peer.mjs"] {
        std::fs::copy(from.join(file), to.join(file)).map_err(Error::at(&from.join(file)))?;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]).current_dir(&to);
    Step::start("npm ci", "it needs Node 20 or newer with npm, and the npm registry", &mut npm)?.wait()?;
    Ok(vec!["node".into(), to.join("peer.mjs").into()])
}

/// Builds a program with the release profile and gives its path.
fn build(
    repository: &Repository,
    program: &'static str,
    arguments: &[&str],
    remedy: &'static str,
) -> Result<PathBuf, Error> {
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--release", "--quiet", "--message-format", "json"])
        .args(arguments)
        .current_dir(repository.root());
    let messages = Step::start(format!("cargo build of {program}"), remedy, &mut cargo)?.wait()?.answer;
    executable(program, &String::from_utf8_lossy(&messages))
        .ok_or(Error::Peer { peer: program, problem: "cargo built it and does not say where".to_owned() })
}

/// Where cargo put a program, by its messages.
fn executable(program: &str, messages: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut built = messages.filter(|message| message["target"]["name"] == program);
    built.find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_where_cargo_says() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"peer"},"executable":null}
            {"reason":"compiler-artifact","target":{"name":"peer"},"executable":"/target/release/peer"}
            {"reason":"build-finished","success":true}"#;
        assert_eq!(executable("peer", messages), Some(PathBuf::from("/target/release/peer")));
        assert_eq!(executable("other", messages), None);
    }
}
