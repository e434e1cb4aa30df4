//! A run in the store: whatever happens to this process, it can be gone on with.

mod fitting;

use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use intermission::{Resolution, ResumeError, RunId, RunResult, Runner};
use intermission_store::{Passed, RunState, Runs, RunsError, SqliteStore, StoreError, StoredRun, Until};
use tokio::time::timeout;

use self::fitting::all_fit;
use super::{Asking, Driven, Left, Unanswered, Way};
use crate::diagnostic::Diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::KeepError;
use crate::moment::length;
use crate::progress::{Progress, waits_for};
use crate::refusal;
use crate::signals::Signals;
use crate::terminal;

/// How long a run stays with a process of which nothing more is heard.
const LEASE: Duration = Duration::from_secs(5);

/// How often is looked whether there is anything to do.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// A run of the store.
pub(crate) struct Durable {
    runner: Runner,
    store: Arc<SqliteStore>,
    runs: Option<Runs>,
    heard: Heard,
    start: Start,
    run_id: RunId,
    /// How long the command stays with it.
    until: Until,
    /// Who answers.
    by: Option<String>,
    /// What commands have to be told to find the store.
    option: String,
    /// Of the console, how much was said.
    said: Option<usize>,
}

/// What is to be done first.
pub(crate) enum Start {
    /// It begins.
    Begin(Box<intermission::Continuation>),
    /// It goes on, with answers.
    GoOn(Vec<Resolution>),
    /// It is tried again, with answers: a host call is made again whose rejection has ended it.
    Retry(Vec<Resolution>),
}

/// What the passes made here came to, until it is taken.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Latest>>);

#[derive(Default)]
struct Latest {
    result: Option<RunResult>,
    stopped: Option<StoreError>,
}

impl Heard {
    fn latest(&self) -> MutexGuard<'_, Latest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Durable {
    /// A run of a store, with what it is gone on with.
    pub(crate) fn new(
        store: Arc<SqliteStore>,
        runner: Runner,
        run_id: RunId,
        start: Start,
        option: String,
    ) -> Self {
        // What a run says before its first call has been said by nobody.
        let said = matches!(start, Start::Begin(_)).then_some(0);
        Self {
            runner,
            store,
            runs: None,
            heard: Heard::default(),
            start,
            run_id,
            until: Until::PutAway,
            by: None,
            option,
            said,
        }
    }

    pub(crate) fn until(self, until: Until) -> Self {
        Self { until, ..self }
    }

    pub(crate) fn by(self, by: Option<String>) -> Self {
        Self { by, ..self }
    }

    async fn runs(&mut self) -> Result<Runs, Failure> {
        if let Some(runs) = &self.runs {
            return Ok(runs.clone());
        }
        let (run_id, heard) = (self.run_id, self.heard.clone());
        let runs = Runs::builder(self.store.clone(), self.runner.clone())
            .lease(LEASE)
            .look_again(LOOK_AGAIN)
            // Other runs of the store are not this command's business.
            .picks_up(false)
            // As long as the deadline lets it: then it is put away.
            .longest_wait(Duration::MAX)
            .watch(move |run, passed| {
                if run != run_id {
                    return;
                }
                match passed {
                    Passed::Result(result) => heard.latest().result = Some(*result),
                    Passed::Stopped(error) => heard.latest().stopped = Some(error),
                    _ => {}
                }
            })
            .build()
            .await?;
        self.runs = Some(runs.clone());
        Ok(runs)
    }

