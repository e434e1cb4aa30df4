//! Two processes and one store: one is stopped for longer than its leases last.

use std::time::Duration;

use intermission_store::{RunQuery, RunState, Runs, SqliteStore, Store, SyncLevel, Until};
use libtest_mimic::Failed;
use nix::sys::signal::Signal;

use crate::parent::{Running, must};
use crate::world::World;

const RUNS: usize = 200;

const PROGRAM: &str = "
    const logged = [];
    for (let i = 0; i < 4; i++) { logged.push(await t.log(i)); await t.slow(5); }
    if (data % 3 === 0) await t.linger();
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

/// How many leases are so.
fn leases(world: &World, so: &str) -> usize {
    let file = rusqlite::Connection::open(world.path("runs.db")).unwrap();
    let count = format!("SELECT count(*) FROM lease WHERE {so}");
    file.query_row(&count, [], |row| row.get::<_, u32>(0)).unwrap() as usize
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
    for number in 0..RUNS {
        let input = intermission::RunInput::new(PROGRAM).name("fight.js").data(number as f64);
        started.push(runs.start(input).await.unwrap());
    }
    let mut loser = begin(&world, "linger")?;
    let worker = only_worker(&world).await;
    let winner = begin(&world, "hurry")?;
    until_over(&runs, 10).await;
    stop_outside_of_a_write(&loser, &world).await;
    let held = leases(&world, &format!("hex(worker) = '{worker}'"));
    must(held > 0, || "nothing was under way when it was stopped".to_owned())?;
    std::fs::write(world.path("lingered"), "")?;
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
    let taken_over = leases(&world, "fence > 1");
    println!("{taken_over} runs were taken over from the one that was stopped, of {held}");
    must(taken_over >= held, || format!("{taken_over} of {held} runs were taken over"))
}

/// A process that goes on with whatever there is, and how it does.
fn begin(world: &World, how: &str) -> Result<Running, Failed> {
    let mut fighter = Running::start(&world.path(""), &["work", how]);
    must(fighter.hear() == "ready", || "a fighter does not begin".to_owned())?;
    Ok(fighter)
}

/// Who has taken runs, in hexadecimal digits, as soon as the only one there is has.
async fn only_worker(world: &World) -> String {
    let file = rusqlite::Connection::open(world.path("runs.db")).unwrap();
    loop {
        let worker = "SELECT hex(worker) FROM lease WHERE worker IS NOT NULL LIMIT 1";
        match file.query_row(worker, [], |row| row.get(0)) {
            Ok(worker) => return worker,
            Err(_) => tokio::task::yield_now().await,
        }
    }
}

/// Waits until so many runs are over.
async fn until_over(runs: &Runs, many: usize) {
    loop {
        let all = runs.list(RunQuery::default()).await.unwrap();
        if all.iter().filter(|run| run.state.is_over()).count() >= many {
            return;
        }
    }
}

/// Stopped in the middle of a write, a process keeps all others of its machine from writing: SQLite's lock is the file's.
async fn stop_outside_of_a_write(loser: &Running, world: &World) {
    loop {
        loser.stop();
        let free = rusqlite::Connection::open(world.path("runs.db")).unwrap();
        free.busy_timeout(Duration::from_millis(100)).unwrap();
        if free.execute_batch("BEGIN IMMEDIATE; ROLLBACK").is_ok() {
            return;
        }
        loser.signal(Signal::SIGCONT);
        // Else it is stopped again before it has done anything.
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
