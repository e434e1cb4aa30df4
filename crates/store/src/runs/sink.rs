//! Where the ledger of a run goes that is gone on with.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use intermission::ledger::entry::Resolution;
use intermission::{Batch, LedgerSink, SinkError};

use super::Shared;
use crate::StoreError;
use crate::lease::Lease;
use crate::outcomes::Appended;
use crate::rows::{Entries, NewEntries, QuestionOver};

/// Why an invocation could not write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Somebody else has the run now.
    Lost,
    /// An answer came, just in time.
    Answered,
    /// The store failed.
    Store(StoreError),
}

/// Writes under a lease.
#[derive(Clone)]
pub(crate) struct LeasedSink {
    shared: Arc<Shared>,
    lease: Lease,
    cause: Arc<Mutex<Option<Cause>>>,
}

impl LeasedSink {
    pub(crate) fn new(shared: Arc<Shared>, lease: Lease) -> Self {
        Self { shared, lease, cause: Arc::default() }
    }

    /// Why it could not write, where that is so.
    pub(crate) fn cause(&self) -> Option<Cause> {
        self.cause.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn stopped(&self, cause: Cause) -> SinkError {
        let why = match &cause {
            Cause::Lost => "another process goes on with the run".to_owned(),
            Cause::Answered => "an answer came in time".to_owned(),
            Cause::Store(error) => error.to_string(),
        };
        *self.cause.lock().unwrap_or_else(PoisonError::into_inner) = Some(cause);
        SinkError(why)
    }
}

fn new_entries(batch: Batch<'_>, now: u64) -> NewEntries {
    let over = |resolution: &Resolution| match resolution {
        Resolution::Expired => QuestionOver::Expired,
        _ => QuestionOver::Answered,
    };
    let mut questions: Vec<_> =
        batch.resolutions().into_iter().map(|(id, resolution)| (id, over(resolution))).collect();
    questions.extend(batch.abandoned().into_iter().map(|id| (id, QuestionOver::Abandoned)));
    NewEntries {
        entries: Entries { from: batch.from(), count: batch.entries().len(), bytes: batch.bytes() },
        asked: batch.interruptions(),
        reopened: batch.reopened(),
        over: questions,
        now,
    }
}

impl LedgerSink for LeasedSink {
    fn append<'a>(&'a self, batch: Batch<'a>) -> BoxFuture<'a, Result<(), SinkError>> {
        Box::pin(async move {
            let new = new_entries(batch, self.shared.runner.time());
            match self.shared.store.append(self.lease, new).await {
                Ok(Appended::Kept) => Ok(()),
                Ok(Appended::Lost) => Err(self.stopped(Cause::Lost)),
                Ok(Appended::Answered(_)) => Err(self.stopped(Cause::Answered)),
                Err(error) => Err(self.stopped(Cause::Store(error))),
            }
        })
    }
}
