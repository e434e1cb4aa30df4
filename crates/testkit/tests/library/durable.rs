//! Runs over a store as a door: what is handed on from step to step is the run's id.

use std::sync::Arc;
use std::time::Duration;

use intermission::ledger::Record;
use intermission::{Continuation, ResumeError, RunId, RunResult, Runner, Value};
use intermission_store::{InboxQuery, RunQuery, RunState, Runs, RunsError, SqliteStore, SyncLevel};
use intermission_testkit::{
    Case, Do, Door, Ended, Failure, Host, Made, Need, Question, Resume, Run, Seen, Setting, World,
};
use serde_json::Value as Json;
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

use crate::functions::{Rules, functions};
use crate::library::{HostClock, call_of};
use crate::translate::{question, resolution, run_input, seen};

pub(crate) fn offers(need: Need) -> bool {
    !matches!(need, Need::Quorum | Need::Claims)
}

/// Why a case says nothing of runs in a store, where that is so.
pub(crate) fn not_for(case: &Case) -> Option<&'static str> {
    let has = |is: fn(&intermission_testkit::Step) -> bool| case.steps.iter().any(is);
    if has(|step| step.from.is_some()) {
        Some("goes on from an older token")
    } else if has(|step| step.source.is_some()) {
        Some("changes its script")
    } else if has(|step| step.cancel_at.is_some()) {
        Some("is cancelled in the middle of a call")
    } else if has(|step| step.action == Do::Inspect) {
        Some("looks at a token")
    } else if has(|step| step.refused.is_some() && step.answers.len() > 1) {
        Some("gives several answers in one step")
    } else if has(|step| step.refused.as_deref().is_some_and(|code| code.starts_with("FUNCTION_"))) {
        Some("is refused by whoever goes on: in a store the answer is kept, and the run has failed")
    } else if has(|step| step.detached.iter().any(|(_, fate)| fate == "refused")) {
        Some("tells of calls that were never made, of which a ledger says nothing")
    } else {
        None
    }
}

/// A store in a folder, and what is gone on with over it.
pub(crate) struct Durable {
    runtime: tokio::runtime::Runtime,
    folder: TempDir,
    runs: Option<(Host, Runs)>,
    world: World,
    clock: HostClock,
}

impl Durable {
    pub(crate) fn new() -> Self {
        Self {
            runtime: tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap(),
            folder: tempfile::tempdir().unwrap(),
            runs: None,
            world: World::default(),
            clock: HostClock::default(),
        }
    }

    /// Of a process with these functions: another process where they are others.
    fn over_the_store(&mut self, setting: &Setting<'_>) -> Runs {
        self.clock.set(setting.clock);
        if let Some((lent, runs)) = &self.runs
            && lent == setting.functions
        {
            return runs.clone();
        }
        let (called, _) = unbounded_channel();
        let runner = Runner::builder()
            .host_functions(functions(setting.functions, &self.world, &called))
            .policy(Rules(setting.functions.clone()))
            .modules(setting.case.modules.clone())
            .strict(setting.strict)
            .time_source(self.clock.clone())
            .build()
            .unwrap();
        let store =
            SqliteStore::options().sync(SyncLevel::Normal).open(self.folder.path().join("runs.db")).unwrap();
        // A step is what goes on with a run, and nothing else does.
        let builder = Runs::builder(Arc::new(store), runner).picks_up(false);
        let runs = self.runtime.block_on(builder.longest_wait(Duration::ZERO).build()).unwrap();
        self.runs = Some((setting.functions.clone(), runs.clone()));
        runs
    }

    /// Goes on with a run, as far as it goes now.
    fn goes_on(&self, runs: &Runs, run: RunId) -> Seen<RunId> {
        self.runtime.block_on(async {
            runs.take_up(run).await.unwrap();
            let state = loop {
                match runs.get(run).await.unwrap().state {
                    RunState::Ready | RunState::Running { .. } => tokio::task::yield_now().await,
                    state => break state,
                }
            };
            let replayed = runs.replay(run).await.unwrap();
            let failed = matches!(replayed, RunResult::Failed { .. });
            let mut seen = seen(replayed);
            if let (RunState::Failed { code, message }, false) = (state, failed) {
                seen.ended = Ended::Failed(Failure { code, message, at: None });
            }
            let Seen { ended, console, abandoned, detached, unhandled, data, .. } = seen;
            // A store tells of a run, not of its latest pass: nothing is marked as said before.
            Seen { ended, console, replayed: None, abandoned, detached, unhandled, data, token: Some(run) }
        })
    }
}

