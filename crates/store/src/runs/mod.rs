//! Runs over a store.

mod builder;
mod closing;
mod driver;
mod error;
mod invocation;
mod look;
mod sink;
mod tending;
mod watcher;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use intermission::ledger::{Entry, Ledger, LedgerError};
use intermission::value::encode;
use intermission::{Continuation, Resolution, ResumeError, RunId, RunInput, Runner, Value};
use tokio::sync::{Notify, Semaphore, watch};

use self::builder::Settings;
pub use self::builder::{Retention, RunsBuilder};
use self::driver::{LiveRun, Told};
pub use self::error::RunsError;
pub use self::look::Until;
pub use self::watcher::Passed;
use self::watcher::Watcher;
use crate::answer::Given;
use crate::lease::{Lease, WorkerId};
use crate::outcomes::{Created, Deleted, Emitted, Resolved, Wished};
use crate::rows::{Entries, Leasing, NewEvent, NewRun, Wish};
use crate::store::Store;

/// The runs of a store: starts them, goes on with them when they are answered or their time has come, and picks up what a dead process has left. Cheap to clone.
///
/// ```
/// use std::sync::Arc;
///
/// use intermission::{Answer, HostFunction, HostFunctions, Resolution, Runner, Value};
/// use intermission_store::{InboxQuery, RunState, Runs, SqliteStore, Until};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("runs.db");
/// let refund = HostFunction::sync("refund", |call| Ok(call.input())).approval();
/// let runner = Runner::builder().host_functions(HostFunctions::new([refund])?).build()?;
/// let runs = Runs::builder(Arc::new(SqliteStore::open(&path)?), runner).build().await?;
///
/// let run = runs.start("return await refund(10)").await?;
/// runs.wait(run, Until::Asks).await?;
/// // Days later, in another process:
/// let asked = &runs.inbox(InboxQuery::default()).await?[0].interruption;
/// runs.resolve(run, Resolution::new(asked.id.clone(), Answer::Approve), Some("ada")).await?;
/// let done = runs.wait(run, Until::Over).await?;
/// assert_eq!(done.state, RunState::Completed { value: Value::from(10) });
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Runs(Arc<Shared>);

pub(crate) struct Shared {
    store: Arc<dyn Store>,
    runner: Runner,
    worker: WorkerId,
    settings: Settings,
    watcher: Watcher,
    /// What is gone on with here.
    live: Mutex<BTreeMap<RunId, LiveRun>>,
    /// How many, those that are being leased too.
    count: watch::Sender<usize>,
    /// For how many more runs there is room here.
    room: Arc<Semaphore>,
    /// What cannot be gone on with as this process is set up.
    unfit: Mutex<BTreeSet<RunId>>,
    /// Leases whose runs could not be put down, because the store failed.
    left: Mutex<Vec<Lease>>,
    /// Something may have to be done.
    news: Arc<Notify>,
    /// Something was written here.
    written: Notify,
}

impl Shared {
    fn live(&self) -> MutexGuard<'_, BTreeMap<RunId, LiveRun>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn left(&self) -> MutexGuard<'_, Vec<Lease>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unfit(&self) -> MutexGuard<'_, BTreeSet<RunId>> {
        self.unfit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leasing(&self) -> Leasing {
        let now = self.runner.time();
        Leasing { worker: self.worker, now, until: now.saturating_add(millis(self.settings.lease)) }
    }

    /// Tells whoever waits here.
    fn changed(&self) {
        self.written.notify_waiters();
        self.news.notify_one();
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Runs {
    /// To choose how runs are gone on with.
    pub fn builder(store: Arc<dyn Store>, runner: Runner) -> RunsBuilder {
        RunsBuilder::new(store, runner)
    }

    /// Starts a run. It is kept before it does anything; what comes of it, [`wait`](Self::wait) tells. Of the input, limits, modules and the abort signal are not kept: those of the
    /// runner hold.
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn start<'a>(&self, input: impl Into<RunInput<'a>>) -> Result<RunId, RunsError> {
        let begun = self.0.runner.begin(input)?;
        self.keep(begun, None, None).await
    }

    /// Starts a run under a name of the caller's own, for example the id of a request that may come again: where there is a run of this key already, it is that one.
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn start_as<'a>(
        &self,
        key: impl Into<String>,
        input: impl Into<RunInput<'a>>,
    ) -> Result<RunId, RunsError> {
        let begun = self.0.runner.begin(input)?;
        self.keep(begun, Some(key.into()), None).await
    }

