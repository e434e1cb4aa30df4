//! Where a ledger is kept while its run goes on.

use futures_util::future::BoxFuture;
use intermission_ledger::RunId;

use crate::RunError;
use crate::drive::Drive;

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
        let Some(sink) = &self.runner.sink else { return Ok(()) };
        let record = self.ledger.record();
        let length = record.entries().len();
        if self.kept == length {
            return Ok(());
        }
        let entries = record.encode_from(self.kept);
        let run = self.ledger.facts().run_id;
        sink.append(run, self.kept, &entries).await.map_err(|SinkError(why)| RunError::Sink(why))?;
        self.kept = length;
        Ok(())
    }
}
