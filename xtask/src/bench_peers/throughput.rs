//! Trivial runs a second, on one core and on two.

use serde_json::json;

use super::cores;
use super::install::Installed;
use super::peer::{Conversation, Measured};
use super::tables::Tables;
use super::workloads::Workloads;
use crate::error::Error;

/// A table for each number of cores.
const TABLES: [(&str, &str); 2] = [
    ("throughput-1", "trivial runs a second on one core, 8 at a time"),
    ("throughput-2", "trivial runs a second on two cores, 8 at a time"),
];

/// Peers that were started on some of the cores only, and size themselves to that.
pub(super) struct Throughput<'a> {
    peers: Vec<(&'a str, [Conversation; 2])>,
}

impl<'a> Throughput<'a> {
    pub(super) fn start(installed: &'a Installed, workloads: &Workloads) -> Result<Self, Error> {
        let [one, two] = cores::first_two()?;
        let mut peers = Vec::new();
        for peer in installed.peers.iter().filter(|peer| peer.measured != Measured::Pauses) {
            let on = |cpus: &str| {
                let conversation = peer.converse(&workloads.path, Some(cpus));
                conversation.map_err(|problem| Error::Peer { peer: peer.name, problem })
            };
            peers.push((peer.name, [on(&one)?, on(&two)?]));
        }
        Ok(Self { peers })
    }

    /// A second of each.
    pub(super) fn measure(&mut self, tables: &mut Tables) {
        for (at, (table, title)) in TABLES.iter().enumerate() {
            for (name, on) in &mut self.peers {
                tables.table(table, title, "runs/s").add(name, a_second(&mut on[at]));
            }
        }
        self.peers.rotate_left(1);
    }
}

fn a_second(peer: &mut Conversation) -> Result<Vec<f64>, String> {
    let answer = peer.ask(&json!({ "cmd": "throughput", "conc": 8, "secs": 1.0 }))?;
    match (answer["runs"].as_f64(), answer["secs"].as_f64()) {
        (Some(runs), Some(seconds)) if seconds > 0.0 => Ok(vec![runs / seconds]),
        _ => Err(format!("its answer lacks runs or secs: {answer}")),
    }
}
