//! Killed at any moment, again and again.

use std::path::Path;
use std::time::Duration;

use futures_util::future::join_all;
use intermission::Value;
use intermission_store::{RunQuery, RunState, Store, SyncLevel};
use libtest_mimic::Failed;
use nix::sys::signal::Signal;
use rand::{RngExt, SeedableRng};

use crate::parent::{Running, must, run};
use crate::scenario::check_notices;
use crate::world::World;

const PROGRAM: &str = "
    const [paid, logged] = await Promise.all([t.pay(1), t.log(2)]);
    await sleep(1);
    const approved = await t.approve(3);
    const refunded = await t.refund(4);
    return paid + logged + approved + refunded + await t.ask(5);";

/// Programs of one batch.
const BATCH: usize = 8;

/// Starts programs and answers them, a batch after the other. Started again it goes on with the batch that was not done.
pub(crate) async fn programs(folder: &Path, sync: SyncLevel, batches: Option<usize>) {
    let world = World::new(folder, None);
    let runs = world.runs(world.store(sync, None)).build().await.unwrap();
    println!("ready");
    let done = |batch: usize| world.path(&format!("done-{batch}"));
    let mut first = 0;
    while done(first).exists() {
        first += 1;
    }
    let end = batches.map_or(usize::MAX, |batches| first + batches);
    for batch in first..end {
        let ends = (0..BATCH).map(|number| {
            let (runs, world) = (runs.clone(), world.clone());
            async move {
                let run = runs.start_as(format!("{batch}.{number}"), PROGRAM).await.unwrap();
                world.bring_to_its_end(&runs, run).await
            }
        });
        for ended in join_all(ends).await {
            assert_eq!(ended, RunState::Completed { value: Value::from(15) });
        }
        std::fs::write(done(batch), "").unwrap();
    }
}

/// How often, by default. `INTERMISSION_KILLS` says otherwise: for a soak.
const KILLS: usize = 500;

#[expect(clippy::disallowed_methods, reason = "a soak is asked for from outside")]
fn kills() -> usize {
    std::env::var("INTERMISSION_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS)
}

pub(crate) fn check() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let seed: u64 = rand::rng().random();
    println!("seed {seed}");
    let mut random = rand::rngs::StdRng::seed_from_u64(seed);
    let kills = kills();
    for number in 0..kills {
        // What a killed process has written survives with either.
        let sync = if number % 10 == 0 { "full" } else { "normal" };
        let mut child = Running::start(folder.path(), &["programs", sync]);
        // A few are killed while they begin.
        if !random.random_bool(0.1) {
            must(child.hear() == "ready", || format!("seed {seed}: it did not begin"))?;
        }
        pause(Duration::from_micros(random.random_range(0..75_000)));
        child.signal(Signal::SIGKILL);
        let ended = child.end();
        must(!ended.success() && ended.code().is_none(), || {
            format!("seed {seed}: it ended by itself: {ended}")
        })?;
    }
    let world = World::new(folder.path(), None);
    let effects = world.effects().len();
    must(effects > 0, || format!("seed {seed}: nothing was done before the last kill"))?;
    let ended = run(folder.path(), &["programs", "full", "1"]);
    must(ended.success(), || format!("seed {seed}: what was left could not be brought to its end: {ended}"))?;

    let functions = world.judge().map_err(|why| format!("seed {seed}: {why}"))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let runs = runtime.block_on(async {
        let store = world.store(SyncLevel::Normal, None);
        check_notices(store.as_ref()).await;
        store.runs(RunQuery::default()).await.unwrap()
    });
    let over = runs.iter().filter(|run| run.state == RunState::Completed { value: Value::from(15) }).count();
    must(over == runs.len() && over > 0, || {
        format!("seed {seed}: {over} of {} runs have their value", runs.len())
    })?;
    let each = functions.values().all(|times| *times == runs.len()) && functions.len() == 4;
    must(each, || format!("seed {seed}: {} runs, and {functions:?}", runs.len()))?;
    println!("{kills} kills, {} runs, {effects} effects before the last kill, each once", runs.len());
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the moment of a kill is what is random here, and nothing waits for it"
)]
fn pause(time: Duration) {
    std::thread::sleep(time);
}
