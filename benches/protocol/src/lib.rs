//! The protocol that a benchmarked sandbox speaks, but for the sandbox: one JSON command a line in, one JSON answer a line out. `docs/benchmarks.md`
//! describes it.
//!
//! A peer is a [`Sandbox`] and a call of [`speak`]. What scripts call is the same for all peers: an echo, [`row`], [`blob`], and the [`Gate`].

mod commands;
mod gate;
mod hold;
mod memory;
mod tools;

use std::io::Write;

use serde_json::{Value, json};

pub use gate::Gate;
pub use tools::{Row, blob, row};

/// Runs scripts. A clone runs them in the same engine.
pub trait Sandbox: Clone + Send + Sync + 'static {
    /// Runs a script in a sandbox of its own and gives its value as JSON.
    ///
    /// # Errors
    /// Why the script has no value, in words.
    fn run(&self, source: &str) -> impl Future<Output = Result<Value, String>> + Send;

    /// Runs a script until it asks, and puts it away as a token.
    ///
    /// # Errors
    /// Why it cannot be put away, in words.
    fn pause(&self, source: &str) -> impl Future<Output = Result<Paused, String>> + Send;

    /// Goes on from a token, `true` being the answer to everything that is asked.
    ///
    /// # Errors
    /// Why it cannot go on, in words.
    fn resume(&self, paused: Paused) -> impl Future<Output = Result<Next, String>> + Send;
}

/// A run that was put away.
#[derive(Clone, Debug)]
pub struct Paused {
    /// The token, as text.
    pub token: String,
    /// What it asks.
    pub questions: Vec<String>,
}

/// What comes of going on.
#[derive(Debug)]
pub enum Next {
    /// It asks again.
    Paused(Paused),
    /// It has its value.
    Value(Value),
}

/// Why a peer ends early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PeerError {
    /// The engine does not start.
    #[error("the engine does not start: {0}")]
    Start(String),
    /// A script failed that must not.
    #[error("a script failed: {0}")]
    Run(String),
    /// The command line is none of a peer's.
    #[error("{0}")]
    Usage(&'static str),
    /// Standard input, standard output, a file or a thread.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A command or the workloads are not JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Speaks the protocol with the sandbox that `make` makes, as the command line says: `--cold`, `--rss N`, or commands until `quit`. Other arguments are the
/// peer's own.
///
/// # Errors
/// Whatever keeps the peer from going on. A script that fails under `bench` does not: it is told in the answer.
pub fn speak<S: Sandbox>(make: impl FnOnce(&Gate) -> Result<S, String>) -> Result<(), PeerError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let gate = Gate::default();
    let sandbox = make(&gate).map_err(PeerError::Start)?;
    runtime.block_on(async {
        if arguments.iter().any(|argument| argument == "--cold") {
            let value = sandbox.run("return 1+1").await.map_err(PeerError::Run)?;
            return say(&value);
        }
        if let Some(at) = arguments.iter().position(|argument| argument == "--rss") {
            let runs = arguments.get(at + 1).and_then(|runs| runs.parse().ok());
            let runs = runs.ok_or(PeerError::Usage("--rss is followed by the number of runs"))?;
            return say(&hold::hold(&sandbox, &gate, runs).await?);
        }
        say(&json!({ "ready": true }))?;
        commands::serve(&sandbox).await
    })
}

fn say(answer: &Value) -> Result<(), PeerError> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{answer}")?;
    Ok(out.flush()?)
}
