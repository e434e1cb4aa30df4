//! `intermission delete`.

use intermission::{Runner, SystemTimeSource, TimeSource};
use intermission_store::{Runs, Store};

use crate::arguments::DeleteArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::runtime::block_on;
use crate::terminal;

/// So many at once, so that nobody waits for long.
const AT_ONCE: usize = 100;

/// Deletes runs that are over, with all their data.
pub(crate) fn delete(arguments: &DeleteArguments) -> Result<Exit, Failure> {
    let runner = Runner::new()?;
    block_on(async {
        let store = arguments.store.open()?;
        if let Some(time) = arguments.over_for {
            let kept = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            let before = SystemTimeSource.now().saturating_sub(kept);
            let mut all = 0;
            loop {
                let deleted = store.delete_over(before, AT_ONCE).await?;
                all += deleted;
                if deleted < AT_ONCE {
                    break;
                }
            }
            return terminal::print(&format!("{all} deleted"));
        }
        // All names are looked at first: where one means nothing, nothing is deleted.
        let mut run_ids = Vec::new();
        for name in &arguments.runs {
            run_ids.push(name.find(&*store).await?);
        }
        let runs = Runs::builder(store, runner).picks_up(false).build().await?;
        for run_id in run_ids {
            runs.delete(run_id).await?;
            terminal::print(&format!("{run_id}: deleted"))?;
        }
        Ok(())
    })?;
    Ok(Exit::Completed)
}
