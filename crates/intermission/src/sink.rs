//! Where a ledger is kept while its run goes on.

use futures_util::future::BoxFuture;
use intermission_ledger::{Ledger, RunId};

use crate::RunError;
use crate::drive::Drive;
use crate::runner::Shared;

/// Keeps a ledger, entry by entry, while its run goes on: written ahead. A host function is invoked only when everything up to its `Dispatched` is kept, and the
/// run answers nobody before everything is. A run can be continued from what was kept at any moment.
pub trait LedgerSink: Send + Sync {
    /// Keeps these entries in their byte form, in one go: all of them or none. The first of them is number `from` of the ledger, from 0. All that was kept of a
    /// run, joined behind the format's number (a byte, 1), is its record: [`Record::decode`](crate::ledger::Record::decode).
    fn append<'a>(
        &'a self,
        run: RunId,
        from: usize,
        entries: &'a [Vec<u8>],
    ) -> BoxFuture<'a, Result<(), SinkError>>;
}

/// Why entries could not be kept. The run ends there; what was kept is a run that can be continued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SinkError(pub String);

impl Drive<'_> {
    /// Keeps what was written since the last time.
    pub(crate) async fn commit(&mut self) -> Result<(), RunError> {
        self.kept = keep(self.runner, &self.ledger, self.kept).await?;
        Ok(())
    }
}

/// Keeps the entries of a ledger but for the first ones, which are kept already. Gives how many are kept then.
pub(crate) async fn keep(runner: &Shared, ledger: &Ledger, kept: usize) -> Result<usize, RunError> {
    let record = ledger.record();
    let length = record.entries().len();
    if let Some(sink) = &runner.sink
        && kept < length
    {
        let entries = record.encode_from(kept);
        let run = ledger.facts().run_id;
        sink.append(run, kept, &entries).await.map_err(|SinkError(why)| RunError::Sink(why))?;
    }
    Ok(length)
}
