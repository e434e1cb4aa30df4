//! What a store does.

use futures_util::future::BoxFuture;
use intermission::{Claimed as ClaimedPoint, InterruptionId, Point, RunId};

use crate::StoreError;
use crate::answer::Given;
use crate::lease::{Lease, WorkerId};
use crate::outcomes::{Appended, Created, Deleted, Emitted, PutDown, Resolved, Wished};
use crate::rows::{
    FunctionSchema, Held, InboxQuery, Leasing, Loaded, NewEntries, NewEvent, NewRun, Notice, Rest, RunQuery,
    StoredInterruption, StoredRun, Wanted, Wish,
};

/// What comes of an operation, later.
pub type Later<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Where runs are kept: a database. Each operation is one atomic step, however many processes use the store, and its outcome says what has happened. When it has
/// returned, what it wrote is as durable as the store promises.
///
/// The only clock is the caller's: times are milliseconds since 1970.
///
/// # Errors
/// Of every operation: [`StoreError`]. Nothing of it has happened then; where it is not known whether it has, saying it again is harmless.
pub trait Store: Send + Sync + 'static {
    /// Keeps a run that is about to begin, and leases it, unless nobody wants to go on with it yet. Of one key there is one run.
    fn create(&self, run: NewRun, leasing: Option<Leasing>) -> Later<'_, Created>;

    /// Keeps entries of a run's ledger behind those that it has, if the lease still holds.
    fn append(&self, lease: Lease, entries: NewEntries) -> Later<'_, Appended>;

    /// Leases runs: of those that this worker has not leased already, however old its lease is.
    fn claim(&self, leasing: Leasing, wanted: Wanted) -> Later<'_, Vec<Lease>>;

    /// Makes the leases of a worker last longer, those that nobody else has taken. Gives them.
    fn renew(&self, leasing: Leasing) -> Later<'_, Vec<Lease>>;

    /// The runs that a worker has leased, and whether there is news for them.
    fn held(&self, worker: WorkerId) -> Later<'_, Vec<Held>>;

    /// All that a run is gone on from.
    fn load(&self, run_id: RunId) -> Later<'_, Option<Loaded>>;

    /// The answers that a run has not taken: to its pending questions, and events that it waits for.
    fn untaken(&self, run_id: RunId) -> Later<'_, Vec<Given>>;

    /// Gives a lease back, and says what has become of the run. A run that would wait is not put down while there are answers that it has not taken.
    fn put_down(&self, lease: Lease, rest: Rest, now: u64) -> Later<'_, PutDown>;

    /// Keeps an answer, if it is the first, and makes a run ready that waits for it.
    fn resolve(&self, run_id: RunId, given: Given) -> Later<'_, Resolved>;

    /// Forgets an answer that came before its question, and that the question cannot have.
    fn discard(&self, run_id: RunId, interruption_id: InterruptionId) -> Later<'_, ()>;

    /// Keeps an event, if it is the first of its key, and makes a run ready that waits for it.
    fn emit(&self, event: NewEvent) -> Later<'_, Emitted>;

    /// Keeps a wish, and makes a run ready that nobody goes on with.
    fn wish(&self, run_id: RunId, wish: Wish, now: u64) -> Later<'_, Wished>;

    /// Deletes a run that is over and asks nothing any more, with all its data.
    fn delete(&self, run_id: RunId) -> Later<'_, Deleted>;

    /// Deletes runs that were over before this time, at most so many. Gives how many there were.
    fn delete_over(&self, before: u64, limit: usize) -> Later<'_, usize>;

    /// Remembers what host functions are, those that are not known yet.
    fn remember_functions(&self, functions: Vec<FunctionSchema>, now: u64) -> Later<'_, ()>;

    /// What was ever lent under a name, the oldest first.
    fn functions(&self, name: String) -> Later<'_, Vec<FunctionSchema>>;

    /// A run.
    fn run(&self, run_id: RunId) -> Later<'_, Option<StoredRun>>;

    /// Runs, the newest first.
    fn runs(&self, query: RunQuery) -> Later<'_, Vec<StoredRun>>;

    /// Questions that nobody has answered, the oldest first.
    fn inbox(&self, query: InboxQuery) -> Later<'_, Vec<StoredInterruption>>;

    /// The run that asks this, has asked it, or was answered before it has.
    fn run_of(&self, interruption_id: InterruptionId) -> Later<'_, Option<RunId>>;

    /// The answers of a run, those that were taken too, in the order in which they were given.
    fn answers(&self, run_id: RunId) -> Later<'_, Vec<Given>>;

    /// What happened behind the notice of this number, at most so much: to one run, or to any.
    fn notices(&self, after: u64, run_id: Option<RunId>, limit: usize) -> Later<'_, Vec<Notice>>;

    /// The first time at which a run that waits goes on by itself.
    fn next_wake(&self) -> Later<'_, Option<u64>>;

    /// One look at a point of a run, as [`intermission::Claims`] has it; `None` while somebody goes on from it with the same answers. A claim is too old at
    /// `until`.
    fn claim_point(
        &self,
        point: Point,
        answers: String,
        now: u64,
        until: u64,
    ) -> Later<'_, Option<ClaimedPoint>>;

    /// What came of going on from a point.
    fn settle_point(&self, point: Point, ticket: u64, ledger: Vec<u8>, done: bool) -> Later<'_, ()>;

    /// Nothing came of it.
    fn release_point(&self, point: Point, ticket: u64) -> Later<'_, ()>;
}
