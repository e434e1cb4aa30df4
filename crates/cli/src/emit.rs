//! `intermission emit`.

use intermission::Runner;
use intermission_store::{Emitted, Runs};

use crate::arguments::EmitArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::runtime::block_on;
use crate::session::by_whoever;
use crate::{given, terminal};

/// Keeps an event for a run. Whoever goes on with the run takes it.
pub(crate) fn emit(arguments: &EmitArguments) -> Result<Exit, Failure> {
    let value = given::value("the event", Some(&arguments.value))?;
    let runner = Runner::new()?;
    let (run_id, emitted) = block_on(async {
        let store = arguments.store.open()?;
        let run_id = arguments.run.find(&*store).await?;
        let runs = Runs::builder(store, runner).picks_up(false).build().await?;
        let by = arguments.by.name();
        Ok((run_id, runs.emit(run_id, arguments.key.as_str(), value, by.as_deref()).await?))
    })?;
    let store = arguments.store.option();
    terminal::show_line(&match emitted {
        Emitted::Same => "it was emitted before".to_owned(),
        _ => format!("kept; {}", by_whoever(&run_id.to_string(), &store)),
    });
    Ok(Exit::Completed)
}