    /// Takes a run that began elsewhere, and goes on with it. Of a fork it is known what it was forked from.
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn adopt(&self, continuation: Continuation) -> Result<RunId, RunsError> {
        let mut entries = continuation.record().entries().iter().rev();
        let forked_from = entries.find_map(|entry| match entry {
            Entry::Forked { from, .. } => Some(*from),
            _ => None,
        });
        self.keep(continuation, None, forked_from).await
    }

    /// Starts another run that has the first `at` entries of its ledger, or all of them, in common with this one. Its calls have other idempotency keys.
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn fork(&self, run_id: RunId, at: impl Into<Option<usize>>) -> Result<RunId, RunsError> {
        let ledger = self.ledger(run_id).await?;
        let forked = ledger.fork(at.into().unwrap_or(ledger.record().entries().len()))?;
        self.keep(forked, None, Some(run_id)).await
    }

    async fn keep(
        &self,
        begun: Continuation,
        key: Option<String>,
        forked_from: Option<RunId>,
    ) -> Result<RunId, RunsError> {
        let (record, run_id) = (begun.record(), begun.run_id());
        let mut bytes = begun.to_bytes();
        let format = bytes.remove(0);
        let run = NewRun {
            run_id,
            key,
            name: record.started().name.clone(),
            format,
            forked_from,
            entries: Entries { from: 0, count: record.entries().len(), bytes },
            asked: begun.interruptions(),
            now: self.0.runner.time(),
        };
        // A run that already asks comes with what it asks.
        let is_new = record.entries().len() == 1;
        if is_new && let Some(place) = self.0.place() {
            return Ok(self.0.begin(run, place, begun).await?);
        }
        match self.0.store.create(run, None).await? {
            Created::Exists(run) => Ok(run),
            Created::New(_) => {
                self.0.changed();
                Ok(run_id)
            }
        }
    }

    /// Goes on with a run here, if nobody else does and there is anything to go on with. Whether it does. For whoever does not
    /// [pick up](RunsBuilder::picks_up) runs. It counts for no [`max_live`](RunsBuilder::max_live).
    ///
    /// # Errors
    /// [`RunsError`].
    pub async fn take_up(&self, run_id: RunId) -> Result<bool, RunsError> {
        if self.0.room.is_closed() {
            return Ok(false);
        }
        Ok(self.0.take(run_id).await?)
    }

    /// Whether a run is gone on with here.
    pub fn is_live(&self, run_id: RunId) -> bool {
        self.0.live().contains_key(&run_id)
    }

    /// Stops going on with a run here, if it is gone on with here, and gives it back: others may have it at once. What its host functions are doing is aborted, as when a
    /// process dies. Returns when it is given back, or its store could not be told.
    pub async fn let_go(&self, run_id: RunId) {
        loop {
            let written = self.0.written.notified();
            match self.0.live().get(&run_id) {
                None => return,
                Some(live) => live.lost.abort(),
            }
            written.await;
        }
    }

    /// Answers a question of a run: the first answer is the answer for ever, and is kept when this returns. The same again is a success. The run need not have been put away.
    ///
    /// # Errors
    /// [`RunsError::Conflict`] where another answer was first, [`RunsError::Refused`] where the answer does not fit the question.
    pub async fn resolve(
        &self,
        run_id: RunId,
        resolution: Resolution,
        by: Option<&str>,
    ) -> Result<Resolved, RunsError> {
        let continuation = self.ledger(run_id).await?;
        match self.0.runner.check(&continuation, &resolution) {
            // Whether it is too late, or too early, the store knows.
            Ok(())
            | Err(
                ResumeError::Unknown { .. }
                | ResumeError::Stale { .. }
                | ResumeError::Expired { .. }
                | ResumeError::Over,
            ) => {}
            Err(refused) => return Err(refused.into()),
        }
        let now = self.0.runner.time();
        let id = resolution.interruption_id;
        let given = Given {
            interruption_id: id.clone(),
            answer: resolution.answer,
            at: resolution.at.unwrap_or(now).min(now),
            by: by.map(str::to_owned),
        };
        let resolved = self.0.store.resolve(run_id, given).await?;
        self.0.told(run_id, Told::Answers);
        match resolved {
            Resolved::First | Resolved::Same | Resolved::Early => Ok(resolved),
            Resolved::Conflict { winner } => Err(RunsError::Conflict { winner }),
            Resolved::Expired { at } => Err(ResumeError::Expired { id, at }.into()),
            Resolved::Over => Err(ResumeError::Over.into()),
            Resolved::NoRun => Err(RunsError::NoRun { run_id }),
        }
    }

