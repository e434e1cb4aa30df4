//! Stores of every released schema, as files of that version: each is opened, and its runs go on.

use std::fmt::Write;

use intermission::{Answer, HostFunction, HostFunctions, InterruptionId, Resolution, RunId, Runner, Value};
use intermission_store::{InboxQuery, Runs};

use crate::bed::{Bed, completed, over};

/// The schemas as they were released, the first first. What leads to them may never lead elsewhere.
const RELEASED: [(&str, &str); 2] = [
    (include_str!("../museum/schema-1.sql"), include_str!("../../src/sqlite/schema/1.sql")),
    (include_str!("../museum/schema-2.sql"), include_str!("../../src/sqlite/schema/2.sql")),
];

const WHAT_TO_DO: &str = "A released schema has changed. Stores of it are opened for ever: give it back its text, and write what is new as the next \
    step (crates/store/src/sqlite/schema), with a copy in the museum (crates/store/tests/museum).";

#[test]
fn released_schemas_are_as_they_always_were() {
    for (released, now) in RELEASED {
        assert_eq!(released, now, "{WHAT_TO_DO}");
    }
}

/// The example of docs/ledger.md, up to where it is put away, without the format's number.
const LEDGER: &str = "\
    82008d5007070707070707070707070707070707007832636f6e73742061203d20617761697420742e6563686f2831293b2072657475726e20617761697420742e706175736528612900676d61696e2e6a73f6f61903e8582003030303030303030303030303030303030303030303030303030303030303031a0010000000f4828266742e6563686ff48267742e7061757365f4\
    830100830000428101821000\
    8402000c82004101\
    830100830001428101821000\
    8211870001004665737572653ff6f61903f4\
    821818830a1400\
    8107";

const RUN: RunId = RunId::from_bytes([7; 16]);

/// The rows of a run that waits, in the schema of this version.
fn rows(version: usize) -> String {
    let (run, id) = ("07".repeat(16), InterruptionId::new(RUN, 2, 1));
    let entries = match version {
        1 => "entry (run, first, count, bytes) VALUES (1, 0,",
        _ => "entries (place, count, bytes) VALUES (1 << 32,",
    };
    let mut rows = String::new();
    write!(
        rows,
        "INSERT INTO run (number, id, name, format, created, updated, state)
           VALUES (1, X'{run}', 'main.js', 1, 1000, 1012, 'waiting');
         INSERT INTO lease (run, fence) VALUES (1, 3);
         INSERT INTO {entries} 9, X'{LEDGER}');
         INSERT INTO interruption (id, run, state, kind, request_index, host_function, arguments, arguments_digest,
             payload, created)
           VALUES ('{id}', 1, 'pending', 'question', 2, 't.pause', X'8101', 'sha256:x', X'65737572653f', 1012);
         PRAGMA application_id = 1229804626; PRAGMA user_version = {version};"
    )
    .unwrap();
    rows
}

#[tokio::test]
async fn a_run_in_a_store_of_every_released_schema_goes_on_and_is_deleted_with_all_its_data() {
    for version in 1..=RELEASED.len() {
        let bed = Bed::new();
        let path = bed.folder.path().join("runs.db");
        let connection = rusqlite::Connection::open(&path).unwrap();
        for (released, _) in &RELEASED[..version] {
            connection.execute_batch(released).unwrap();
        }
        connection.execute_batch(&rows(version)).unwrap();
        drop(connection);
        let pause = HostFunction::sync("t.pause", |call| Ok(call.resume().unwrap().resolution.clone()));
        let echo = HostFunction::sync("t.echo", |call| Ok(call.input()));
        let functions = HostFunctions::new([echo, pause]).unwrap();
        let runner = Runner::builder().host_functions(functions).build().unwrap();
        let runs = Runs::builder(bed.store(), runner).build().await.unwrap();
        let asked = runs.inbox(InboxQuery::default()).await.unwrap().remove(0).interruption;
        assert_eq!((asked.payload, asked.arguments), (Value::from("sure?"), vec![Value::from(1)]));
        runs.resolve(RUN, Resolution::new(asked.id, Answer::Value(true.into())), None).await.unwrap();
        assert_eq!(over(&runs, RUN).await, completed(true), "schema {version}");
        let kept = || {
            let connection = rusqlite::Connection::open(&path).unwrap();
            let count = "SELECT count(*) FROM entries";
            connection.query_row(count, [], |row| row.get::<_, u32>(0)).unwrap()
        };
        assert!(kept() > 1, "schema {version}");
        runs.delete(RUN).await.unwrap();
        assert_eq!(kept(), 0, "schema {version}");
    }
}
