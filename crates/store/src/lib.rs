//! Runs that survive the process that they began in.
//!
//! A [`Store`] keeps runs: their ledgers, written ahead, what they ask, and what was answered. [`SqliteStore`] is one, in a file. [`Runs`] goes on with the runs of a store: it starts them,
//! takes answers, wakes them when their time has come, and picks up what a dead process has left. docs/durable-runs.md tells what is promised.

mod answer;
mod error;
mod lease;
mod outcomes;
mod point_claims;
mod rows;
mod runs;
mod sqlite;
mod store;

pub use answer::{Given, answer_bytes, answer_of};
pub use error::StoreError;
pub use lease::{Lease, WorkerId};
pub use outcomes::{Appended, Created, Deleted, Emitted, PutDown, Resolved, Wished};
pub use point_claims::StoreClaims;
pub use rows::{
    Entries, FunctionSchema, Held, InboxQuery, Leasing, Loaded, NewEntries, NewEvent, NewRun, Notice,
    QuestionOver, Rest, RunQuery, RunState, StoredInterruption, StoredRun, Wanted, What, Wish,
};
pub use runs::{Passed, Retention, Runs, RunsBuilder, RunsError, Until};
#[cfg(feature = "crash-points")]
pub use sqlite::{CrashPoint, Moment, Write};
pub use sqlite::{SqliteOptions, SqliteStore, SyncLevel};
pub use store::{Later, Store};
