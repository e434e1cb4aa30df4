//! How runs are gone on with.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use intermission::{Declared, RunId, Runner};
use tokio::sync::{Notify, Semaphore, watch};

use super::watcher::{Passed, Watcher};
use super::{Runs, RunsError, Shared, tending};
use crate::lease::WorkerId;
use crate::rows::FunctionSchema;
use crate::store::Store;

/// How long runs that are over are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retention {
    /// Until somebody deletes them.
    #[default]
    Forever,
    /// For so long.
    For(Duration),
}

/// Makes [`Runs`]. Every setting has a default.
#[must_use]
pub struct RunsBuilder {
    store: Arc<dyn Store>,
    runner: Runner,
    settings: Settings,
    watcher: Watcher,
}

/// How runs are gone on with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) lease: Duration,
    pub(super) look_again: Duration,
    pub(super) longest_wait: Duration,
    pub(super) retention: Retention,
    pub(super) picks_up: bool,
    pub(super) most: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            look_again: Duration::from_millis(250),
            longest_wait: Duration::from_secs(1),
            retention: Retention::Forever,
            picks_up: true,
            most: 256,
        }
    }
}

impl RunsBuilder {
    pub(super) fn new(store: Arc<dyn Store>, runner: Runner) -> Self {
        Self { store, runner, settings: Settings::default(), watcher: Watcher::default() }
    }

    /// How long a run stays with a process of which nothing more is heard: then others pick it up. It is renewed three times as often. Default: 30 s.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.settings.lease = lease;
        self
    }

    /// How often the store is asked for what other processes have written. Default: 250 ms.
    pub fn look_again(mut self, interval: Duration) -> Self {
        self.settings.look_again = interval;
        self
    }

    /// The longest wait for a timer, with nothing else under way, that keeps a sandbox: for a longer one the run is put away, and woken in time. Default: 1 s.
    pub fn longest_wait(mut self, wait: Duration) -> Self {
        self.settings.longest_wait = wait;
        self
    }

    /// How long runs that are over are kept. Default: until somebody deletes them.
    pub fn retention(mut self, retention: Retention) -> Self {
        self.settings.retention = retention;
        self
    }

    /// Whether runs are gone on with here that others have started or answered, or whose time has come. Default: yes. Without it, only those that are started here or
    /// [taken up](Runs::take_up). What cannot be gone on with as this process is set up, because a
    /// function of an open call is missing or another, is left to others.
    pub fn picks_up(mut self, picks_up: bool) -> Self {
        self.settings.picks_up = picks_up;
        self
    }

    /// The most runs that are gone on with here at the same time; others wait. Default: 256. No more than the runner takes.
    pub fn max_live(mut self, runs: usize) -> Self {
        self.settings.most = runs;
        self
    }

    /// Who hears what each pass that is made here came to: the console and the script's own error are not in the store. Called where the run is gone on with, so it must not
    /// block. Default: nobody.
    ///
    /// ```
    /// use std::sync::{Arc, mpsc};
    ///
    /// use intermission::Runner;
    /// use intermission_store::{Passed, Runs, SqliteStore, Until};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("runs.db");
    /// let (tell, told) = mpsc::channel();
    /// let builder = Runs::builder(Arc::new(SqliteStore::open(&path)?), Runner::new()?);
    /// let runs = builder.watch(move |run, passed| drop(tell.send((run, passed)))).build().await?;
    ///
    /// let run = runs.start("console.log('hello')").await?;
    /// runs.wait(run, Until::Over).await?;
    /// let (of, Passed::Result(result)) = told.recv()? else { panic!("the store works") };
    /// assert_eq!((of, result.report().console[0].text.as_str()), (run, "hello"));
    /// # Ok(()) }
    /// ```
    pub fn watch(mut self, watch: impl Fn(RunId, Passed) + Send + Sync + 'static) -> Self {
        self.watcher = Watcher::new(watch);
        self
    }

    /// The runs. What is to be done by itself is done on the Tokio runtime that this is called in, until the last clone is dropped.
    ///
    /// # Errors
    /// [`RunsError`] where the store fails.
    pub async fn build(self) -> Result<Runs, RunsError> {
        let schema = |(function, fingerprint): (Declared<'_>, _)| FunctionSchema {
            name: function.name.to_owned(),
            fingerprint,
            description: function.description.map(str::to_owned),
            input_schema: function.input_schema.map(ToString::to_string),
            output_schema: function.output_schema.map(ToString::to_string),
            effect: function.effect.name().to_owned(),
        };
        let schemas = self.runner.host_functions().declared().map(schema);
        let schemas: Vec<FunctionSchema> = schemas.collect();
        if !schemas.is_empty() {
            self.store.remember_functions(schemas, self.runner.time()).await?;
        }
        let shared = Arc::new(Shared {
            store: self.store,
            runner: self.runner,
            worker: WorkerId::new_random(),
            settings: self.settings,
            watcher: self.watcher,
            live: Mutex::new(BTreeMap::new()),
            count: watch::Sender::new(0),
            room: Arc::new(Semaphore::new(self.settings.most.min(Semaphore::MAX_PERMITS))),
            unfit: Mutex::new(BTreeSet::new()),
            left: Mutex::new(Vec::new()),
            news: Arc::new(Notify::new()),
            written: Notify::new(),
        });
        tokio::spawn(tending::tend(Arc::downgrade(&shared)));
        Ok(Runs(shared))
    }
}
