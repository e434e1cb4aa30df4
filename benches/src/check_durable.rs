//! What a store costs: `cargo xtask check-durable`.
//!
//! A durable run of 200 calls, one after the other, beside a bare loop that commits the same bytes in as many transactions to the same file; and how long lists
//! of 10,000 runs take that wait. Both are ratios or bounds within one course, so that they say something on any machine. It is a chore and no test.
#![expect(clippy::print_stdout, reason = "a chore tells what it measured")]
#![expect(clippy::disallowed_methods, reason = "this measures time")]
#![expect(clippy::unwrap_used, reason = "a chore fails by panicking")]

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use intermission::{Effect, HostFunction, HostFunctions, RunId, Runner};
use intermission_store::{
    Entries, InboxQuery, NewRun, RunQuery, RunState, Runs, SqliteStore, Store, SyncLevel, Until,
};
use rusqlite::{Transaction, TransactionBehavior};

/// Rounds: a run and a loop in turns, so that both see the same machine. A round without a disk to wait for is short.
const ROUNDS: [(&str, SyncLevel, usize); 2] =
    [("FULL", SyncLevel::Full, 15), ("NORMAL", SyncLevel::Normal, 100)];
const CALLS: usize = 200;
const ALLOWED: f64 = 1.5;

const PAUSED: usize = 10_000;
/// Looks at each list.
const LOOKS: usize = 15;
const LISTED_IN: Duration = Duration::from_millis(50);

fn runner() -> Runner {
    let echo = HostFunction::sync("t.echo", |call| Ok(call.input())).effect(Effect::Idempotent);
    let pay = HostFunction::sync("t.pay", |call| Ok(call.input())).approval();
    Runner::builder().host_functions(HostFunctions::new([echo, pay]).unwrap()).build().unwrap()
}

