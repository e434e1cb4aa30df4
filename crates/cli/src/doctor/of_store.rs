//! The store, its runs, and the disk that it is on.

use std::path::Path;

use intermission::{SystemTimeSource, TimeSource};
use intermission_store::{RunQuery, RunState, SqliteStore, Store, StoredRun};
use rustix::fs::{Access, access, statvfs};

use super::finding::Finding;
use crate::arguments::StoreArguments;
use crate::failure::Failure;
use crate::store;

const CHECK: &str = "store";

/// With less room than this runs will soon stop.
const LITTLE: u64 = 100 << 20;

/// A write-ahead log that has grown beyond this is held by a reader that never ends.
const LARGE_LOG: u64 = 64 << 20;

/// What is to be said of it.
pub(super) async fn check(arguments: &StoreArguments) -> Result<Vec<Finding>, Failure> {
    let path = arguments.path();
    if !store::is_there(&path) {
        // `run` makes none in a folder that it does not trust.
        if store::folder(&path).exists()
            && let Err(untrusted) = store::check_folder(&path)
        {
            return Ok(vec![Finding::failed(CHECK, &untrusted.into())]);
        }
        let message = format!("there is none at {} yet", path.display());
        return Ok(vec![Finding::ok(CHECK, message).hint("`intermission run` makes one")]);
    }
    let mut findings = of_file(&path);
    let opened = match store::open(&path) {
        Ok(opened) => opened,
        Err(failure) => {
            findings.push(Finding::failed(CHECK, &failure));
            return Ok(findings);
        }
    };
    match of_content(&opened, &path).await {
        Ok(found) => findings.extend(found),
        Err(error) => findings.push(Finding::failed(CHECK, &error.into())),
    }
    Ok(findings)
}

fn of_file(path: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let folder = store::folder(path);
    for (what, place) in [("file", path), ("folder", folder)] {
        if access(place, Access::WRITE_OK).is_err() {
            let message = format!("the {what} {} cannot be written", place.display());
            findings.push(
                Finding::fail(CHECK, message)
                    .hint(format!("look who may write it: `ls -ld {}`", place.display())),
            );
        }
    }
    if let Some(warning) = store::readable(path) {
        let finding = Finding::warn(CHECK, warning.message);
        findings.push(Finding { hint: warning.hint, ..finding });
    }
    if let Ok(disk) = statvfs(folder) {
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        if free < LITTLE {
            let message = format!("its disk has {} MiB left", free >> 20);
            findings.push(
                Finding::warn(CHECK, message)
                    .hint("make room: `intermission delete --over-for 30d` deletes old runs"),
            );
        }
    }
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if let Ok(size) = std::fs::metadata(&log).map(|log| log.len())
        && size > LARGE_LOG
    {
        let message = format!("its write-ahead log has {} MiB", size >> 20);
        findings.push(Finding::warn(CHECK, message).hint(
            "a process keeps it from being folded in: end those that use the store, then run any command",
        ));
    }
    findings
}

async fn of_content(
    store: &SqliteStore,
    path: &Path,
) -> Result<Vec<Finding>, intermission_store::StoreError> {
    let damage = store.check().await?;
    if let Some(first) = damage.first() {
        let message = format!("{} is damaged: {first}", path.display());
        let others = format!("restore a copy ({} places are damaged)", damage.len());
        return Ok(vec![Finding::fail(CHECK, message).hint(others)]);
    }
    let query = RunQuery { states: vec!["ready", "running"], ..RunQuery::default() };
    let open = store.runs(query).await?;
    let mut findings = vec![Finding::ok(CHECK, format!("{} is in order", path.display()))];
    findings.extend(of_runs(&open, SystemTimeSource.now()));
    Ok(findings)
}

/// Runs that nobody goes on with.
fn of_runs(open: &[StoredRun], now: u64) -> Vec<Finding> {
    let is_left = |run: &&StoredRun| matches!(run.state, RunState::Running { until } if until <= now);
    let is_ready = |run: &&StoredRun| run.state == RunState::Ready;
    let mut findings = Vec::new();
    let mut find = |runs: Vec<&StoredRun>, why: &str| {
        if let Some(first) = runs.first() {
            let message = format!("{} {why}, {} among them", runs.len(), first.run_id);
            let hint = "`intermission resume RUN` goes on with one, `intermission runs` lists them";
            findings.push(Finding::warn("runs", message).hint(hint));
        }
    };
    find(open.iter().filter(is_left).collect(), "were left by a process that died");
    find(open.iter().filter(is_ready).collect(), "can go on, and nobody goes on with them");
    findings
}
