//! The crash matrix.

use intermission_store::CrashPoint;
use libtest_mimic::Failed;

use crate::parent::{must, run, was_aborted};
use crate::world::World;

/// Between a host function's effect and its return: an unsafe one, an idempotent one, one with a probe, an approved one.
const EFFECTS: [&str; 4] = ["t.pay", "t.log", "t.refund", "t.approve"];

pub(crate) fn check() -> Result<(), Failed> {
    let points = CrashPoint::all().map(|point| ["at".to_owned(), point.to_string()]);
    let effects = EFFECTS.map(|function| ["in".to_owned(), function.to_owned()]);
    let points: Vec<_> = points.chain(effects).collect();
    let mut missed = Vec::new();
    for [how, point] in &points {
        let folder = tempfile::tempdir()?;
        let died = run(folder.path(), &["scenario", how, point]);
        if !was_aborted(died) {
            missed.push(point);
            continue;
        }
        let ended = run(folder.path(), &["scenario"]);
        must(ended.success(), || format!("killed at {point}, the next could not go on: {ended}"))?;
        let functions = World::new(folder.path(), None).judge()?;
        let each_once = EFFECTS.iter().all(|function| functions.get(*function) == Some(&1));
        must(each_once, || format!("killed at {point}: {functions:?}"))?;
    }
    println!("crash points: {} of {} hit", points.len() - missed.len(), points.len());
    must(missed.is_empty(), || format!("never reached: {missed:?}"))
}
