//! Claims that the door remembers.

use futures_util::future::BoxFuture;
use intermission::codec::StoreError;
use intermission::{Claimed, Claims, Point, Value};

use crate::asks::Asks;

pub(crate) struct AskedClaims(pub(crate) Asks);

/// A point, and what else there is to say.
fn at<const N: usize>(point: Point, more: [(&'static str, Value); N]) -> Vec<(&'static str, Value)> {
    let point = [("runId", point.run_id.to_string().into()), ("length", Value::from(point.length as f64))];
    point.into_iter().chain(more).collect()
}

impl Claims for AskedClaims {
    fn claim<'a>(
        &'a self,
        point: Point,
        answers: &'a str,
        now: u64,
        lease: u64,
    ) -> BoxFuture<'a, Result<Claimed, StoreError>> {
        Box::pin(async move {
            let body = at(
                point,
                [
                    ("answers", answers.into()),
                    ("now", Value::from(now as f64)),
                    ("lease", Value::from(lease as f64)),
                ],
            );
            let claimed = self.0.ask_or("claims.claim", body, StoreError).await?;
            read(&claimed).ok_or_else(|| StoreError("claim() gave something else than a claim".to_owned()))
        })
    }

    fn settle(
        &self,
        point: Point,
        ticket: u64,
        ledger: Vec<u8>,
        done: bool,
    ) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let more = [
                ("ticket", Value::from(ticket as f64)),
                ("ledger", Value::bytes(ledger)),
                ("done", done.into()),
            ];
            self.0.ask_or("claims.settle", at(point, more), StoreError).await.map(drop)
        })
    }

    fn release(&self, point: Point, ticket: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let more = [("ticket", Value::from(ticket as f64))];
            self.0.ask_or("claims.release", at(point, more), StoreError).await.map(drop)
        })
    }
}

fn read(claimed: &Value) -> Option<Claimed> {
    let bytes = |key| claimed.get(key).and_then(Value::as_bytes).map(<[u8]>::to_vec);
    match claimed.get("status")?.as_str()? {
        "yours" => {
            let ticket = claimed.get("ticket")?.as_i64()?;
            Some(Claimed::Yours { ticket: u64::try_from(ticket).ok()?, left: bytes("left") })
        }
        "done" => Some(Claimed::Done(bytes("ledger")?)),
        "conflict" => Some(Claimed::Conflict { winner: claimed.get("winner")?.as_str()?.to_owned() }),
        _ => None,
    }
}
