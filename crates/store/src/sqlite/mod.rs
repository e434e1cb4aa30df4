//! A store in a file of SQLite.

mod answers;
mod columns;
mod crash;
mod error;
mod file;
mod look;
mod points;
mod readers;
mod runs;
mod schema;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use intermission::{Claimed as ClaimedPoint, InterruptionId, Point, RunId};

use self::crash::Armed;
#[cfg(feature = "crash-points")]
pub use self::crash::CrashPoint;
#[cfg(not(feature = "crash-points"))]
use self::crash::Write;
#[cfg(feature = "crash-points")]
pub use self::crash::{Moment, Write};
use self::file::File;
use crate::answer::Given;
use crate::lease::{Lease, WorkerId};
use crate::outcomes::{Appended, Created, Deleted, Emitted, PutDown, Resolved, Wished};
use crate::rows::{
    FunctionSchema, Held, InboxQuery, Leasing, Loaded, NewEntries, NewEvent, NewRun, Notice, Rest, RunQuery,
    StoredInterruption, StoredRun, Wanted, Wish,
};
use crate::store::{Later, Store};
use crate::{StoreError, answer_bytes};

/// A store in one file, that processes on one machine share: SQLite, with its write-ahead log beside the file. Cheap to clone.
///
/// ```
/// use intermission_store::{SqliteStore, Store};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("runs.db");
/// let store = SqliteStore::open(&path)?;
/// assert_eq!(store.runs(Default::default()).await?, []);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct SqliteStore(Arc<File>);

/// What a write survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncLevel {
    /// A power cut: the disk is waited for.
    #[default]
    Full,
    /// A killed process, and not a power cut, which may lose the latest writes. What is there is whole all the same.
    Normal,
}

impl SyncLevel {
    const fn pragma(self) -> &'static str {
        match self {
            Self::Full => "FULL",
            Self::Normal => "NORMAL",
        }
    }
}

/// How a file is opened.
#[derive(Clone, Debug)]
#[must_use]
pub struct SqliteOptions {
    sync: SyncLevel,
    patience: Duration,
    max_pages: Option<u32>,
    #[cfg(feature = "crash-points")]
    crash_at: Option<CrashPoint>,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self {
            sync: SyncLevel::Full,
            patience: Duration::from_secs(5),
            max_pages: None,
            #[cfg(feature = "crash-points")]
            crash_at: None,
        }
    }
}

impl SqliteOptions {
    /// What a write survives. Default: [`SyncLevel::Full`].
    pub fn sync(mut self, sync: SyncLevel) -> Self {
        self.sync = sync;
        self
    }

    /// How long a write waits for another process's. Default: 5 s. A write takes as long as the disk.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The most pages, of 4 KiB each, that the file may have. Default: as many as there is room for.
    pub fn max_pages(mut self, pages: u32) -> Self {
        self.max_pages = Some(pages);
        self
    }

    /// Where the process aborts.
    #[cfg(feature = "crash-points")]
    pub fn crash_at(mut self, point: CrashPoint) -> Self {
        self.crash_at = Some(point);
        self
    }

    #[cfg(feature = "crash-points")]
    fn armed(&self) -> Armed {
        Armed::new(self.crash_at)
    }

    #[cfg(not(feature = "crash-points"))]
    #[expect(clippy::unused_self, reason = "with the feature it is the options' point")]
    fn armed(&self) -> Armed {
        Armed
    }

    /// Opens a file, or makes it. One of an older version is brought to this one's schema.
    ///
    /// # Errors
    /// [`StoreError`]: when it cannot be opened, is something else, or is of a newer version. The file is as it was then.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<SqliteStore, StoreError> {
        Ok(SqliteStore(Arc::new(File::open(path.as_ref(), self)?)))
    }
}

impl SqliteStore {
    /// Opens a file with default options, or makes it.
    ///
    /// # Errors
    /// As [`SqliteOptions::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::options().open(path)
    }

    /// To choose how it is opened.
    pub fn options() -> SqliteOptions {
        SqliteOptions::default()
    }

    /// Looks through the whole file for damage: what was found, a text each.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn check(&self) -> Result<Vec<String>, StoreError> {
        match self.0.read(look::check).await {
            // Where the damage is so great that it cannot even be looked through.
            Err(StoreError::Corrupt { why, .. }) => Ok(vec![why]),
            checked => checked,
        }
    }
}

