//! The measuring: everything once a round, the peers in turn, so that what disturbs the machine disturbs all of them.

use serde_json::{Value, json};

use super::cold::Cold;
use super::install::Installed;
use super::peer::{Conversation, Measured};
use super::tables::Tables;
use super::throughput::Throughput;
use super::workloads::{Workload, Workloads};
use super::{cores, memory};
use crate::error::Error;

/// Rounds in which what takes long is measured.
const LONG_ROUNDS: u32 = 5;
const MEMORY_ROUNDS: u32 = 3;

pub(super) fn measure(installed: &Installed, workloads: &Workloads, rounds: u32) -> Result<Tables, Error> {
    let mut tables = Tables::default();
    let mut peers = Vec::new();
    for peer in &installed.peers {
        let conversation = peer.converse(&workloads.path, None);
        peers.push((peer, conversation.map_err(|problem| Error::Peer { peer: peer.name, problem })?));
    }
    let cold = Cold::new(installed)?;
    let mut throughput = Throughput::start(installed, workloads)?;
    for round in 0..=rounds {
        // The first warms up and is not kept.
        let mut unkept = Tables::default();
        let kept = if round == 0 { &mut unkept } else { &mut tables };
        for workload in &workloads.all {
            let runs = if round == 0 { 1 } else { workload.runs_per_round };
            if workload.pauses {
                for (known, peer) in &mut peers {
                    pause(kept, known.name, peer, workload, runs);
                }
                continue;
            }
            for (known, peer) in peers.iter_mut().filter(|(known, _)| known.measured != Measured::Pauses) {
                kept.table(&workload.name, &workload.title, "ms")
                    .add(known.name, bench(peer, workload, runs));
            }
        }
        if round <= LONG_ROUNDS {
            throughput.measure(kept);
        }
        if round <= MEMORY_ROUNDS && round > 0 {
            memory::measure(installed, workloads, kept);
        }
        for _ in 0..30_u32.div_ceil(rounds) {
            cold.measure(kept);
        }
        let growth = cores::growth();
        kept.table("cores", "work of two threads that spin, as a multiple of one's", "times")
            .add("the machine", Ok(vec![growth]));
        println!("round {round} of {rounds}: two threads do {growth:.2} times the work of one");
        peers.rotate_left(1);
    }
    Ok(tables)
}

/// Timed runs of one workload, if they compute what they should.
fn bench(peer: &mut Conversation, workload: &Workload, runs: u64) -> Result<Vec<f64>, String> {
    let answer = peer.ask(&json!({ "cmd": "bench", "w": workload.name, "n": runs }))?;
    if !same(&answer["value"], &workload.value) {
        return Err(format!("it gives {}, not {}", answer["value"], workload.value));
    }
    let samples = answer["samples_ms"].as_array().into_iter().flatten();
    Ok(samples.filter_map(Value::as_f64).collect())
}

/// Timed runs to a token, the timed going on from it, and the token's size.
fn pause(kept: &mut Tables, name: &str, peer: &mut Conversation, workload: &Workload, runs: u64) {
    let answer = peer.ask(&json!({ "cmd": "pause", "w": workload.name, "n": runs })).and_then(|answer| {
        if same(&answer["value"], &workload.value) {
            Ok(answer)
        } else {
            Err(format!("it gives {}, not {}", answer["value"], workload.value))
        }
    });
    let numbers = |field: &str| {
        let answer = answer.as_ref().map_err(Clone::clone)?;
        let one = std::slice::from_ref(&answer[field]);
        let values = answer[field].as_array().map_or(one, Vec::as_slice);
        Ok(values.iter().filter_map(Value::as_f64).collect())
    };
    let Workload { name: table, title, .. } = workload;
    kept.table(&format!("{table}-run"), &format!("{title}: to the token"), "ms")
        .add(name, numbers("samples_ms"));
    kept.table(&format!("{table}-resume"), &format!("{title}: on from the token"), "ms")
        .add(name, numbers("resume_ms"));
    kept.table(&format!("{table}-bytes"), &format!("{title}: the token"), "bytes")
        .add(name, numbers("bytes"));
}

/// 2 and 2.0 are one number.
fn same(one: &Value, other: &Value) -> bool {
    one == other || (one.as_f64().is_some() && one.as_f64() == other.as_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_by_value() {
        assert!(same(&json!(2), &json!(2.0)));
        assert!(!same(&json!(2), &json!(3)));
        assert!(!same(&json!(null), &json!(2)));
        assert!(same(&json!("a"), &json!("a")));
    }
}
