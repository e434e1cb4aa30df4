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
    let mut hit = 0;
    for [how, point] in &points {
        let folder = tempfile::tempdir()?;
        let died = run(folder.path(), &["scenario", how, point]);
        must(was_aborted(died), || format!("{point} was not reached: {died}"))?;
        hit += 1;
        let ended = run(folder.path(), &["scenario"]);
        must(ended.success(), || format!("killed at {point}, the next could not go on: {ended}"))?;
        let functions = World::new(folder.path(), None).judge()?;
        let each_once = EFFECTS.iter().all(|function| functions.get(*function) == Some(&1));
        must(each_once, || format!("killed at {point}: {functions:?}"))?;
    }
    println!("crash points: {hit} of {} hit", points.len());
    must(hit == points.len(), || "a point is missing".to_owned())
}
