//! Why a chore failed: the first line says what to do about it, a tool's own output follows.

use std::io;
use std::path::{Path, PathBuf};

use crate::guest::module::Flaw;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("there is no chore `{name}`; `cargo xtask help` lists those that there are")]
    UnknownChore { name: String },
    #[error("unknown argument `{argument}`")]
    UnknownArgument { argument: String },
    #[error("{} is not in a clone of this repository; start the chore in one", folder.display())]
    OutsideRepository { folder: PathBuf },
    #[error("what was measured is not as it should be; see above")]
    Late,
    #[error("{count} finding(s), listed above")]
    Findings { count: usize },
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("cannot start {program} ({source}): {remedy}")]
    CannotStart { program: String, remedy: &'static str, source: io::Error },
    #[error("{step} failed ({status}): {remedy}\n{output}")]
    StepFailed { step: String, status: std::process::ExitStatus, remedy: &'static str, output: String },
    #[error("`cargo metadata` did not answer with its JSON: {0}")]
    Metadata(serde_json::Error),
    #[error("the package {package} is not among those of {}", manifest.display())]
    NoPackage { package: &'static str, manifest: PathBuf },
    #[error("{} is missing: {remedy}", path.display())]
    Missing { path: PathBuf, remedy: &'static str },
    #[error("the compiled guest cannot be used: {0}")]
    Module(#[from] Flaw),
    #[error("the sources changed while they were compiled; try again")]
    ChangedMeanwhile,
    #[error("two builds of the guest differ: {} and {} bytes, first at offset {first_difference}", lengths.0, lengths.1)]
    NotReproducible { lengths: (usize, usize), first_difference: usize },
    #[error("there is no peer `{name}`; there are: {known}")]
    UnknownPeer { name: String, known: String },
    #[error("--rounds takes a number from 1 on, not `{given}`")]
    Rounds { given: String },
    #[error("--seconds takes a number from 1 on, not `{given}`")]
    Seconds { given: String },
    #[error("{target} ended without saying how many inputs it was given")]
    NoExecutions { target: String },
    #[error("the peer {peer}: {problem}")]
    Peer { peer: &'static str, problem: String },
    #[error("this process may use one CPU only; the benchmarks compare one with two")]
    OneCore,
}

impl Error {
    /// For `map_err` on what was done with the file or folder `path`.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), source }
    }
}
