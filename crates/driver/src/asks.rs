//! What the library asks of its host besides host calls: modules, and what a codec, a store, claims or a sink of the user's do.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use intermission::{HostError, Value};
use tokio::sync::oneshot;

/// Questions for the door. Whoever polls a task takes what it has asked.
#[derive(Clone, Default)]
pub struct Asks(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    last: u32,
    fresh: Vec<Value>,
    open: BTreeMap<u32, oneshot::Sender<Result<Value, HostError>>>,
}

impl Asks {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks, and waits for the answer.
    pub(crate) async fn ask(
        &self,
        kind: &str,
        body: impl IntoIterator<Item = (&str, Value)>,
    ) -> Result<Value, HostError> {
        let answer = {
            let mut inner = self.inner();
            inner.last = inner.last.wrapping_add(1);
            let id = inner.last;
            let ask = [("id", Value::from(id)), ("kind", Value::from(kind))];
            inner.fresh.push(Value::object(ask.into_iter().chain(body)));
            let (tell, answer) = oneshot::channel();
            inner.open.retain(|_, tell| !tell.is_closed());
            inner.open.insert(id, tell);
            answer
        };
        answer.await.unwrap_or_else(|_| Err(HostError::new("nobody answers any more")))
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

    /// What was asked since the last time.
    pub fn take(&self) -> Vec<Value> {
        std::mem::take(&mut self.inner().fresh)
    }

    /// Answers one of them.
    pub fn answer(&self, id: u32, answer: Result<Value, HostError>) {
        if let Some(tell) = self.inner().open.remove(&id) {
            // A run that was dropped meanwhile is not interested.
            let _ = tell.send(answer);
        }
    }
}
