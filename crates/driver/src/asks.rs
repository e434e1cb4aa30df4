//! What the library asks of its host besides the calls of a driven run: modules, what a codec, a store, claims or a sink of the user's do, and host functions of durable runs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::thread::{self, ThreadId};

use intermission::{HostError, Value};
use tokio::sync::oneshot;

/// Questions for the door, and what it is told. Whoever polls a task takes what was asked meanwhile; where nobody polls, whoever takes it is woken.
#[derive(Clone, Default)]
pub struct Asks(Arc<Shared>);

#[derive(Default)]
struct Shared {
    inner: Mutex<Inner>,
    waker: Option<Waker>,
}

#[derive(Default)]
struct Inner {
    last: u32,
    /// With the thread that asked.
    fresh: Vec<(ThreadId, Value)>,
    open: BTreeMap<u32, oneshot::Sender<Result<Value, HostError>>>,
    /// How many are open when those are next taken out that nobody waits for any more.
    prune_at: usize,
    is_closed: bool,
}

/// A question, until it is answered.
pub struct Ask {
    /// Its number.
    pub id: u32,
    answer: oneshot::Receiver<Result<Value, HostError>>,
}

impl Ask {
    /// Waits for the answer on the spot: not on an executor's thread.
    ///
    /// # Errors
    /// What it is answered with; or nobody answers any more.
    pub fn wait(self) -> Result<Value, HostError> {
        self.answer.blocking_recv().unwrap_or_else(|_| Err(nobody()))
    }

    /// Waits for the answer.
    ///
    /// # Errors
    /// What it is answered with; or nobody answers any more.
    pub async fn answer(&mut self) -> Result<Value, HostError> {
        let answer = (&mut self.answer).await;
        answer.unwrap_or_else(|_| Err(nobody()))
    }

    /// Waits for the answer, for ever where nobody answers any more: what came of it is unknown then.
    ///
    /// # Errors
    /// What it is answered with.
    pub(crate) async fn answer_or_never(self) -> Result<Value, HostError> {
        match self.answer.await {
            Ok(answer) => answer,
            Err(_) => std::future::pending().await,
        }
    }
}

fn nobody() -> HostError {
    HostError::new("nobody answers any more")
}

impl Asks {
    /// Of which nobody takes anything without being woken.
    pub fn waking(waker: Waker) -> Self {
        Self(Arc::new(Shared { waker: Some(waker), ..Shared::default() }))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        if let Some(waker) = &self.0.waker {
            waker.wake_by_ref();
        }
    }

    /// Asks.
    pub fn begin<'b>(&self, kind: &str, body: impl IntoIterator<Item = (&'b str, Value)>) -> Ask {
        let (tell, answer) = oneshot::channel();
        let id = {
            let mut inner = self.inner();
            inner.last = inner.last.wrapping_add(1);
            let id = inner.last;
            if inner.is_closed {
                return Ask { id, answer };
            }
            let ask = [("id", Value::from(id)), ("kind", Value::from(kind))];
            inner.fresh.push((thread::current().id(), Value::object(ask.into_iter().chain(body))));
            // Not at each: of many that are open all would be looked through for one.
            if inner.open.len() >= inner.prune_at {
                inner.open.retain(|_, tell| !tell.is_closed());
                inner.prune_at = (inner.open.len() * 2).max(32);
            }
            inner.open.insert(id, tell);
            id
        };
        self.wake();
        Ask { id, answer }
    }

    /// Asks, and waits for the answer.
    pub(crate) async fn ask(
        &self,
        kind: &str,
        body: impl IntoIterator<Item = (&str, Value)>,
    ) -> Result<Value, HostError> {
        self.begin(kind, body).answer().await
    }

    /// The same for errors of the library that are a text.
    pub(crate) async fn ask_or<E>(
        &self,
        kind: &str,
        body: impl IntoIterator<Item = (&str, Value)>,
        error: fn(String) -> E,
    ) -> Result<Value, E> {
        self.ask(kind, body).await.map_err(|failed| error(failed.message().to_owned()))
    }

    /// Says something that needs no answer.
    pub fn tell<'b>(&self, kind: &str, body: impl IntoIterator<Item = (&'b str, Value)>) {
        let told = Value::object([("kind", Value::from(kind))].into_iter().chain(body));
        self.inner().fresh.push((thread::current().id(), told));
        self.wake();
    }

    /// Nobody answers any more: neither what was asked nor what will be.
    pub fn close(&self) {
        let mut inner = self.inner();
        inner.is_closed = true;
        inner.open.clear();
    }

    /// What was asked and told since the last time.
    pub fn take(&self) -> Vec<Value> {
        std::mem::take(&mut self.inner().fresh).into_iter().map(|(_, ask)| ask).collect()
    }

    /// Does something, and gives what was asked by it: on this thread, meanwhile. So several tasks can be polled under the same runner at one time, even one within another.
    pub fn meanwhile<T>(&self, act: impl FnOnce() -> T) -> (T, Vec<Value>) {
        let before = self.take_here();
        let done = act();
        let asked = self.take_here();
        self.inner().fresh.extend(before);
        (done, asked.into_iter().map(|(_, ask)| ask).collect())
    }

    fn take_here(&self) -> Vec<(ThreadId, Value)> {
        let mut inner = self.inner();
        if inner.fresh.is_empty() {
            return Vec::new();
        }
        let here = thread::current().id();
        let fresh = std::mem::take(&mut inner.fresh);
        let (mine, others) = fresh.into_iter().partition(|(thread, _)| *thread == here);
        inner.fresh = others;
        mine
    }

    /// Answers one of them.
    pub fn answer(&self, id: u32, answer: Result<Value, HostError>) {
        if let Some(tell) = self.inner().open.remove(&id) {
            // A run that was dropped meanwhile is not interested.
            let _ = tell.send(answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn whoever_waits_when_nobody_answers_any_more_hears_of_it() {
        let asks = Asks::default();
        let before = asks.begin("decide", []);
        asks.close();
        let after = asks.begin("decide", []);
        assert_eq!(asks.take().len(), 1);
        for ask in [before, after] {
            assert_eq!(ask.wait().unwrap_err().message(), "nobody answers any more");
        }
    }

    #[test]
    fn a_call_that_nobody_answers_any_more_never_comes_to_anything() {
        let asks = Asks::default();
        let ask = asks.begin("call", []);
        asks.close();
        assert!(ask.answer_or_never().now_or_never().is_none());
    }
}