fn main() -> ExitCode {
    // In the folder that is built in, which is on a disk.
    let folder = tempfile::tempdir_in("target").or_else(|_| tempfile::tempdir()).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let fine = runtime.block_on(async {
        let mut fine = true;
        for (name, sync, rounds) in ROUNDS {
            fine &= calls(&folder.path().join(name), name, sync, rounds).await;
        }
        fine & lists(&folder.path().join("lists")).await
    });
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn calls(path: &Path, name: &str, sync: SyncLevel, rounds: usize) -> bool {
    let store = Arc::new(SqliteStore::options().sync(sync).open(path).unwrap());
    let runs = Runs::builder(store.clone(), runner()).build().await.unwrap();
    let script = format!("let n = 0; for (let i = 0; i < {CALLS}; i++) n += await t.echo(1); return n");
    let (mut durable, mut bare, mut commits) = (Vec::new(), Vec::new(), 0);
    // The first is for whatever happens only once.
    for round in 0..=rounds {
        empty_log(path);
        let began = Instant::now();
        let run = runs.start(script.as_str()).await.unwrap();
        let ended = runs.wait(run, Until::Over).await.unwrap();
        let took = began.elapsed();
        assert_eq!(ended.state, RunState::Completed { value: (CALLS as f64).into() });
        let batches = batches(path, run);
        commits = batches.len();
        empty_log(path);
        let looped = bare_loop(path, sync, &batches);
        if round > 0 {
            durable.push(took);
            bare.push(looped);
        }
    }
    // Whatever else the machine does only adds, and mostly to one of both: the quicker quarter is judged.
    let (run, looped) = (quartile(durable.clone()), quartile(bare.clone()));
    let ratio = |durable: Duration, bare: Duration| durable.as_secs_f64() / bare.as_secs_f64();
    let fine = ratio(run, looped) <= ALLOWED;
    println!(
        "{} {name:6} {CALLS} calls {:8.2} ms; {commits} bare commits of the same bytes {:8.2} ms; {:.2} times, at most {ALLOWED}; by the medians {:.2}",
        verdict(fine),
        millis(run),
        millis(looped),
        ratio(run, looped),
        ratio(median(durable), median(bare))
    );
    fine
}

/// Moves what is in SQLite's log into the file and begins the log anew. SQLite does so every thousand pages, which takes longer than the run or the loop that happens to write the
/// last of them, and waits for the disk.
fn empty_log(path: &Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    let is_busy: bool = connection.query_row("PRAGMA wal_checkpoint(RESTART)", [], |row| row.get(0)).unwrap();
    assert!(!is_busy, "somebody still reads what was moved");
    connection.execute_batch("CREATE TABLE IF NOT EXISTS begun (n); INSERT INTO begun VALUES (1)").unwrap();
}

/// The bytes that a run has committed, commit by commit.
fn batches(path: &Path, run: RunId) -> Vec<Vec<u8>> {
    let connection = rusqlite::Connection::open(path).unwrap();
    let mut statement = connection
        .prepare(
            "SELECT bytes FROM run CROSS JOIN entries
               ON entries.place BETWEEN run.number << 32 AND (run.number << 32) + 0xffffffff
             WHERE run.id = ?1 ORDER BY place",
        )
        .unwrap();
    statement.query_map([run.bytes()], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// What anybody would write: a transaction with an insert each.
fn bare_loop(path: &Path, sync: SyncLevel, batches: &[Vec<u8>]) -> Duration {
    let connection = rusqlite::Connection::open(path).unwrap();
    let sync = if sync == SyncLevel::Full { "FULL" } else { "NORMAL" };
    connection.pragma_update(None, "synchronous", sync).unwrap();
    connection
        .execute_batch("CREATE TABLE IF NOT EXISTS bare (number INTEGER PRIMARY KEY, bytes BLOB)")
        .unwrap();
    let began = Instant::now();
    for bytes in batches {
        let transaction = Transaction::new_unchecked(&connection, TransactionBehavior::Immediate).unwrap();
        transaction.prepare_cached("INSERT INTO bare (bytes) VALUES (?1)").unwrap().execute([bytes]).unwrap();
        transaction.commit().unwrap();
    }
    began.elapsed()
}

async fn lists(path: &Path) -> bool {
    let store = Arc::new(SqliteStore::options().sync(SyncLevel::Normal).open(path).unwrap());
    let runner = runner();
    let asking = runner.run("return await t.pay({ amount: 100, to: 'somebody' })").await;
    let length = asking.continuation().unwrap().record().entries().len();
    for _ in 0..PAUSED {
        let fork = asking.continuation().unwrap().fork(length).unwrap();
        let mut bytes = fork.to_bytes();
        let format = bytes.remove(0);
        let entries = Entries { from: 0, count: fork.record().entries().len(), bytes };
        let run = NewRun {
            run_id: fork.run_id(),
            key: None,
            name: "script.js".to_owned(),
            format,
            forked_from: None,
            entries,
            asked: fork.interruptions(),
            now: 1,
        };
        store.create(run, None).await.unwrap();
    }
    rusqlite::Connection::open(path).unwrap().execute("UPDATE run SET state = 'waiting'", []).unwrap();
    let mut fine = true;
    for (what, limit) in [("a page of 100", Some(100)), ("all 10,000", None)] {
        let (mut inbox, mut runs) = (Vec::new(), Vec::new());
        for _ in 0..LOOKS {
            let query = InboxQuery { limit, ..InboxQuery::default() };
            let (began, asked) = (Instant::now(), store.inbox(query).await.unwrap().len());
            inbox.push(began.elapsed());
            let query = RunQuery { limit, ..RunQuery::default() };
            let (began, listed) = (Instant::now(), store.runs(query).await.unwrap().len());
            runs.push(began.elapsed());
            assert_eq!((asked, listed), (limit.unwrap_or(PAUSED), limit.unwrap_or(PAUSED)));
        }
        for (list, times) in [("inbox", inbox), ("runs", runs)] {
            let (first, median) = (times[0], median(times));
            let in_time = median <= LISTED_IN;
            fine &= in_time;
            println!(
                "{} {what} of 10,000 runs that wait: {list} {:.2} ms, the first time {:.2} ms, at most {LISTED_IN:?}",
                verdict(in_time),
                millis(median),
                millis(first)
            );
        }
    }
    fine
}

fn verdict(fine: bool) -> &'static str {
    if fine { "ok  " } else { "FAIL" }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn median(times: Vec<Duration>) -> Duration {
    quantile(times, 2)
}

fn quartile(times: Vec<Duration>) -> Duration {
    quantile(times, 4)
}

/// The slowest of the quickest part: a half, a quarter.
fn quantile(mut times: Vec<Duration>, part: usize) -> Duration {
    times.sort();
    times[times.len() / part]
}
