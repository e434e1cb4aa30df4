//! A run that is gone on with here, until it is put down.

use std::sync::Arc;

use intermission::{AbortController, Continuation, RunId};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, watch};

use super::Shared;
use super::invocation::{Invocation, Next};
use super::watcher::Passed;
use crate::StoreError;
use crate::lease::Lease;
use crate::outcomes::{Created, PutDown};
use crate::rows::{NewRun, Rest, Wanted};

/// What a run that is gone on with is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// There may be answers.
    Answers,
    /// It is cancelled.
    Cancel,
}

/// A run that is gone on with here.
pub(crate) struct LiveRun {
    pub(crate) lease: Lease,
    pub(crate) told: UnboundedSender<Told>,
    /// Aborted when the lease is lost, or is to be given back.
    pub(crate) lost: AbortController,
}

impl Shared {
    /// Room for one more run, if there is any.
    pub(super) fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.room).try_acquire_owned().ok()
    }

    /// Whether a run is gone on with here, and its lease is not lost, as far as is known.
    pub(super) fn has(&self, run_id: RunId) -> bool {
        self.live().get(&run_id).is_some_and(|live| !live.lost.signal().is_aborted())
    }

    /// Somebody here has written something for a run.
    pub(super) fn told(&self, run_id: RunId, told: Told) {
        if let Some(live) = self.live().get(&run_id) {
            // One that has just come to its end hears of it when it is put down.
            let _ = live.told.send(told);
        }
        self.changed();
    }

    /// Keeps a new run and goes on with it.
    pub(super) async fn begin(
        self: &Arc<Self>,
        run: NewRun,
        place: OwnedSemaphorePermit,
        begun: Continuation,
    ) -> Result<RunId, StoreError> {
        let (shared, going) = (Arc::clone(self), self.going());
        whole(async move {
            let run_id = run.run_id;
            match shared.store.create(run, Some(shared.leasing())).await? {
                Created::New(None) => Ok(run_id),
                Created::New(Some(lease)) => {
                    shared.go_on_if_open(lease, going, Some(place), Some(begun)).await?;
                    shared.written.notify_waiters();
                    Ok(run_id)
                }
                Created::Exists(run) => Ok(run),
            }
        })
        .await
    }

    /// Goes on with a run, if nobody else does and there is anything to go on with. Whether it does.
    pub(super) async fn take(self: &Arc<Self>, run_id: RunId) -> Result<bool, StoreError> {
        let (shared, going) = (Arc::clone(self), self.going());
        whole(async move {
            let leases = shared.store.claim(shared.leasing(), Wanted::Run(run_id)).await?;
            let Some(lease) = leases.first() else { return Ok(false) };
            shared.go_on_if_open(*lease, going, None, None).await
        })
        .await
    }

    /// A process that is about to end leaves to others what it has leased meanwhile.
    async fn go_on_if_open(
        self: &Arc<Self>,
        lease: Lease,
        going: Going,
        place: Option<OwnedSemaphorePermit>,
        begun: Option<Continuation>,
    ) -> Result<bool, StoreError> {
        if self.room.is_closed() {
            self.store.put_down(lease, Rest::Ready, self.runner.time()).await?;
            return Ok(false);
        }
        self.go_on(lease, going, place, begun);
        Ok(true)
    }

    pub(super) fn going(&self) -> Going {
        self.count.send_modify(|going| *going += 1);
        Going(self.count.clone())
    }

    /// Goes on with a leased run, by itself: from what the store has, or, where it was just made here, from `begun`, which is the same.
    pub(super) fn go_on(
        self: &Arc<Self>,
        lease: Lease,
        going: Going,
        place: Option<OwnedSemaphorePermit>,
        mut begun: Option<Continuation>,
    ) {
        let (told, mut heard) = unbounded_channel();
        let lost = AbortController::new();
        let signal = lost.signal();
        self.live().insert(lease.run_id, LiveRun { lease, told, lost });
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            let invocation = Invocation { shared: &shared, lease, lost: signal };
            let mut is_over = false;
            let ended = loop {
                let next = match invocation.run(begun.take(), &mut heard).await {
                    Ok(next) => next,
                    Err(error) => break Err(error),
                };
                is_over = matches!(next, Next::Rest(Rest::Completed { .. }));
                match shared.put_down(lease, next, place.is_some()).await {
                    Ok(PutDown::Again) => {}
                    Ok(PutDown::Done | PutDown::Lost) => break Ok(()),
                    Err(error) => break Err(error),
                }
            };
            drop(place);
            // Of a run that is over nothing more is to be done; and others wait for its place only where there was no other.
            let is_news = !is_over || ended.is_err() || shared.room.available_permits() <= 1;
            shared.ended(lease, going, ended);
            if is_news {
                shared.news.notify_one();
            }
        });
    }

    /// What was taken up here on somebody's order, and cannot be gone on with here, has failed; anything else is left to others.
    async fn put_down(&self, lease: Lease, next: Next, by_itself: bool) -> Result<PutDown, StoreError> {
        let rest = match next {
            Next::Rest(rest) => rest,
            Next::Unfit { code, message } if by_itself => {
                tracing::warn!(run_id = %lease.run_id, code, "it is left to others: {message}");
                self.unfit().insert(lease.run_id);
                Rest::Ready
            }
            Next::Unfit { code, message } => Rest::Failed { code, message },
            Next::Again => return Ok(PutDown::Again),
            Next::Lost => return Ok(PutDown::Lost),
        };
        self.store.put_down(lease, rest, self.runner.time()).await
    }

    fn ended(&self, lease: Lease, going: Going, ended: Result<(), StoreError>) {
        let mut live = self.live();
        if live.get(&lease.run_id).is_some_and(|live| live.lease == lease) {
            live.remove(&lease.run_id);
        }
        drop(live);
        drop(going);
        if let Err(error) = ended {
            tracing::error!(run_id = %lease.run_id, code = error.code(), "{error}");
            self.left().push(lease);
            self.watcher.tell(lease.run_id, Passed::Stopped(error));
        }
        self.written.notify_waiters();
    }
}

/// One of what is gone on with here, from before it is leased until it is put down: as long as this is there, it is counted.
pub(crate) struct Going(watch::Sender<usize>);

impl Drop for Going {
    fn drop(&mut self) {
        self.0.send_modify(|going| *going -= 1);
    }
}

/// Does all of it, whoever stops to wait for it: what was leased and is not gone on with would be in nobody's hands.
async fn whole<T: Send + 'static>(
    work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::spawn(work)
        .await
        .unwrap_or_else(|error| Err(StoreError::Failed { place: "a run".to_owned(), why: error.to_string() }))
}
