//! `intermission cancel`.

use std::time::Duration;

use intermission_config::{Config, Purpose};
use intermission_store::{RunState, Runs, Until};
use tokio::time::timeout;

use crate::arguments::CancelArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::runtime::block_on;
use crate::{runner, terminal};

const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// Ends a run for good: here, or where it is gone on with.
pub(crate) fn cancel(arguments: &CancelArguments) -> Result<Exit, Failure> {
    let config = Config::load(arguments.config.config.as_deref())?;
    let store = arguments.of.store.open()?;
    // Nothing is called; but what is open has to be known.
    let lent = config.lend(Purpose::Look)?;
    let runner = runner::builder(&config, &lent)?.build()?;
    let (run_id, state) = block_on(async {
        let run_id = arguments.of.run.find(&*store).await?;
        let clock = runner.clone();
        let runs = Runs::builder(store, runner).picks_up(false).build().await?;
        runs.cancel(run_id).await?;
        let mut progress = Progress::at_terminal();
        let stored = loop {
            runs.take_up(run_id).await?;
            match timeout(LOOK_AGAIN, runs.wait(run_id, Until::Over)).await {
                Ok(stored) => break stored?,
                Err(_) => progress.show("waiting for the process that goes on with it", clock.time()),
            }
        };
        progress.clear();
        Ok((run_id, stored.state))
    })?;
    match state {
        RunState::Cancelled => {
            terminal::print(&format!("{run_id}: cancelled"))?;
            Ok(Exit::Completed)
        }
        // It was over before anybody heard of it, or what it calls is not lent any more.
        state => {
            let why = match &state {
                RunState::Failed { code, message } => format!(": {code}: {message}"),
                _ => String::new(),
            };
            Err(Failure::NotCancelled { run: run_id.to_string(), state: state.name(), why })
        }
    }
}