fn refusal(error: &RunsError) -> Failure {
    Failure { code: error.code().to_owned(), message: error.to_string(), at: None }
}

impl Door for Durable {
    type Token = RunId;

    fn offers(&self, need: Need) -> bool {
        offers(need)
    }

    fn begin(&mut self) {
        *self = Self::new();
    }

    fn run(&mut self, setting: &Setting<'_>, run: &Run<'_>) -> Seen<RunId> {
        let runs = self.over_the_store(setting);
        let input = run_input(setting, run);
        let started = self.runtime.block_on(async {
            match run.request {
                Some(request) => runs.start_as(request, input).await,
                None => runs.start(input).await,
            }
        });
        self.goes_on(&runs, started.unwrap())
    }

    fn resume(
        &mut self,
        setting: &Setting<'_>,
        run: &RunId,
        resume: &Resume<'_>,
    ) -> Result<Seen<RunId>, Failure> {
        let runs = self.over_the_store(setting);
        let told = self.runtime.block_on(async {
            for answered in &resume.answers {
                runs.resolve(*run, resolution(answered.clone()), None).await?;
            }
            if resume.retry {
                return runs.retry(*run).await;
            }
            // Nobody goes on with it any more.
            let is_over = runs.get(*run).await?.state == RunState::Cancelled;
            if is_over { Err(ResumeError::Over.into()) } else { Ok(()) }
        });
        told.map_err(|error| refusal(&error))?;
        Ok(self.goes_on(&runs, *run))
    }

    fn inspect(&mut self, setting: &Setting<'_>, run: &RunId) -> (Vec<Question>, Option<u64>) {
        let runs = self.over_the_store(setting);
        self.runtime.block_on(async {
            let query = InboxQuery { run_id: Some(*run), events: true, ..InboxQuery::default() };
            let asked = runs.inbox(query).await.unwrap();
            let wakes_at = runs.ledger(*run).await.unwrap().wake_at();
            (asked.iter().map(|asked| question(&asked.interruption)).collect(), wakes_at)
        })
    }

    fn replay(&mut self, setting: &Setting<'_>, run: &RunId) -> Option<Seen<RunId>> {
        let runs = self.over_the_store(setting);
        Some(self.goes_on(&runs, *run))
    }

    fn take_calls(&mut self) -> Vec<Made> {
        self.world.take_calls()
    }

    /// As the store of a process that died there: the run is in it, and nobody goes on with it.
    fn cut(&mut self, run: &RunId, entry: &str, call: u32) -> Option<RunId> {
        let (_, runs) = self.runs.take()?;
        let entries = self.runtime.block_on(runs.ledger(*run)).unwrap().record().entries().to_vec();
        let at = entries.iter().position(|other| other.name() == entry && call_of(other) == Some(call))?;
        let record = Record::from_entries(entries[..=at].to_vec()).unwrap();
        drop(runs);
        self.folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(self.folder.path().join("runs.db")).unwrap();
        let builder = Runs::builder(Arc::new(store), Runner::new().unwrap()).picks_up(false);
        self.runtime.block_on(async {
            let runs = builder.build().await.unwrap();
            Some(runs.adopt(Continuation::new(record).unwrap()).await.unwrap())
        })
    }

    fn cancel(&mut self, setting: &Setting<'_>, run: &RunId) -> Result<Seen<RunId>, Failure> {
        let runs = self.over_the_store(setting);
        self.runtime.block_on(runs.cancel(*run)).map_err(|error| refusal(&error))?;
        Ok(self.goes_on(&runs, *run))
    }

    fn emit(
        &mut self,
        setting: &Setting<'_>,
        run: &RunId,
        (key, value): &(String, Json),
    ) -> Result<Seen<RunId>, Failure> {
        let runs = self.over_the_store(setting);
        let emitted = self.runtime.block_on(runs.emit(*run, key.as_str(), Value::from(value.clone()), None));
        emitted.map_err(|error| refusal(&error))?;
        Ok(self.goes_on(&runs, *run))
    }

    fn runs(&mut self) -> Option<usize> {
        let (_, runs) = self.runs.as_ref()?;
        Some(self.runtime.block_on(runs.list(RunQuery::default())).unwrap().len())
    }
}
