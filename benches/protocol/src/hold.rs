//! `--rss N`: what runs cost that wait.

use serde_json::{Value, json};

use crate::{Gate, PeerError, Sandbox, commands, memory};

/// Holds `runs` runs of the workload `RSS` at the gate and tells the memory without and with them.
pub(crate) async fn hold<S: Sandbox>(sandbox: &S, gate: &Gate, runs: u32) -> Result<Value, PeerError> {
    let workloads = commands::workloads()?;
    let source = commands::source(&workloads, "RSS").map_err(PeerError::Run)?.to_owned();
    sandbox.run("return 1+1").await.map_err(PeerError::Run)?;
    let (idle, idle_private) = (memory::resident(), memory::private());
    let held: Vec<_> = (0..runs)
        .map(|_| {
            let (sandbox, source) = (sandbox.clone(), source.clone());
            tokio::spawn(async move { sandbox.run(&source).await })
        })
        .collect();
    gate.full(runs).await;
    let answer = json!({
        "n": runs,
        "idle_kb": idle,
        "inflight_kb": memory::resident(),
        "hwm_inflight_kb": memory::peak(),
        "idle_private_kb": idle_private,
        "inflight_private_kb": memory::private(),
    });
    gate.open();
    for run in held {
        run.await.map_err(|error| PeerError::Run(error.to_string()))?.map_err(PeerError::Run)?;
    }
    Ok(answer)
}
