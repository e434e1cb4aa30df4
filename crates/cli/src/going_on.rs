//! Going on with a run of the store: `resume` and `wait`.

use std::path::Path;
use std::sync::Arc;

use intermission::{Continuation, Resolution, ResumeError};
use intermission_config::{Config, Lent, Purpose};
use intermission_store::{RunState, RunsError, SqliteStore, Store, StoredRun};

use crate::answers::{self, NoSuchQuestion};
use crate::arguments::{AnswerArguments, OutputArguments, StoreArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run_name::RunName;
use crate::runner;
use crate::runtime::block_on;
use crate::script::Script;
use crate::session::{Durable, Patience, Session, Start};

/// How it is gone on with.
pub(crate) struct GoingOn<'g> {
    pub(crate) store: &'g StoreArguments,
    pub(crate) config: &'g Config,
    pub(crate) config_given: Option<&'g Path>,
    pub(crate) output: &'g OutputArguments,
    pub(crate) asks: bool,
    pub(crate) patience: Patience,
    pub(crate) retry: bool,
}

/// A run as it is found.
struct Found {
    store: Arc<SqliteStore>,
    stored: StoredRun,
    continuation: Continuation,
}

/// Goes on with the run of this name; with answers, and who gives them.
///
/// # Errors
/// Where it is not there, an answer is refused, or nothing can be told.
pub(crate) fn go_on(
    with: &GoingOn<'_>,
    name: &RunName,
    answers: Option<(&AnswerArguments, Option<String>)>,
) -> Result<Exit, Failure> {
    let Found { store, stored, continuation } = block_on(find(with.store, name))?;
    let (answers, by) = answers.unzip();
    if stored.state == RunState::Cancelled {
        return Err(Failure::refused(&ResumeError::Over, &[]));
    }
    let given =
        answers.map(|answers| block_on(checked(answers, &store, &stored, &continuation))).transpose()?;
    let start = match start(with, &stored, &continuation) {
        Start::GoOn(_) => Start::GoOn(given.unwrap_or_default()),
        start => start,
    };
    let is_over = stored.state.is_over() && !matches!(start, Start::Retry);
    // Of a run that is over nothing is called, so no server is started.
    let lent = if is_over { Lent::default() } else { with.config.lend(Purpose::Run)? };
    let runner = runner::builder(with.config, &lent)?.build()?;
    let session = Session {
        config: with.config,
        config_given: with.config_given.map(Path::to_owned),
        name: continuation.record().started().name.clone(),
        script: Script::of(&continuation),
        output: with.output,
        asks: with.asks,
    };
    let durable = Durable::new(store, runner, stored.run_id, start, with.store.option());
    session.drive(durable.patience(with.patience).by(by.flatten()))
}

async fn find(arguments: &StoreArguments, name: &RunName) -> Result<Found, Failure> {
    let store = arguments.open()?;
    let run_id = name.find(&*store).await?;
    let no_run = || RunsError::NoRun { run_id };
    let stored = store.run(run_id).await?.ok_or_else(no_run)?;
    let loaded = store.load(run_id).await?.ok_or_else(no_run)?;
    let continuation = Continuation::from_bytes(&loaded.ledger).map_err(RunsError::from)?;
    Ok(Found { store, stored, continuation })
}

/// A run that was stopped by something else than its script only has to go on.
fn start(with: &GoingOn<'_>, stored: &StoredRun, continuation: &Continuation) -> Start {
    let was_stopped = matches!(stored.state, RunState::Failed { .. }) && continuation.over().is_none();
    if with.retry || was_stopped { Start::Retry } else { Start::GoOn(Vec::new()) }
}

/// The answers to what the run asks, or has asked.
async fn checked(
    options: &AnswerArguments,
    store: &SqliteStore,
    stored: &StoredRun,
    continuation: &Continuation,
) -> Result<Vec<Resolution>, Failure> {
    let pending = continuation.interruptions();
    let resolutions = answers::resolutions(options, &pending)?;
    let before = store.answers(continuation.run_id()).await?;
    for Resolution { interruption_id: id, .. } in &resolutions {
        let is_known = pending.iter().any(|asked| asked.id == *id)
            || before.iter().any(|given| given.interruption_id == *id);
        if !is_known {
            let id = id.to_string();
            let pending: Vec<_> = pending.iter().map(|asked| asked.id.clone()).collect();
            return Err(match pending.as_slice() {
                [] if stored.state.is_over() => Failure::refused(&ResumeError::Over, &[]),
                [] => NoSuchQuestion::Nothing { id }.into(),
                _ => NoSuchQuestion::None { id, pending }.into(),
            });
        }
    }
    Ok(resolutions)
}
