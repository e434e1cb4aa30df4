//! Going on with a run of the store: `resume` and `wait`.

use std::sync::Arc;

use intermission::{Continuation, Resolution, ResumeError};
use intermission_config::{Config, Lent, Purpose};
use intermission_store::{RunState, RunsError, SqliteStore, Store, StoredRun, Until};

use crate::answers::{self, NoSuchQuestion};
use crate::arguments::{AnswerArguments, OutputArguments, SettingsArguments, StoreArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run_name::RunName;
use crate::runner;
use crate::runtime::block_on;
use crate::script::Script;
use crate::session::{Durable, Session, Start};
use crate::store::ledger;

/// How it is gone on with.
pub(crate) struct GoingOn<'g> {
    pub(crate) store: &'g StoreArguments,
    pub(crate) config: &'g Config,
    pub(crate) settings: &'g SettingsArguments,
    pub(crate) output: &'g OutputArguments,
    pub(crate) asks: bool,
    pub(crate) until: Until,
    pub(crate) retries: Retries,
}

/// Which of the runs that have failed are tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retries {
    /// None: what came of it is told.
    None,
    /// Those that something else than their script has stopped: they only have to go on.
    Stopped,
    /// Those, too, that the rejection of a host call has ended.
    All,
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
    if stored.state == RunState::Cancelled && answers.is_some() {
        return Err(Failure::refused(&ResumeError::Over, &[]));
    }
    let given =
        answers.map(|answers| block_on(checked(answers, &store, &stored, &continuation))).transpose()?;
    let given = given.unwrap_or_default();
    let is_retried = is_retried(with.retries, &stored, &continuation);
    let start = if is_retried { Start::Retry(given) } else { Start::GoOn(given) };
    let is_over = stored.state.is_over() && !is_retried;
    // Of a run that is over nothing is called, so no server is started.
    let lent = if is_over { Lent::default() } else { with.config.lend(Purpose::Run)? };
    let runner = runner::builder(with.config, &lent)?.build()?;
    let session = Session {
        config: with.config,
        settings: with.settings,
        name: continuation.record().started().name.clone(),
        script: Script::of(&continuation),
        output: with.output,
        asks: with.asks,
    };
    let durable = Durable::new(store, runner, stored.run_id, start, with.store.option());
    session.drive(durable.until(with.until).by(by.flatten()))
}

async fn find(arguments: &StoreArguments, name: &RunName) -> Result<Found, Failure> {
    let store = arguments.open()?;
    let run_id = name.find(&*store).await?;
    let stored = store.run(run_id).await?.ok_or(RunsError::NoRun { run_id })?;
    let continuation = ledger(&*store, run_id).await?;
    Ok(Found { store, stored, continuation })
}

fn is_retried(retries: Retries, stored: &StoredRun, continuation: &Continuation) -> bool {
    let was_stopped = matches!(stored.state, RunState::Failed { .. }) && continuation.over().is_none();
    match retries {
        Retries::None => false,
        Retries::Stopped => was_stopped,
        Retries::All => true,
    }
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
