//! The targets, built with coverage counters.

use std::path::PathBuf;
use std::process::Command;

use super::Target;
use crate::error::Error;
use crate::process::Step;
use crate::repository::Repository;

/// What `cargo fuzz --sanitizer none` asks of the compiler, too: counters for libFuzzer at every edge, and the operands of comparisons.
/// Stable compilers take these; only sanitizers want a nightly one, and safe code has little use for them.
const FLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
    "--cfg=fuzzing",
    "-Ccodegen-units=16",
];

/// Builds targets, with the features of the fuzz package that they want; the folder in which they are.
pub(super) fn build(repository: &Repository, targets: &[&Target]) -> Result<PathBuf, Error> {
    let machine = this_machine()?;
    let folder = repository.path("fuzz/target");
    let mut command = Command::new("cargo");
    command
        .args(["build", "--release", "--manifest-path"])
        .arg(repository.path("fuzz/Cargo.toml"))
        .arg("--target-dir")
        .arg(&folder)
        // Named, so that build scripts and what they use are built without counters.
        .args(["--target", &machine])
        .args(targets.iter().flat_map(|target| ["--bin", target.name]))
        .args(targets.iter().filter_map(|target| target.feature).flat_map(|feature| ["--features", feature]))
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\x1f"));
    Step::start("building the fuzz targets", "mend what the compiler says", &mut command)?.wait()?;
    Ok(folder.join(machine).join("release"))
}

fn this_machine() -> Result<String, Error> {
    let mut command = Command::new("rustc");
    let output = Step::start("rustc", "install Rust", command.args(["--print", "host-tuple"]))?.wait()?;
    Ok(String::from_utf8_lossy(&output.answer).trim().to_owned())
}
