//! Answers to what is asked: the first is a fact.

use std::collections::BTreeSet;
use std::sync::Arc;

use intermission::{InterruptionId, Resolution, ResumeError, RunId, SystemTimeSource, TimeSource};
use intermission_config::{Config, Lent, Purpose};
use intermission_store::{InboxQuery, Resolved, Runs, RunsError, SqliteStore, Store, StoredInterruption};
use serde_json::{Value as Json, json};

use crate::answers::{self, NoSuchQuestion};
use crate::arguments::InboxArguments;
use crate::ask::{self, Asked, Source};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::moment::length;
use crate::printable::printable;
use crate::runtime::block_on;
use crate::script::Script;
use crate::session::by_whoever;
use crate::signals::Signals;
use crate::{given, runner, terminal};

/// Somebody who answers.
pub(super) struct Answering<'a> {
    arguments: &'a InboxArguments,
    config: Config,
    store: Arc<SqliteStore>,
}

/// An answer that was kept.
struct Answered {
    run_id: RunId,
    id: InterruptionId,
    answer: String,
    is_new: bool,
}

impl<'a> Answering<'a> {
    pub(super) fn begin(arguments: &'a InboxArguments) -> Result<Self, Failure> {
        given::refuse_standard_input_twice(answers::standard_inputs(&arguments.answers))?;
        let config = Config::load(arguments.config.config.as_deref())?;
        Ok(Self { arguments, config, store: arguments.store.open()? })
    }

    /// With the answers of the options. Each is kept by itself, so what is wrong with one says nothing of the others.
    pub(super) fn by_options(&self) -> Result<Exit, Failure> {
        // What an edited argument has to be like, the functions know. Nothing else needs them, and no server has to be started for it.
        let is_edited = !self.arguments.answers.edit.is_empty();
        let lent = if is_edited { self.config.lend(Purpose::Look)? } else { Lent::default() };
        let runner = runner::builder(&self.config, &lent)?.build()?;
        let (answered, failures) = block_on(async {
            let pending = self.pending(None).await?;
            let asked: Vec<_> = pending.iter().map(|asked| asked.interruption.clone()).collect();
            let resolutions = answers::resolutions(&self.arguments.answers, &asked)?;
            let mut of_runs = Vec::new();
            for resolution in resolutions {
                of_runs.push((self.run_of(&resolution.interruption_id, &pending).await?, resolution));
            }
            let runs = self.runs(runner).await?;
            let (mut answered, mut failures) = (Vec::new(), Vec::new());
            for (run_id, resolution) in of_runs {
                match self.resolve(&runs, run_id, resolution).await {
                    Ok(kept) => answered.push(kept),
                    Err(error) => failures.push(Failure::from(error).diagnostic()),
                }
            }
            Ok((answered, failures))
        })?;
        self.tell(&answered)?;
        terminal::show(&failures);
        Ok(if failures.is_empty() { Exit::Completed } else { Exit::Usage })
    }

    /// One question after the other, each answer kept as it is given.
    pub(super) fn at_terminal(&self) -> Result<Exit, Failure> {
        let lent = self.config.lend(Purpose::Look)?;
        let runner = runner::builder(&self.config, &lent)?.build()?;
        let (answered, ended_by) = block_on(async {
            let pending = self.pending(Some(self.arguments.limit)).await?;
            if pending.is_empty() {
                terminal::show_line("nothing is asked");
            }
            let mut signals = Signals::listen().map_err(Failure::Runtime)?;
            let runs = self.runs(runner).await?;
            let mut answered = Vec::new();
            for asked in &pending {
                let (kept, ended_by) = self.ask(&runs, asked, &mut signals).await?;
                answered.extend(kept);
                if ended_by.is_some() {
                    return Ok((answered, ended_by));
                }
            }
            Ok((answered, None))
        })?;
        self.tell(&answered)?;
        Ok(ended_by.unwrap_or(Exit::Completed))
    }