    /// Emits an event for the scripts of a run that wait for its key with `waitFor`, now or later: the first event of a key is its event for ever. Emitting the same again is a
    /// success.
    ///
    /// # Errors
    /// [`RunsError::Emitted`] where another was first.
    pub async fn emit(
        &self,
        run_id: RunId,
        key: impl Into<String>,
        value: impl Into<Value>,
        by: Option<&str>,
    ) -> Result<Emitted, RunsError> {
        let key = key.into();
        let event = NewEvent {
            run_id,
            key: key.clone(),
            value: encode(&value.into())?,
            at: self.0.runner.time(),
            by: by.map(str::to_owned),
        };
        let emitted = self.0.store.emit(event).await?;
        self.0.told(run_id, Told::Answers);
        match emitted {
            Emitted::First | Emitted::Same => Ok(emitted),
            Emitted::Conflict { winner } => {
                let winner = intermission::value::decode(&winner, usize::MAX).unwrap_or_default();
                Err(RunsError::Emitted { key, winner: Box::new(winner) })
            }
            Emitted::Over => Err(ResumeError::Over.into()),
            Emitted::NoRun => Err(RunsError::NoRun { run_id }),
        }
    }

    /// Cancels a run for good, as soon as somebody who goes on with it hears of it. Again is the same as once.
    ///
    /// # Errors
    /// [`RunsError::Refused`] with `RUN_OVER` where it is over already.
    pub async fn cancel(&self, run_id: RunId) -> Result<(), RunsError> {
        self.wish(run_id, Wish::Cancel, ResumeError::Over).await
    }

    /// Tries a run again that has failed. Where the rejection of a host call ended the script, that call is made again; everything else stays.
    ///
    /// # Errors
    /// [`RunsError::Refused`] with `NOT_RETRYABLE` where it has not failed.
    pub async fn retry(&self, run_id: RunId) -> Result<(), RunsError> {
        let continuation = self.ledger(run_id).await?;
        if continuation.over().is_some()
            && let Err(LedgerError::Refused(why)) = Ledger::retry(continuation.into_record())
        {
            return Err(ResumeError::NotRetryable { why }.into());
        }
        let why = "a retry of a run that has not failed";
        self.wish(run_id, Wish::Retry, ResumeError::NotRetryable { why }).await
    }

    async fn wish(&self, run_id: RunId, wish: Wish, not_now: ResumeError) -> Result<(), RunsError> {
        match self.0.store.wish(run_id, wish, self.0.runner.time()).await? {
            Wished::Kept => {
                match wish {
                    Wish::Cancel => self.0.told(run_id, Told::Cancel),
                    Wish::Retry => self.0.changed(),
                }
                Ok(())
            }
            Wished::NotNow => Err(not_now.into()),
            Wished::NoRun => Err(RunsError::NoRun { run_id }),
        }
    }

    /// Deletes a run that is over, with all its data. One that has failed and still asks, because a limit has stopped it for example, can be gone on with: cancel it first.
    ///
    /// # Errors
    /// [`RunsError::NotOver`].
    pub async fn delete(&self, run_id: RunId) -> Result<(), RunsError> {
        match self.0.store.delete(run_id).await? {
            Deleted::Gone => Ok(()),
            Deleted::NotOver => Err(RunsError::NotOver { run_id }),
            Deleted::NoRun => Err(RunsError::NoRun { run_id }),
        }
    }
}
