//! Intermission as a peer: everything goes through `Runner::run`, with every default on.

use intermission::Runner;
use intermission_bench_protocol::{PeerError, Sandbox, speak};
use intermission_benches::runner;

#[derive(Clone)]
struct Intermission(Runner);

fn main() -> Result<(), PeerError> {
    speak(|gate| Ok(Intermission(runner(gate).map_err(|error| error.to_string())?)))
}

impl Sandbox for Intermission {
    async fn run(&self, source: &str) -> Result<serde_json::Value, String> {
        let value = self.0.run(source).await.into_value().map_err(|error| error.to_string())?;
        serde_json::to_value(&value).map_err(|error| error.to_string())
    }
}