    /// Goes on with the run, or waits for whoever does.
    async fn attend(&mut self, signals: &mut Signals) -> Result<Driven, Failure> {
        let runs = self.runs().await?;
        let mut progress = Progress::at_terminal();
        let (stored, ended_by) = loop {
            runs.take_up(self.run_id).await?;
            tokio::select! {
                biased;
                exit = signals.next() => {
                    progress.clear();
                    self.let_go(&runs, exit, signals).await?;
                    let stored = runs.get(self.run_id).await?;
                    if self.is_elsewhere(&stored) {
                        return Err(Failure::Elsewhere { exit, run: self.run_id.to_string(), option: self.option.clone() });
                    }
                    break (stored, Some(exit));
                }
                waited = timeout(LOOK_AGAIN, runs.wait(self.run_id, self.until)) => match waited {
                    Ok(stored) => break (stored?, None),
                    Err(_) => self.look(&runs, &mut progress).await?,
                },
            }
            let stopped = take(&mut self.heard.latest().stopped);
            if let Some(error) = stopped {
                progress.clear();
                return Err(Failure::Stopped { error, run: format!("{}{}", self.run_id, self.option) });
            }
        };
        progress.clear();
        self.driven(&runs, &stored, ended_by).await
    }

    /// Whether another process has it, and nothing of it was heard here.
    fn is_elsewhere(&self, stored: &StoredRun) -> bool {
        matches!(stored.state, RunState::Running { .. }) && self.heard.latest().result.is_none()
    }

    async fn look(&self, runs: &Runs, progress: &mut Progress) -> Result<(), Failure> {
        if progress.is_on() {
            let stored = runs.get(self.run_id).await?;
            let what = waits_for(&runs.ledger(self.run_id).await?, &stored.state);
            progress.show(&what, self.runner.time());
        }
        Ok(())
    }

    /// Gives the run back, so that the next command need not wait until the lease is over. A second signal does not wait.
    async fn let_go(&self, runs: &Runs, exit: Exit, signals: &mut Signals) -> Result<(), Failure> {
        tokio::select! {
            biased;
            _ = signals.next() => Err(Failure::Left { exit }),
            () = runs.let_go(self.run_id) => Ok(()),
        }
    }

    /// What the run came to: as it was heard here, where that is the latest, else as the ledger has it.
    async fn driven(
        &mut self,
        runs: &Runs,
        stored: &StoredRun,
        ended_by: Option<Exit>,
    ) -> Result<Driven, Failure> {
        let heard = take(&mut self.heard.latest().result);
        let heard = heard.filter(|result| ended_by.is_some() || is_what_is_stored(result, &stored.state));
        let is_heard = heard.is_some();
        let result = match heard {
            Some(result) => result,
            None => as_stored(runs.replay(self.run_id).await?, &stored.state),
        };
        let all = result.report().console.len();
        let before = if is_heard { result.report().replayed } else { all };
        let said = self.said.unwrap_or(before).min(all);
        self.said = Some(all);
        let failure = match &stored.state {
            RunState::Failed { code, message }
                if result.error().is_none_or(|error| error.code() != code.as_str()) =>
            {
                Some(Box::new(Diagnostic::error(code.as_str(), message.as_str())))
            }
            _ => None,
        };
        let ended_by = ended_by.filter(|_| !matches!(result, RunResult::Completed { .. }));
        Ok(Driven { result, said, failure, ended_by, was_answered: false })
    }

    /// Somebody else may have the run, or had it when he died.
    async fn tell_who_has_it(&self, runs: &Runs) -> Result<(), Failure> {
        let is_ours = runs.is_live(self.run_id) || runs.take_up(self.run_id).await?;
        if !is_ours && let RunState::Running { until } = runs.get(self.run_id).await?.state {
            let until = length(until.saturating_sub(self.runner.time()));
            terminal::show_line(&format!(
                "waiting for another process, which goes on with {}; if it has died, for {until} at most",
                self.run_id
            ));
        }
        Ok(())
    }

    /// All answers, or none: each is a fact.
    async fn resolve(&self, runs: &Runs, answers: &[Resolution]) -> Result<(), Failure> {
        all_fit(runs, &self.runner, self.run_id, answers).await?;
        for answer in answers {
            runs.resolve(self.run_id, answer.clone(), self.by.as_deref()).await?;
        }
        Ok(())
    }

