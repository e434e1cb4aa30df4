//! Two processes and one store: one is stopped for longer than its leases last.

use std::time::Duration;

use intermission_store::{RunQuery, RunState, SqliteStore, Store, SyncLevel, Until};
use libtest_mimic::Failed;
use nix::sys::signal::Signal;

use crate::parent::{Running, must};
use crate::world::World;

const RUNS: usize = 200;

const PROGRAM: &str = "
    const logged = [];
    for (let i = 0; i < 4; i++) { logged.push(await t.log(i)); await t.slow(5); }
    return logged.length;";

/// Everything that is kept of the runs that are fought over.
async fn look(store: &SqliteStore) -> Vec<(String, Vec<u8>)> {
    let runs = store.runs(RunQuery::default()).await.unwrap();
    let mut ledgers = Vec::new();
    for run in runs.iter().filter(|run| run.name == "fight.js") {
        let loaded = store.load(run.run_id).await.unwrap().unwrap();
        ledgers.push((format!("{} {:?}", run.run_id, run.state), loaded.ledger));
    }
    ledgers
}

/// How many runs somebody has taken from another.
fn taken_over(world: &World) -> usize {
    let file = rusqlite::Connection::open(world.path("runs.db")).unwrap();
    file.query_row("SELECT count(*) FROM lease WHERE fence > 1", [], |row| row.get(0)).unwrap()
}

pub(crate) fn check() -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(fight())
}

async fn fight() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let world = World::new(folder.path(), None);
    let store = world.store(SyncLevel::Normal, None);
    // It goes on with nothing itself.
    let runs = world.runs(store.clone()).picks_up(false).max_live(0).build().await.unwrap();
    let mut started = Vec::new();
    for _ in 0..RUNS {
        started.push(runs.start(intermission::RunInput::new(PROGRAM).name("fight.js")).await.unwrap());
    }
    let mut fighters = [(); 2].map(|()| Running::start(folder.path(), &["work"]));
    for fighter in &mut fighters {
        must(fighter.hear() == "ready", || "a fighter does not begin".to_owned())?;
    }
    let [mut loser, winner] = fighters;
    for run in &started[..10] {
        runs.wait(*run, Until::Over).await.unwrap();
    }
    stop_outside_of_a_write(&loser, &world).await;
    for run in &started {
        runs.wait(*run, Until::Over).await.unwrap();
    }
    let before = look(&store).await;
    loser.signal(Signal::SIGCONT);
    // By the time that it has brought a run of its own to its end it has tried everything else.
    loser.say("go");
    let own = loser.hear();
    for fighter in [loser, winner] {
        let ended = fighter.end();
        must(ended.success(), || format!("a fighter has failed: {ended}"))?;
    }
    must(look(&store).await == before, || "the loser has written".to_owned())?;
    let done = RunState::Completed { value: 4.into() };
    let all = store.runs(RunQuery::default()).await.unwrap();
    let is_over = all.iter().filter(|run| run.state.is_over()).count();
    must(is_over == RUNS + 1, || format!("{is_over} runs are over; its own was {own}"))?;
    let right = all.iter().filter(|run| run.name == "fight.js" && run.state == done).count();
    must(right == RUNS, || format!("{right} runs have their value"))?;
    let logged = world.judge()?.get("t.log").copied();
    must(logged == Some(4 * RUNS), || format!("{logged:?} effects"))?;
    let taken_over = taken_over(&world);
    println!("{taken_over} runs were taken over from the one that was stopped");
    must(taken_over > 0, || "nothing was under way when it was stopped".to_owned())
}

/// Stopped in the middle of a write, a process keeps all others of its machine from writing: SQLite's lock is the file's.
async fn stop_outside_of_a_write(loser: &Running, world: &World) {
    loop {
        loser.signal(Signal::SIGSTOP);
        let free = rusqlite::Connection::open(world.path("runs.db")).unwrap();
        free.busy_timeout(Duration::from_millis(100)).unwrap();
        if free.execute_batch("BEGIN IMMEDIATE; ROLLBACK").is_ok() {
            return;
        }
        loser.signal(Signal::SIGCONT);
        tokio::task::yield_now().await;
    }
}
