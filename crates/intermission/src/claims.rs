//! What remembers which answers a run was gone on with.
//!
//! A continuation is a value: it can be copied, and gone on from twice. Claims make the first answer the only one: the same again gives the same
//! result, another is told which has won.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use intermission_ledger::RunId;
use tokio::sync::Notify;

use crate::codec::StoreError;
use crate::{Answer, Continuation, Resolution};

/// A place in a run's life: the run, and how many entries its ledger had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The run.
    pub run_id: RunId,
    /// The length of its ledger.
    pub length: usize,
}

impl Point {
    /// Where a continuation stands.
    pub fn of(continuation: &Continuation) -> Self {
        Self { run_id: continuation.run_id(), length: continuation.record().entries().len() }
    }
}

/// What a claim gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// Go on. Where an earlier attempt with the same answers has failed or died, from what it left.
    Yours {
        /// To be given back with what comes of it.
        ticket: u64,
        /// The ledger's bytes that the earlier attempt has left.
        left: Option<Vec<u8>>,
    },
    /// The same was done before, and this ledger came of it.
    Done(Vec<u8>),
    /// Other answers were first.
    Conflict {
        /// They, in the form of [`answers_text`].
        winner: String,
    },
}

/// Remembers, for each point of a run, the answers that were first. An implementation must do each of these in one step, however many processes use it; and a
/// [`claim`](Self::claim) whose future is dropped before it is ready, because its caller was aborted, must hold nothing.
pub trait Claims: Send + Sync {
    /// Claims a point for `answers`. Waits while somebody goes on from it with the same answers, at most until his claim is too old: `lease` milliseconds
    /// after he made it.
    fn claim<'a>(
        &'a self,
        point: Point,
        answers: &'a str,
        now: u64,
        lease: u64,
    ) -> BoxFuture<'a, Result<Claimed, StoreError>>;

    /// What came of it: a ledger that is to be given to whoever asks again (`done`), or to be gone on from by the next who does.
    fn settle(
        &self,
        point: Point,
        ticket: u64,
        ledger: Vec<u8>,
        done: bool,
    ) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Nothing came of it. The point is free again; where an earlier attempt has left something, only for whoever gives the same answers.
    fn release(&self, point: Point, ticket: u64) -> BoxFuture<'_, Result<(), StoreError>>;
}

/// Answers in one text, whatever their order: two resumes with the same answers have the same.
pub fn answers_text(resolutions: &[Resolution]) -> String {
    let mut texts: Vec<String> = resolutions.iter().map(answer_text).collect();
    texts.sort();
    texts.join("; ")
}

fn answer_text(resolution: &Resolution) -> String {
    let id = &resolution.interruption_id;
    match &resolution.answer {
        Answer::Value(value) => format!("{id}: {value:?}"),
        Answer::Approve => format!("{id}: approved"),
        Answer::ApproveWith(arguments) => format!("{id}: approved with {arguments:?}"),
        Answer::Deny { reason: None } => format!("{id}: denied"),
        Answer::Deny { reason: Some(reason) } => format!("{id}: denied, {reason:?}"),
        Answer::Happened(Ok(value)) => format!("{id}: happened, {value:?}"),
        Answer::Happened(Err(error)) => format!("{id}: happened, {error:?}"),
        Answer::DidNotHappen => format!("{id}: did not happen"),
    }
}

/// Claims in memory: for one process.
#[derive(Debug, Default)]
pub struct MemoryClaims {
    points: Mutex<BTreeMap<Point, Standing>>,
    changed: Notify,
}

#[derive(Debug)]
struct Standing {
    answers: String,
    ledger: Option<Vec<u8>>,
    state: State,
    tickets: u64,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Going { until: u64 },
    Left,
    Done,
}

enum Look {
    Decided(Claimed),
    /// Somebody goes on from here, at most until then.
    Wait {
        until: u64,
    },
}

impl MemoryClaims {
    fn points(&self) -> MutexGuard<'_, BTreeMap<Point, Standing>> {
        self.points.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self, point: Point, answers: &str, now: u64, lease: u64) -> Look {
        let until = now.saturating_add(lease);
        let mut points = self.points();
        let Some(standing) = points.get_mut(&point) else {
            let standing = Standing {
                answers: answers.to_owned(),
                ledger: None,
                state: State::Going { until },
                tickets: 1,
            };
            points.insert(point, standing);
            return Look::Decided(Claimed::Yours { ticket: 1, left: None });
        };
        if standing.answers != answers {
            return Look::Decided(Claimed::Conflict { winner: standing.answers.clone() });
        }
        match (&standing.state, &standing.ledger) {
            (State::Done, Some(ledger)) => Look::Decided(Claimed::Done(ledger.clone())),
            (State::Going { until }, _) if *until > now => Look::Wait { until: *until },
            _ => {
                standing.tickets += 1;
                standing.state = State::Going { until };
                Look::Decided(Claimed::Yours { ticket: standing.tickets, left: standing.ledger.clone() })
            }
        }
    }
}

impl Claims for MemoryClaims {
    fn claim<'a>(
        &'a self,
        point: Point,
        answers: &'a str,
        now: u64,
        lease: u64,
    ) -> BoxFuture<'a, Result<Claimed, StoreError>> {
        Box::pin(async move {
            let mut now = now;
            loop {
                let mut changed = std::pin::pin!(self.changed.notified());
                changed.as_mut().enable();
                match self.look(point, answers, now, lease) {
                    Look::Decided(claimed) => return Ok(claimed),
                    Look::Wait { until } => {
                        let left = Duration::from_millis(until - now);
                        if tokio::time::timeout(left, changed).await.is_err() {
                            now = until;
                        }
                    }
                }
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
        if let Some(standing) = self.points().get_mut(&point).filter(|standing| standing.tickets == ticket) {
            standing.ledger = Some(ledger);
            standing.state = if done { State::Done } else { State::Left };
        }
        self.changed.notify_waiters();
        Box::pin(async { Ok(()) })
    }

    fn release(&self, point: Point, ticket: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        let mut points = self.points();
        if let Some(standing) = points.get_mut(&point).filter(|standing| standing.tickets == ticket) {
            if standing.ledger.is_some() {
                standing.state = State::Left;
            } else {
                points.remove(&point);
            }
        }
        drop(points);
        self.changed.notify_waiters();
        Box::pin(async { Ok(()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_an_attempt_left_outlives_one_that_got_nowhere() {
        let claims = MemoryClaims::default();
        let point = Point { run_id: RunId::from_bytes([3; 16]), length: 3 };
        let free = Ok(Claimed::Yours { ticket: 1, left: None });
        assert_eq!(claims.claim(point, "yes", 0, 9).await, free);
        claims.release(point, 1).await.unwrap();
        assert_eq!(claims.claim(point, "no", 0, 9).await, free);
        claims.settle(point, 1, vec![7], false).await.unwrap();
        let left = |ticket| Ok(Claimed::Yours { ticket, left: Some(vec![7]) });
        assert_eq!(claims.claim(point, "no", 0, 9).await, left(2));
        claims.release(point, 2).await.unwrap();
        let conflict = Claimed::Conflict { winner: "no".to_owned() };
        assert_eq!(claims.claim(point, "yes", 0, 9).await, Ok(conflict));
        assert_eq!(claims.claim(point, "no", 0, 9).await, left(3));
    }
}
