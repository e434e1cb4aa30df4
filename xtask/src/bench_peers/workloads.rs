//! The scripts that are measured: `benches/workloads.json`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::Error;
use crate::repository::Repository;

const FILE: &str = "benches/workloads.json";

pub(super) struct Workloads {
    /// The file, for the peers.
    pub(super) path: PathBuf,
    pub(super) all: Vec<Workload>,
}

pub(super) struct Workload {
    pub(super) name: String,
    pub(super) title: String,
    /// What it must give: who computes something else is not measured.
    pub(super) value: Value,
    pub(super) runs_per_round: u64,
    /// Whether it asks and is gone on with, so many times a round.
    pub(super) pauses: bool,
}

impl Workloads {
    pub(super) fn read(repository: &Repository) -> Result<Self, Error> {
        let text = repository.read(Path::new(FILE))?;
        let all = parse(&text).ok_or_else(|| Error::Missing {
            path: repository.path(FILE),
            remedy: "it must be an object of workloads, each with a title, js and value",
        })?;
        Ok(Self { path: repository.path(FILE), all })
    }
}

/// Those that are timed: the others have neither `runs_per_round` nor `pauses_per_round`.
fn parse(text: &str) -> Option<Vec<Workload>> {
    let file: Value = serde_json::from_str(text).ok()?;
    let mut timed = Vec::new();
    for (name, workload) in file.as_object()? {
        let (runs, pauses) = (workload["runs_per_round"].as_u64(), workload["pauses_per_round"].as_u64());
        let Some(runs_per_round) = runs.or(pauses) else { continue };
        timed.push(Workload {
            name: name.clone(),
            title: workload["title"].as_str()?.to_owned(),
            value: workload["value"].clone(),
            runs_per_round,
            pauses: pauses.is_some(),
        });
    }
    Some(timed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_with_a_number_of_runs_are_timed_in_the_order_of_the_file() {
        let text = r#"{
            "W2": { "title": "a call", "js": "", "value": 1, "runs_per_round": 20 },
            "RSS": { "title": "waits", "js": "" },
            "W1": { "title": "a run", "js": "", "value": 2, "runs_per_round": 3 }
        }"#;
        let workloads = parse(text).unwrap();
        let told: Vec<_> =
            workloads.iter().map(|workload| (workload.name.as_str(), workload.runs_per_round)).collect();
        assert_eq!(told, [("W2", 20), ("W1", 3)]);
        assert!(parse("[]").is_none());
        assert!(parse(r#"{ "W1": { "runs_per_round": 3 } }"#).is_none());
    }
}