impl Store for SqliteStore {
    fn create(&self, run: NewRun, leasing: Option<Leasing>) -> Later<'_, Created> {
        Box::pin(self.0.write(Write::Create, move |t| runs::create(t, &run, leasing)))
    }

    fn append(&self, lease: Lease, entries: NewEntries) -> Later<'_, Appended> {
        Box::pin(async move {
            if entries.asked.is_empty() && entries.reopened.is_empty() && entries.over.is_empty() {
                return self.0.append(lease, entries.entries).await;
            }
            self.0.write(Write::Append, move |t| runs::append(t, lease, &entries)).await
        })
    }

    fn claim(&self, leasing: Leasing, wanted: Wanted) -> Later<'_, Vec<Lease>> {
        Box::pin(async move {
            // Most looks find nothing: they keep nobody from writing.
            let looked_for = wanted.clone();
            if self.0.glance(move |t| runs::claimable(t, leasing, &looked_for)).await?.is_empty() {
                return Ok(Vec::new());
            }
            self.0.write(Write::Claim, move |t| runs::claim(t, leasing, &wanted)).await
        })
    }

    fn renew(&self, leasing: Leasing) -> Later<'_, Vec<Lease>> {
        Box::pin(self.0.write(Write::Renew, move |t| runs::renew(t, leasing)))
    }

    fn held(&self, worker: WorkerId) -> Later<'_, Vec<Held>> {
        // Asked for every few moments, by everybody who goes on with runs.
        self.0.make_way();
        Box::pin(self.0.glance(move |t| runs::held(t, worker)))
    }

    fn load(&self, run_id: RunId) -> Later<'_, Option<Loaded>> {
        Box::pin(self.0.glance(move |t| look::load(t, run_id)))
    }

    fn untaken(&self, run_id: RunId) -> Later<'_, Vec<Given>> {
        Box::pin(self.0.glance(move |t| look::untaken(t, run_id)))
    }

    fn put_down(&self, lease: Lease, rest: Rest, now: u64) -> Later<'_, PutDown> {
        Box::pin(self.0.write(Write::PutDown, move |t| runs::put_down(t, lease, &rest, now)))
    }

    fn resolve(&self, run_id: RunId, given: Given) -> Later<'_, Resolved> {
        Box::pin(async move {
            let answer = answer_bytes(&given.answer).map_err(|error| StoreError::Failed {
                place: "an answer".to_owned(),
                why: error.to_string(),
            })?;
            self.0.write(Write::Resolve, move |t| answers::resolve(t, run_id, &given, &answer)).await
        })
    }

    fn discard(&self, run_id: RunId, interruption_id: InterruptionId) -> Later<'_, ()> {
        Box::pin(self.0.write(Write::Discard, move |t| answers::discard(t, run_id, &interruption_id)))
    }

    fn emit(&self, event: NewEvent) -> Later<'_, Emitted> {
        Box::pin(self.0.write(Write::Emit, move |t| answers::emit(t, &event)))
    }

    fn wish(&self, run_id: RunId, wish: Wish, now: u64) -> Later<'_, Wished> {
        Box::pin(self.0.write(Write::Wish, move |t| runs::wish(t, run_id, wish, now)))
    }

    fn delete(&self, run_id: RunId) -> Later<'_, Deleted> {
        Box::pin(self.0.write(Write::Delete, move |t| runs::delete(t, run_id)))
    }

    fn delete_over(&self, before: u64, limit: usize) -> Later<'_, usize> {
        Box::pin(self.0.write(Write::DeleteOver, move |t| runs::delete_over(t, before, limit)))
    }

    fn remember_functions(&self, functions: Vec<FunctionSchema>, now: u64) -> Later<'_, ()> {
        Box::pin(self.0.write(Write::RememberFunctions, move |t| runs::remember(t, &functions, now)))
    }

    fn functions(&self, name: String) -> Later<'_, Vec<FunctionSchema>> {
        Box::pin(self.0.read(move |t| look::functions(t, &name)))
    }

    fn run(&self, run_id: RunId) -> Later<'_, Option<StoredRun>> {
        Box::pin(self.0.glance(move |t| look::run(t, run_id)))
    }

    fn runs(&self, query: RunQuery) -> Later<'_, Vec<StoredRun>> {
        Box::pin(self.0.read(move |t| look::runs(t, &query)))
    }

    fn inbox(&self, query: InboxQuery) -> Later<'_, Vec<StoredInterruption>> {
        Box::pin(self.0.read(move |t| look::inbox(t, &query)))
    }

    fn run_of(&self, interruption_id: InterruptionId) -> Later<'_, Option<RunId>> {
        Box::pin(self.0.glance(move |t| look::run_of(t, &interruption_id)))
    }

    fn answers(&self, run_id: RunId) -> Later<'_, Vec<Given>> {
        Box::pin(self.0.read(move |t| look::answers(t, run_id)))
    }

    fn notices(&self, after: u64, run_id: Option<RunId>, limit: usize) -> Later<'_, Vec<Notice>> {
        Box::pin(self.0.glance(move |t| look::notices(t, after, run_id, limit)))
    }

    fn next_wake(&self) -> Later<'_, Option<u64>> {
        Box::pin(self.0.glance(look::next_wake))
    }

    fn claim_point(
        &self,
        point: Point,
        answers: String,
        now: u64,
        until: u64,
    ) -> Later<'_, Option<ClaimedPoint>> {
        Box::pin(self.0.write(Write::ClaimPoint, move |t| points::claim(t, point, &answers, now, until)))
    }

    fn settle_point(&self, point: Point, ticket: u64, ledger: Vec<u8>, done: bool) -> Later<'_, ()> {
        Box::pin(self.0.write(Write::SettlePoint, move |t| points::settle(t, point, ticket, &ledger, done)))
    }

    fn release_point(&self, point: Point, ticket: u64) -> Later<'_, ()> {
        Box::pin(self.0.write(Write::ReleasePoint, move |t| points::release(t, point, ticket)))
    }
}
