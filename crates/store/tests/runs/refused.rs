//! Stores that cannot be written, or are none.

use std::time::Duration;

use intermission::{Answer, Resolution};
use intermission_store::{NewEvent, RunQuery, SqliteStore, Store, SyncLevel, Wish};

use crate::bed::{Bed, asked, completed, over};

fn connection(bed: &Bed) -> rusqlite::Connection {
    rusqlite::Connection::open(bed.folder.path().join("runs.db")).unwrap()
}

#[tokio::test]
async fn a_store_of_a_newer_version_is_refused_and_left_as_it_is() {
    let bed = Bed::new();
    drop(bed.store());
    connection(&bed).pragma_update(None, "user_version", 7).unwrap();
    let path = bed.folder.path().join("runs.db");
    let before = std::fs::read(&path).unwrap();
    let error = SqliteStore::open(&path).unwrap_err();
    assert_eq!(error.code(), "STORE_NEWER");
    assert_eq!(
        error.to_string(),
        format!(
            "{}: it has schema 7, and this version knows schemas up to 2: use a newer version",
            path.display()
        )
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn another_file_is_refused_and_left_as_it_is() {
    let bed = Bed::new();
    let path = bed.folder.path().join("runs.db");
    std::fs::write(&path, "not a database, but a text that somebody needs".repeat(100)).unwrap();
    let before = std::fs::read(&path).unwrap();
    assert_eq!(SqliteStore::open(&path).unwrap_err().code(), "STORE_NOT_A_STORE");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    std::fs::remove_file(&path).unwrap();
    connection(&bed).execute_batch("CREATE TABLE other (a); PRAGMA user_version = 3").unwrap();
    let before = std::fs::read(&path).unwrap();
    assert_eq!(SqliteStore::open(&path).unwrap_err().code(), "STORE_NOT_A_STORE");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(
        SqliteStore::open(bed.folder.path().join("no/folder")).unwrap_err().code(),
        "STORE_UNREACHABLE"
    );
}

#[tokio::test]
async fn a_store_that_is_locked_for_too_long_says_so_and_nothing_is_lost() {
    let bed = Bed::new();
    let path = bed.folder.path().join("runs.db");
    for sync in [SyncLevel::Full, SyncLevel::Normal] {
        let store =
            SqliteStore::options().sync(sync).patience(Duration::from_millis(10)).open(&path).unwrap();
        let other = connection(&bed);
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let run = intermission::RunId::from_bytes([7; 16]);
        let wished = store.wish(run, Wish::Cancel, 1).await;
        assert_eq!(wished.unwrap_err().code(), "STORE_LOCKED");
        assert_eq!(store.runs(RunQuery::default()).await.unwrap(), []);
        other.execute_batch("COMMIT").unwrap();
        store.wish(run, Wish::Cancel, 1).await.unwrap();
    }
}

#[tokio::test]
async fn a_run_whose_store_is_full_goes_on_when_there_is_room_again() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    let run =
        runs.start("const a = await t.ask(1); return await t.pay(a + 'x'.repeat(2e5).length)").await.unwrap();
    let question = asked(&runs, run).await.remove(0).interruption;
    drop(runs);
    let pages: u32 = connection(&bed).pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    let path = bed.folder.path().join("runs.db");
    let full = SqliteStore::options().sync(SyncLevel::Normal).max_pages(pages).open(&path).unwrap();
    let mut number = 0;
    let error = loop {
        // Until every page that there is has been used.
        number += 1;
        let event = NewEvent {
            run_id: run,
            key: number.to_string(),
            value: intermission::value::encode(&"y".repeat(3000).as_str().into()).unwrap(),
            at: 1,
            by: None,
        };
        if let Err(error) = full.emit(event).await {
            break error;
        }
    };
    assert_eq!(error.code(), "STORE_FULL");
    let runs = bed.runs().await;
    runs.resolve(run, Resolution::new(question.id, Answer::Value(5.into())), None).await.unwrap();
    assert_eq!(over(&runs, run).await, completed(200_005));
    assert_eq!(bed.done.take(), ["t.pay(200005)"]);
}

#[tokio::test]
async fn a_damaged_page_is_found_and_named() {
    let bed = Bed::new();
    let runs = bed.runs().await;
    for _ in 0..40 {
        let run = runs.start("return 'a long value '.repeat(100)").await.unwrap();
        over(&runs, run).await;
    }
    drop(runs);
    let connection = connection(&bed);
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'run'";
    let page = connection.query_row(root, [], |row| row.get::<_, u32>(0)).unwrap() as usize;
    drop(connection);
    let path = bed.folder.path().join("runs.db");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[(page - 1) * 4096..page * 4096].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(store.runs(RunQuery::default()).await.unwrap_err().code(), "STORE_CORRUPT");
    assert!(!store.check().await.unwrap().is_empty());
}

#[cfg(unix)]
#[tokio::test]
async fn a_new_store_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let store = SqliteStore::open(&path).unwrap();
    let files = ["runs.db", "runs.db-wal", "runs.db-shm"].map(|name| folder.path().join(name));
    for file in files {
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
    }
    drop(store);
    // Whoever wants to share one says so.
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    SqliteStore::open(&path).unwrap();
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
}