    /// Tries a run again that has failed. One that was only stopped goes on by an answer alone.
    async fn retry(&self, runs: &Runs, answers: &[Resolution]) -> Result<(), Failure> {
        let had_failed = self.has_failed(runs).await?;
        if had_failed {
            self.resolve(runs, answers).await?;
        }
        // Of one that has not failed it is refused, before any answer is kept.
        if !had_failed || self.has_failed(runs).await? {
            runs.retry(self.run_id).await?;
        }
        Ok(())
    }

    async fn has_failed(&self, runs: &Runs) -> Result<bool, RunsError> {
        Ok(matches!(runs.get(self.run_id).await?.state, RunState::Failed { .. }))
    }
}

/// A replay may come less far than the run did, under other limits for example. What a run has returned is in the store.
fn as_stored(replayed: RunResult, state: &RunState) -> RunResult {
    match (replayed, state) {
        (
            RunResult::Failed { continuation: Some(continuation), report, .. },
            RunState::Completed { value },
        ) => RunResult::Completed { value: value.clone(), continuation, report },
        (replayed, _) => replayed,
    }
}

/// Whether a result is what the store says of the run: else somebody else has gone on with it.
fn is_what_is_stored(result: &RunResult, state: &RunState) -> bool {
    match result {
        RunResult::Completed { .. } => matches!(state, RunState::Completed { .. }),
        RunResult::Interrupted { .. } => matches!(state, RunState::Waiting { .. }),
        RunResult::Cancelled { .. } => matches!(state, RunState::Cancelled),
        RunResult::Failed { error, .. } => {
            matches!(state, RunState::Failed { code, .. } if code == error.code())
        }
        _ => false,
    }
}

impl Way for Durable {
    async fn first(&mut self, signals: &mut Signals) -> Result<Driven, Failure> {
        let runs = self.runs().await?;
        match std::mem::replace(&mut self.start, Start::GoOn(Vec::new())) {
            Start::Begin(begun) => {
                runs.adopt(*begun).await?;
                if terminal::shows_progress() {
                    terminal::show_line(&format!("{}: begun", self.run_id));
                }
            }
            Start::GoOn(answers) => self.resolve(&runs, &answers).await?,
            Start::Retry(answers) => self.retry(&runs, &answers).await?,
        }
        self.tell_who_has_it(&runs).await?;
        self.attend(signals).await
    }

    async fn answer(
        &mut self,
        asking: &Asking,
        answers: &[Resolution],
        signals: &mut Signals,
    ) -> Result<Driven, Unanswered> {
        let runs = self.runs().await.map_err(Unanswered::Failed)?;
        // All are looked at before the first is given: each is a fact.
        for answer in answers {
            let refused = self.runner.check(&asking.continuation, answer).err();
            if let Some(error @ (ResumeError::Invalid { .. } | ResumeError::ArgumentsDiffer { .. })) = refused
            {
                return Err(Unanswered::Refused {
                    why: Box::new(refusal::explain(&error, &asking.interruptions)),
                    question: refusal::question(&error).cloned(),
                });
            }
        }
        for answer in answers {
            match runs.resolve(self.run_id, answer.clone(), self.by.as_deref()).await {
                Ok(_) => {}
                // Somebody else was first, or nobody was in time: the run goes on with that.
                Err(error @ (RunsError::Conflict { .. } | RunsError::Refused(_))) => {
                    terminal::show([&Failure::from(error).diagnostic()]);
                }
                Err(error) => return Err(Unanswered::Failed(error.into())),
            }
        }
        self.attend(signals).await.map_err(Unanswered::Failed)
    }

    /// It is in the store.
    fn leave(&self, _driven: &Driven) -> Result<Option<Left>, KeepError> {
        let (operand, options) = (self.run_id.to_string(), self.option.clone());
        Ok(Some(Left { kept: None, operand, options, warning: None }))
    }
}
