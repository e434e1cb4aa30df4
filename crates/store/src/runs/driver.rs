//! A run that is gone on with here, until it is put down.

use std::sync::Arc;

use intermission::{AbortController, Continuation, RunId};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::Shared;
use super::invocation::{Invocation, Next};
use super::watcher::Passed;
use crate::StoreError;
use crate::lease::Lease;
use crate::outcomes::{Created, PutDown};
use crate::rows::{NewRun, Rest};

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

    /// Keeps a new run and goes on with it, both by itself: whoever starts a run may stop to wait for that at any time, and it is not left lying.
    pub(super) async fn begin(
        self: &Arc<Self>,
        run: NewRun,
        place: OwnedSemaphorePermit,
        begun: Continuation,
    ) -> Result<RunId, StoreError> {
        let (tell, told) = oneshot::channel();
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            let run_id = run.run_id;
            let created = shared.store.create(run, Some(shared.leasing())).await;
            let lease = match &created {
                Ok(Created::New(lease)) => *lease,
                Ok(Created::Exists(_)) | Err(_) => None,
            };
            let drive = lease.map(|lease| shared.drive(lease, Some(place), Some(begun)));
            let _ = tell.send(created.map(|created| match created {
                Created::New(_) => run_id,
                Created::Exists(run) => run,
            }));
            if let Some(drive) = drive {
                shared.written.notify_waiters();
                drive.await;
            }
        });
        told.await.unwrap_or_else(|_| {
            Err(StoreError::Failed { place: "a new run".to_owned(), why: "its runtime has ended".to_owned() })
        })
    }

    /// Goes on with a leased run, by itself.
    pub(super) fn go_on(self: &Arc<Self>, lease: Lease, place: Option<OwnedSemaphorePermit>) {
        tokio::spawn(self.drive(lease, place, None));
    }

    /// Goes on with a leased run, which is live from now on: from what the store has, or, where it was just made here, from `begun`, which is the same.
    fn drive(
        self: &Arc<Self>,
        lease: Lease,
        place: Option<OwnedSemaphorePermit>,
        mut begun: Option<Continuation>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let (told, mut heard) = unbounded_channel();
        let lost = AbortController::new();
        let signal = lost.signal();
        let mut live = self.live();
        live.insert(lease.run_id, LiveRun { lease, told, lost });
        self.count.send_replace(live.len());
        drop(live);
        let shared = Arc::clone(self);
        async move {
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
            // Of a run that is over nothing more is to be done; and others wait for its place only where there was no other.
            let is_news = !is_over || ended.is_err() || shared.room.available_permits() == 0;
            drop(place);
            shared.ended(lease, ended);
            if is_news {
                shared.news.notify_one();
            }
        }
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

    fn ended(&self, lease: Lease, ended: Result<(), StoreError>) {
        let mut live = self.live();
        if live.get(&lease.run_id).is_some_and(|live| live.lease == lease) {
            live.remove(&lease.run_id);
            self.count.send_replace(live.len());
        }
        drop(live);
        if let Err(error) = ended {
            tracing::error!(run_id = %lease.run_id, code = error.code(), "{error}");
            self.left().push(lease);
            self.watcher.tell(lease.run_id, Passed::Stopped(error));
        }
        self.written.notify_waiters();
    }
}
