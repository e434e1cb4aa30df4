//! Where a ledger is kept while its run goes on.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use intermission_ledger::{Entry, InterruptionId, Ledger, RunId, entry};

use crate::drive::Drive;
use crate::interruption::interruption;
use crate::{Interruption, RunError};

/// Keeps a ledger while its run goes on: written ahead. A host function is invoked only when everything up to its `Dispatched` is kept, and the
/// run answers nobody before everything is. A run can be continued from what was kept at any moment.
pub trait LedgerSink: Send + Sync {
    /// Keeps these entries in one go: all of them or none.
    ///
    /// # Errors
    /// [`SinkError`]. The invocation ends there, and nothing of what was to be kept has left the sandbox.
    fn append<'a>(&'a self, batch: Batch<'a>) -> BoxFuture<'a, Result<(), SinkError>>;
}

/// What was written since the last time: entries between which nothing left the sandbox.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    ledger: &'a Ledger,
    from: usize,
}

impl<'a> Batch<'a> {
    /// The run.
    pub fn run_id(&self) -> RunId {
        self.ledger.facts().run_id
    }

    /// The number of its first entry in the ledger, from 0.
    pub fn from(&self) -> usize {
        self.from
    }

    /// The entries.
    pub fn entries(&self) -> &'a [Entry] {
        &self.ledger.record().entries()[self.from..]
    }

    /// Their byte forms. All that was kept of a run, joined behind the format's number (a byte, 1), is its record:
    /// [`Record::decode`](crate::ledger::Record::decode).
    pub fn encoded(&self) -> Vec<Vec<u8>> {
        self.ledger.record().encode_from(self.from)
    }

    /// The same, joined.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64 * self.entries().len());
        self.ledger.record().encode_behind(self.from, &mut bytes);
        bytes
    }

    /// The questions among them, in order, whatever became of them since.
    pub fn interruptions(&self) -> Vec<Interruption> {
        let record = self.ledger.record();
        let request = |call| {
            record.entries().iter().rev().find_map(|entry| match entry {
                Entry::Called { call: made, request } if *made == call => Some(request),
                _ => None,
            })
        };
        let asked = |entry: &Entry| match entry {
            Entry::Interrupted(question) => Some(interruption(
                self.identity(question),
                request(question.call)?,
                question,
                record.started(),
            )),
            _ => None,
        };
        self.entries().iter().filter_map(asked).collect()
    }

    /// The questions that were answered, or had their time, among them: which, and how.
    pub fn resolutions(&self) -> Vec<(InterruptionId, &'a entry::Resolution)> {
        let record = self.ledger.record();
        let question = |index: usize, call: u32| {
            record.entries()[..index].iter().rev().find_map(|entry| match entry {
                Entry::Interrupted(question) if question.call == call => Some(self.identity(question)),
                _ => None,
            })
        };
        let resolved = |(index, entry): (usize, &'a Entry)| match entry {
            Entry::Resolved { call, resolution, .. } => {
                Some((question(self.from + index, *call)?, resolution))
            }
            _ => None,
        };
        self.entries().iter().enumerate().filter_map(resolved).collect()
    }

    /// The questions among them that the run ended without.
    pub fn abandoned(&self) -> Vec<InterruptionId> {
        let facts = self.ledger.facts();
        let given_up = |entry: &Entry| match entry {
            Entry::Abandoned { call } => {
                facts.abandoned().find(|(_, _, question)| question.call == *call).map(|(id, ..)| id)
            }
            _ => None,
        };
        self.entries().iter().filter_map(given_up).collect()
    }

    /// The questions that are open again because of a retry among them: the run had ended without an answer.
    pub fn reopened(&self) -> Vec<InterruptionId> {
        if !self.entries().iter().any(|entry| matches!(entry, Entry::Retried { .. })) {
            return Vec::new();
        }
        let asked: Vec<_> = self.interruptions().into_iter().map(|asked| asked.id).collect();
        let open = self.ledger.facts().questions().map(|(id, ..)| id);
        open.filter(|id| !asked.contains(id)).collect()
    }

    fn identity(&self, question: &entry::Question) -> InterruptionId {
        InterruptionId::new(self.run_id(), question.call, question.ordinal)
    }
}

/// Why entries could not be kept. The run ends there; what was kept is a run that can be continued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SinkError(pub String);

impl Drive<'_> {
    /// Keeps what was written since the last time.
    pub(crate) async fn commit(&mut self) -> Result<(), RunError> {
        self.kept = keep(self.sink.as_ref(), &self.ledger, self.kept).await?;
        self.live.say();
        Ok(())
    }

    /// Whether a call was set going that is not kept: it must not be polled yet.
    pub(crate) fn is_ahead(&self) -> bool {
        let written = &self.ledger.record().entries()[self.kept..];
        written.iter().any(|entry| matches!(entry, Entry::Dispatched { .. }))
    }
}

/// Keeps the entries of a ledger but for the first ones, which are kept already. Gives how many are kept then.
pub(crate) async fn keep(
    sink: Option<&Arc<dyn LedgerSink>>,
    ledger: &Ledger,
    kept: usize,
) -> Result<usize, RunError> {
    let length = ledger.record().entries().len();
    if let Some(sink) = sink
        && kept < length
    {
        let batch = Batch { ledger, from: kept };
        sink.append(batch).await.map_err(|SinkError(why)| RunError::Sink(why))?;
    }
    Ok(length)
}
