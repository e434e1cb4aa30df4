//! A store in a folder of its own, and runs over it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use intermission::{Effect, HostCall, HostError, HostFunction, HostFunctions, Runner, TimeSource, Value};
use intermission_store::{
    InboxQuery, RunState, Runs, RunsBuilder, SqliteStore, Store, StoredInterruption, StoredRun, SyncLevel,
    Until, What,
};
use tempfile::TempDir;
use tokio::sync::Notify;

pub(crate) struct Bed {
    pub(crate) folder: TempDir,
    pub(crate) done: Done,
    /// Opens the gate that `t.gate` waits at, for one call.
    pub(crate) gate: Arc<Notify>,
}

/// What host functions have done, in order.
#[derive(Clone, Default)]
pub(crate) struct Done(Arc<Mutex<Vec<String>>>);

impl Done {
    fn note(&self, call: &HostCall) {
        let argument = call.input().to_json().map(|json| json.to_string()).unwrap_or_default();
        self.0.lock().unwrap().push(format!("{}({argument})", call.host_function()));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().unwrap().is_empty()
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// A clock that the test sets, in milliseconds since 1970.
#[derive(Clone, Default)]
pub(crate) struct Clock(Arc<AtomicU64>);

impl Clock {
    pub(crate) fn at(now: u64) -> Self {
        Self(Arc::new(now.into()))
    }

    pub(crate) fn set(&self, now: u64) {
        self.0.store(now, Ordering::SeqCst);
    }
}

impl TimeSource for Clock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

impl Bed {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), done: Done::default(), gate: Arc::default() }
    }

    pub(crate) fn store(&self) -> Arc<SqliteStore> {
        let options = SqliteStore::options().sync(SyncLevel::Normal);
        Arc::new(options.open(self.folder.path().join("runs.db")).unwrap())
    }

    /// `t.pay` does and gives its argument, `t.ask` asks, `t.refund` needs approval, `t.flaky` fails the first time, `t.gate` waits for the gate.
    pub(crate) fn functions(&self) -> Vec<HostFunction> {
        let noting = |name: &'static str| {
            let done = self.done.clone();
            HostFunction::sync(name, move |call| {
                done.note(&call);
                Ok(call.input())
            })
        };
        let ask = HostFunction::sync("t.ask", |call| match call.resume() {
            None => Err(call.interrupt(call.input(), Value::Undefined)),
            Some(resume) => Ok(resume.resolution.clone()),
        });
        let (done, tries) = (self.done.clone(), Mutex::new(0));
        let flaky = HostFunction::sync("t.flaky", move |call| {
            done.note(&call);
            *tries.lock().unwrap() += 1;
            if *tries.lock().unwrap() == 1 { Err(HostError::new("out of order")) } else { Ok(call.input()) }
        });
        let slow = HostFunction::new("t.slow", |call| async move {
            tokio::time::sleep(Duration::from_millis(call.input_as()?)).await;
            Ok(call.input())
        });
        let gate = Arc::clone(&self.gate);
        let gate = HostFunction::new("t.gate", move |call| {
            let gate = Arc::clone(&gate);
            async move {
                gate.notified().await;
                Ok(call.input())
            }
        });
        vec![
            noting("t.pay"),
            noting("t.log").effect(Effect::Idempotent),
            noting("t.refund").approval(),
            ask,
            flaky,
            slow.effect(Effect::Pure),
            gate.effect(Effect::Pure),
        ]
    }

    pub(crate) fn runner(&self) -> Runner {
        let functions = HostFunctions::new(self.functions()).unwrap();
        Runner::builder().host_functions(functions).build().unwrap()
    }

    pub(crate) fn builder(&self) -> RunsBuilder {
        let store: Arc<dyn Store> = self.store();
        Runs::builder(store, self.runner())
            .look_again(Duration::from_millis(20))
            .longest_wait(Duration::ZERO)
            .lease(Duration::from_millis(300))
    }

    pub(crate) async fn runs(&self) -> Runs {
        self.builder().build().await.unwrap()
    }
}

pub(crate) async fn over(runs: &Runs, run: intermission::RunId) -> RunState {
    runs.wait(run, Until::Over).await.unwrap().state
}

pub(crate) async fn asks(runs: &Runs, run: intermission::RunId) -> StoredRun {
    let asking = runs.wait(run, Until::Asks).await.unwrap();
    assert_eq!(asking.state.name(), "waiting", "{asking:?}");
    asking
}

pub(crate) async fn asked(runs: &Runs, run: intermission::RunId) -> Vec<StoredInterruption> {
    asks(runs, run).await;
    runs.inbox(InboxQuery { run_id: Some(run), ..InboxQuery::default() }).await.unwrap()
}

pub(crate) fn completed(value: impl Into<Value>) -> RunState {
    RunState::Completed { value: value.into() }
}

/// The names of what happened to a run.
pub(crate) async fn happened(store: &SqliteStore, run: intermission::RunId) -> Vec<&'static str> {
    store.notices(0, Some(run), 1000).await.unwrap().iter().map(|notice| What::name(&notice.what)).collect()
}
