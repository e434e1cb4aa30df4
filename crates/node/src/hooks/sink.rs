//! A ledger that JavaScript keeps.

use futures_util::future::BoxFuture;
use intermission::{LedgerSink, RunId, SinkError, Value};

use crate::asks::Asks;

pub(crate) struct AskedSink(pub(crate) Asks);

impl LedgerSink for AskedSink {
    fn append<'a>(
        &'a self,
        run: RunId,
        from: usize,
        entries: &'a [Vec<u8>],
    ) -> BoxFuture<'a, Result<(), SinkError>> {
        Box::pin(async move {
            let body = [
                ("runId", run.to_string().into()),
                ("from", Value::from(from as f64)),
                ("entries", Value::array(entries.iter().map(|entry| Value::bytes(entry.clone())))),
            ];
            let kept = self.0.ask("append", body).await;
            kept.map(drop).map_err(|error| SinkError(error.message().to_owned()))
        })
    }
}
