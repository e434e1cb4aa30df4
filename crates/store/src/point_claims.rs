//! A store as the library's claims.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use intermission::codec::StoreError;
use intermission::{Claimed, Claims, Point};

use crate::Store;

/// How often somebody who waits for another's result looks again.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// [`Claims`] that outlive their process, and that processes share: for continuations that are handed out as tokens. The runs of [`Runs`](crate::Runs) need none.
///
/// ```
/// use std::sync::Arc;
///
/// use intermission::Runner;
/// use intermission_store::{SqliteStore, StoreClaims};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("runs.db");
/// let store = Arc::new(SqliteStore::open(&path)?);
/// let runner = Runner::builder().claims(StoreClaims::new(store)).build()?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct StoreClaims(Arc<dyn Store>);

impl StoreClaims {
    /// Over a store.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self(store)
    }
}

/// In the library's words.
fn told<T>(done: Result<T, crate::StoreError>) -> Result<T, StoreError> {
    done.map_err(|error| StoreError(error.to_string()))
}

impl Claims for StoreClaims {
    fn claim<'a>(
        &'a self,
        point: Point,
        answers: &'a str,
        now: u64,
        lease: u64,
    ) -> BoxFuture<'a, Result<Claimed, StoreError>> {
        Box::pin(async move {
            let mut waited = 0;
            loop {
                let now = now.saturating_add(waited);
                let until = now.saturating_add(lease);
                let look = self.0.claim_point(point, answers.to_owned(), now, until).await;
                if let Some(claimed) = told(look)? {
                    return Ok(claimed);
                }
                tokio::time::sleep(LOOK_AGAIN).await;
                waited += LOOK_AGAIN.as_millis() as u64;
            }
        })
    }

    fn settle(
        &self,
        point: Point,
        ticket: u64,
        ledger: Vec<u8>,
        done: bool,
    ) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move { told(self.0.settle_point(point, ticket, ledger, done).await) })
    }

    fn release(&self, point: Point, ticket: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move { told(self.0.release_point(point, ticket).await) })
    }
}
