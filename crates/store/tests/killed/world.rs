//! What host functions do to the world, and who remembers it: a file outside of the store.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use intermission::{
    Answer, Effect, HostCall, HostFunction, HostFunctions, Interruption, InterruptionKind, Reconciled,
    Resolution, RunId, Runner, Value,
};
use intermission_store::{
    CrashPoint, InboxQuery, RunState, Runs, RunsBuilder, SqliteStore, SyncLevel, Until,
};

/// The folder of a test.
#[derive(Clone)]
pub(crate) struct World {
    folder: PathBuf,
    /// The function behind whose effect the process aborts.
    crash_in: Option<String>,
    /// Whether `t.linger` stays under way here, until there is a file `lingered`.
    lingers: bool,
}

/// Something that a host function did.
pub(crate) struct Effected {
    pub(crate) request_id: String,
    pub(crate) function: String,
    pub(crate) key: String,
}

impl World {
    pub(crate) fn new(folder: &Path, crash_in: Option<String>) -> Self {
        Self { folder: folder.to_owned(), crash_in, lingers: false }
    }

    pub(crate) fn lingering(self) -> Self {
        Self { lingers: true, ..self }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Does it: once a line, in one write.
    fn effect(&self, call: &HostCall) {
        let (function, key) = (call.host_function(), call.idempotency_key());
        let line = format!("{} {function} {key} {:?}\n", call.request_id(), call.arguments());
        let mut judge = File::options().create(true).append(true).open(self.path("judge")).unwrap();
        judge.write_all(line.as_bytes()).unwrap();
        if self.crash_in.as_deref() == Some(function) {
            std::process::abort();
        }
    }

    /// Everything that was done, in order.
    pub(crate) fn effects(&self) -> Vec<Effected> {
        let judge = std::fs::read_to_string(self.path("judge")).unwrap_or_default();
        let effect = |line: &str| {
            let mut words = line.split(' ').map(str::to_owned);
            let mut word = || words.next().unwrap();
            Effected { request_id: word(), function: word(), key: word() }
        };
        judge.lines().map(effect).collect()
    }

    /// What is wrong: an unsafe call that was made twice, an idempotent one under two keys.
    pub(crate) fn judge(&self) -> Result<BTreeMap<String, usize>, String> {
        let (mut times, mut keys) = (BTreeMap::new(), BTreeMap::new());
        let mut functions: BTreeMap<String, usize> = BTreeMap::new();
        for done in self.effects() {
            let time: &mut usize = times.entry(done.key.clone()).or_default();
            *time += 1;
            if *time == 1 {
                *functions.entry(done.function.clone()).or_default() += 1;
            }
            if *time > 1 && done.function != "t.log" {
                return Err(format!("{} was made twice as {}", done.function, done.request_id));
            }
            if keys.entry(done.request_id.clone()).or_insert_with(|| done.key.clone()) != &done.key {
                return Err(format!("{} was made under two keys", done.request_id));
            }
        }
        Ok(functions)
    }

    fn functions(&self) -> HostFunctions {
        let doing = |name: &'static str| {
            let world = self.clone();
            HostFunction::sync(name, move |call| {
                world.effect(&call);
                Ok(call.input())
            })
        };
        let world = self.clone();
        let refund = doing("t.refund").reconcile(move |call| {
            let made = world.effects().iter().any(|done| done.key == call.idempotency_key());
            let known = if made { Reconciled::Happened(Ok(call.input())) } else { Reconciled::DidNotHappen };
            async move { Ok(known) }
        });
        let ask = HostFunction::sync("t.ask", |call| match call.resume() {
            None => Err(call.interrupt(call.input(), Value::Undefined)),
            Some(resume) => Ok(resume.resolution.clone()),
        });
        let slow = HostFunction::new("t.slow", |call| async move {
            tokio::time::sleep(Duration::from_millis(call.input_as()?)).await;
            Ok(call.input())
        });
        let world = self.clone();
        let linger = HostFunction::new("t.linger", move |call| {
            let world = world.clone();
            async move {
                while world.lingers && !world.path("lingered").exists() {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                Ok(call.input())
            }
        });
        let marker = self.path("flaky");
        let flaky = HostFunction::sync("t.flaky", move |call| {
            if marker.exists() {
                return Ok(call.input());
            }
            std::fs::write(&marker, "")?;
            Err(intermission::HostError::new("out of order"))
        });
        HostFunctions::new([
            doing("t.pay"),
            doing("t.log").effect(Effect::Idempotent),
            doing("t.approve").approval(),
            refund,
            ask.effect(Effect::Pure),
            slow.effect(Effect::Pure),
            linger.effect(Effect::Pure),
            flaky.effect(Effect::Pure),
        ])
        .unwrap()
    }

    pub(crate) fn store(&self, sync: SyncLevel, crash_at: Option<CrashPoint>) -> Arc<SqliteStore> {
        let mut options = SqliteStore::options().sync(sync);
        if let Some(point) = crash_at {
            options = options.crash_at(point);
        }
        Arc::new(options.open(self.path("runs.db")).unwrap())
    }

    /// Runs with short leases.
    pub(crate) fn runs(&self, store: Arc<SqliteStore>) -> RunsBuilder {
        let runner = Runner::builder().host_functions(self.functions()).build().unwrap();
        Runs::builder(store, runner)
            .lease(Duration::from_millis(200))
            .look_again(Duration::from_millis(10))
            .longest_wait(Duration::ZERO)
    }

    /// Whoever answers knows the world, and says the truth.
    fn answer(&self, run: RunId, asked: &Interruption) -> Answer {
        match asked.kind {
            InterruptionKind::Approval => Answer::Approve,
            InterruptionKind::OutcomeUnknown => {
                let id = run.request_id(asked.request_index);
                let made = self.effects().iter().any(|done| done.request_id == id);
                if made { Answer::Happened(Ok(asked.arguments[0].clone())) } else { Answer::DidNotHappen }
            }
            InterruptionKind::Question | InterruptionKind::Event => Answer::Value(asked.arguments[0].clone()),
        }
    }

    /// Answers whatever a run asks, until it is over.
    pub(crate) async fn bring_to_its_end(&self, runs: &Runs, run: RunId) -> RunState {
        loop {
            let stored = runs.wait(run, Until::Asks).await.unwrap();
            if stored.state.is_over() {
                return stored.state;
            }
            let query = InboxQuery { run_id: Some(run), ..InboxQuery::default() };
            let inbox = runs.inbox(query).await.unwrap();
            for asked in inbox.into_iter().map(|asked| asked.interruption) {
                let answer = Resolution::new(asked.id.clone(), self.answer(run, &asked));
                runs.resolve(run, answer, Some("test")).await.unwrap();
            }
        }
    }
}
