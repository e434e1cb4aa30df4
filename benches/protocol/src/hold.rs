//! `--rss N`: what runs cost that wait.

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{Gate, PeerError, Sandbox, commands, memory};

/// Holds `runs` runs of the workload `RSS` at the gate and tells the memory without and with them.
pub(crate) async fn hold<S: Sandbox>(sandbox: &S, gate: &Gate, runs: u32) -> Result<Value, PeerError> {
    let workloads = commands::workloads()?;
    let source = commands::source(&workloads, "RSS").map_err(PeerError::Run)?.to_owned();
    sandbox.run("return 1+1").await.map_err(PeerError::Run)?;
    let (idle, idle_physical) = (memory::resident(), memory::physical());
    let mut held = JoinSet::new();
    for _ in 0..runs {
        let (sandbox, source) = (sandbox.clone(), source.clone());
        held.spawn(async move { sandbox.run(&source).await });
    }
    tokio::select! {
        () = gate.full(runs) => {}
        // A run that ends before it is at the gate has failed, and the gate would never be full.
        Some(ended) = held.join_next() => return Err(PeerError::Run(format!("it ended before it waited: {ended:?}"))),
    }
    let answer = json!({
        "n": runs,
        "idle_kb": idle,
        "inflight_kb": memory::resident(),
        "hwm_inflight_kb": memory::peak(),
        "idle_physical_kb": idle_physical,
        "inflight_physical_kb": memory::physical(),
    });
    gate.open();
    while let Some(ended) = held.join_next().await {
        ended.map_err(|error| PeerError::Run(error.to_string()))?.map_err(PeerError::Run)?;
    }
    Ok(answer)
}
