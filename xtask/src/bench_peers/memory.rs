//! What a run costs that waits on a host function.

use serde_json::Value;

use super::install::Installed;
use super::peer::Measured;
use super::tables::Tables;
use super::workloads::Workloads;

/// A table, and the fields of the answer without and with the runs.
const TABLES: [(&str, &str, [&str; 2]); 2] = [
    ("memory", "resident memory of a run that waits, 200 rows kept", ["idle_kb", "inflight_kb"]),
    (
        "memory-physical",
        "the same, each page of the machine's memory counted once",
        ["idle_physical_kb", "inflight_physical_kb"],
    ),
];

/// Each peer, in a process of its own.
pub(super) fn measure(installed: &Installed, workloads: &Workloads, tables: &mut Tables) {
    for peer in &installed.peers {
        let Measured::Everything { waiting_runs } = peer.measured else { continue };
        let answer = peer.ask_once(&workloads.path, &["--rss", &waiting_runs.to_string()]);
        let row = format!("{} ({} runs)", peer.name, waiting_runs);
        for (table, title, fields) in TABLES {
            let each = answer.clone().and_then(|answer| megabytes_each(&answer, fields));
            tables.table(table, title, "MB").add(&row, each.map(|megabytes| vec![megabytes]));
        }
    }
}

/// What each run adds, in MB of 10⁶ bytes.
fn megabytes_each(answer: &Value, fields: [&str; 2]) -> Result<f64, String> {
    let number =
        |field: &str| answer[field].as_f64().ok_or_else(|| format!("its answer lacks {field}: {answer}"));
    let (without, with, runs) = (number(fields[0])?, number(fields[1])?, number("n")?);
    Ok((with - without) * 1024.0 / 1e6 / runs)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_runs_share_is_in_millions_of_bytes() {
        let answer = json!({ "n": 100, "idle_kb": 1000, "inflight_kb": 101_000 });
        assert_eq!(megabytes_each(&answer, ["idle_kb", "inflight_kb"]), Ok(1.024));
        assert!(
            megabytes_each(&answer, ["idle_kb", "gone"]).unwrap_err().starts_with("its answer lacks gone")
        );
    }
}