    /// Asks until there is an answer that fits, or none is given.
    async fn ask(
        &self,
        runs: &Runs,
        asked: &StoredInterruption,
        signals: &mut Signals,
    ) -> Result<(Option<Answered>, Option<Exit>), Failure> {
        let continuation = runs.ledger(asked.run_id).await?;
        let (script, name) = (Script::of(&continuation), continuation.record().started().name.clone());
        let age = length(SystemTimeSource.now().saturating_sub(asked.interruption.created));
        terminal::show_line(&format!("{}, {}, {age} ago:", asked.run_id, printable(&asked.name)));
        loop {
            let source = Source { script: &script, name: &name };
            let Asked { answers, ended_by } =
                ask::ask(&[&asked.interruption], source, signals).await.map_err(Failure::Runtime)?;
            let Some(answer) = answers.into_iter().next() else { return Ok((None, ended_by)) };
            match self.resolve(runs, asked.run_id, answer).await {
                Ok(kept) => return Ok((Some(kept), None)),
                Err(error) => {
                    let may_fit_later = matches!(error, RunsError::Refused(ResumeError::Invalid { .. }));
                    terminal::show([&Failure::from(error).diagnostic()]);
                    if !may_fit_later {
                        return Ok((None, None));
                    }
                }
            }
        }
    }

    async fn pending(&self, limit: Option<usize>) -> Result<Vec<StoredInterruption>, Failure> {
        let run_id = match &self.arguments.run {
            Some(name) => Some(name.find(&*self.store).await?),
            None => None,
        };
        // An option may answer a wait for an event; at the terminal nobody is asked for one, unless he wants it.
        let events = self.arguments.events || limit.is_none();
        Ok(self.store.inbox(InboxQuery { run_id, events, limit, ..InboxQuery::default() }).await?)
    }

    /// The run that asks this, or has asked it.
    async fn run_of(&self, id: &InterruptionId, pending: &[StoredInterruption]) -> Result<RunId, Failure> {
        if let Some(asked) = pending.iter().find(|asked| asked.interruption.id == *id) {
            return Ok(asked.run_id);
        }
        if let Some(run_id) = self.store.run_of(id.clone()).await? {
            return Ok(run_id);
        }
        let pending = pending.iter().map(|asked| asked.interruption.id.clone()).collect();
        Err(NoSuchQuestion::None { id: id.to_string(), pending }.into())
    }

    async fn runs(&self, runner: intermission::Runner) -> Result<Runs, Failure> {
        Ok(Runs::builder(self.store.clone(), runner).picks_up(false).build().await?)
    }

    async fn resolve(
        &self,
        runs: &Runs,
        run_id: RunId,
        resolution: Resolution,
    ) -> Result<Answered, RunsError> {
        let id = resolution.interruption_id.clone();
        let answer = intermission::answers_text(std::slice::from_ref(&resolution));
        let by = self.arguments.by.name();
        let resolved = runs.resolve(run_id, resolution, by.as_deref()).await?;
        Ok(Answered { run_id, id, answer, is_new: resolved != Resolved::Same })
    }

    fn tell(&self, answered: &[Answered]) -> Result<(), Failure> {
        if self.arguments.json {
            let all: Json = answered.iter().map(Answered::to_json).collect();
            return terminal::print(&format!("{all:#}"));
        }
        for one in answered {
            terminal::print(&printable(&one.answer))?;
        }
        let store = self.arguments.store.option();
        let runs: BTreeSet<String> = answered.iter().map(|one| one.run_id.to_string()).collect();
        for run in runs {
            terminal::show_line(&by_whoever(&run, &store));
        }
        Ok(())
    }
}

impl Answered {
    fn to_json(&self) -> Json {
        json!({
            "id": self.id.as_str(),
            "run_id": self.run_id.to_string(),
            "answer": self.answer,
            "new": self.is_new,
        })
    }
}
