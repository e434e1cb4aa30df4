//! A store that the user's own code keeps continuations in.

use futures_util::future::BoxFuture;
use intermission::Value;
use intermission::codec::{ClaimedEntry, ContinuationStore, StoreError, StoredEntry};

use crate::asks::Asks;
use crate::message::maybe;

pub(crate) struct AskedStore(pub(crate) Asks);

impl ContinuationStore for AskedStore {
    fn put<'a>(&'a self, key: &'a str, entry: StoredEntry) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let entry = Value::object([
                ("continuation", Value::bytes(entry.continuation)),
                ("audience", maybe(entry.audience)),
                ("context", Value::bytes(entry.context)),
                ("expires", maybe(entry.expires.map(|time| time as f64))),
            ]);
            self.0.ask_or("store.put", [("key", key.into()), ("entry", entry)], StoreError).await.map(drop)
        })
    }

    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<StoredEntry>, StoreError>> {
        Box::pin(async move {
            let entry = self.0.ask_or("store.get", [("key", key.into())], StoreError).await?;
            if entry.is_nullish() { Ok(None) } else { read(&entry).map(Some) }
        })
    }

    fn claim<'a>(
        &'a self,
        key: &'a str,
        ticket: &'a str,
        now: u64,
        until: u64,
    ) -> BoxFuture<'a, Result<ClaimedEntry, StoreError>> {
        Box::pin(async move {
            let claim = [
                ("key", key.into()),
                ("ticket", ticket.into()),
                ("now", Value::from(now as f64)),
                ("until", Value::from(until as f64)),
            ];
            let claimed = self.0.ask_or("store.claim", claim, StoreError).await?;
            match claimed["status"].as_str() {
                Some("yours") => Ok(ClaimedEntry::Yours(read(&claimed["entry"])?)),
                Some("used") => Ok(ClaimedEntry::Used(read(&claimed["entry"])?)),
                Some("busy") => Ok(ClaimedEntry::Busy),
                Some("unknown") => Ok(ClaimedEntry::Unknown),
                _ => Err(StoreError("claim() gave something else than a claim".to_owned())),
            }
        })
    }

    fn consume<'a>(&'a self, key: &'a str, ticket: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            self.0
                .ask_or("store.consume", [("key", key.into()), ("ticket", ticket.into())], StoreError)
                .await
                .map(drop)
        })
    }

    fn release<'a>(
        &'a self,
        key: &'a str,
        ticket: &'a str,
        continuation: Option<Vec<u8>>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let continuation = ("continuation", maybe(continuation.map(Value::bytes)));
            let body = [("key", key.into()), ("ticket", ticket.into()), continuation];
            self.0.ask_or("store.release", body, StoreError).await.map(drop)
        })
    }
}

fn read(entry: &Value) -> Result<StoredEntry, StoreError> {
    let bytes = |key| entry.get(key).and_then(Value::as_bytes).map(<[u8]>::to_vec);
    Ok(StoredEntry {
        continuation: bytes("continuation")
            .ok_or_else(|| StoreError("a stored entry without its continuation".to_owned()))?,
        audience: entry.get("audience").and_then(Value::as_str).map(str::to_owned),
        context: bytes("context").unwrap_or_default(),
        expires: entry.get("expires").and_then(Value::as_f64).map(|time| time as u64),
    })
}
