//! `intermission fork`.

mod what_if;

use std::sync::Arc;

use intermission::{Continuation, RunError, RunId, Runner};
use intermission_config::Lent;
use intermission_store::{Runs, SqliteStore};
use serde_json::{Value as Json, json};

use crate::arguments::ForkArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::{Destination, Keeper, Kept};
use crate::looking::{Looked, Place};
use crate::runtime::block_on;
use crate::{given, runner, terminal};

/// Makes another run that has done what the first entries of a ledger say. Nothing is run, and the old run stays as it is.
pub(crate) fn fork(arguments: &ForkArguments) -> Result<Exit, Failure> {
    given::refuse_standard_input_twice(
        arguments.with.iter().map(|outcome| given::is_standard_input(Some(&outcome.value))),
    )?;
    let looked = Looked::at(&arguments.of)?;
    let from = looked.continuation.run_id();
    let at = what_if::length(&looked.continuation, arguments.at, &arguments.with)?;
    let forked = forked(&looked, at, arguments)?;
    let run_id = forked.run_id();
    let kept = match &looked.place {
        Place::Store(store) if arguments.continuation.is_none() => {
            block_on(keep(Arc::clone(store), forked))?;
            None
        }
        Place::Store(_) => {
            Some(in_a_file(arguments, &forked, &Keeper::new(&looked.config, arguments.of.trust)?)?)
        }
        Place::Elsewhere(keeper) => Some(in_a_file(arguments, &forked, keeper)?),
    };
    let told = Told { run_id, from, at, kept };
    terminal::print(&if arguments.json { format!("{:#}", told.to_json()) } else { told.to_text() })?;
    Ok(Exit::Completed)
}

fn forked(looked: &Looked, at: usize, arguments: &ForkArguments) -> Result<Continuation, Failure> {
    let changed = what_if::with(&looked.continuation, &arguments.with)?;
    let forked = changed.fork(at).map_err(|error| Failure::Fork(error.to_string()))?;
    if !arguments.with.is_empty() {
        check(looked, &forked)?;
    }
    Ok(forked)
}

/// That the script still does what is left of its ledger.
fn check(looked: &Looked, forked: &Continuation) -> Result<(), Failure> {
    // Nothing is invoked, so nothing has to be lent.
    let runner = runner::builder(&looked.config, &Lent::default())?.build()?;
    let replayed = block_on(async { Ok(runner.replay(forked.clone()).await) })?;
    match replayed.error() {
        Some(RunError::Diverged(diverged)) => {
            Err(Failure::Fork(format!("with that the script does something else: {}", diverged.divergence)))
        }
        _ => Ok(()),
    }
}

fn in_a_file(arguments: &ForkArguments, forked: &Continuation, keeper: &Keeper) -> Result<Kept, Failure> {
    let destination = Destination::choose(arguments.continuation.as_deref(), None, keeper)?;
    let kept = destination.keep(forked, keeper)?;
    terminal::show(&kept.warning());
    Ok(kept)
}

/// In the store of the old one. Nobody goes on with it yet.
async fn keep(store: Arc<SqliteStore>, forked: Continuation) -> Result<(), Failure> {
    let runs = Runs::builder(store, Runner::new()?).picks_up(false).max_live(0).build().await?;
    runs.adopt(forked).await?;
    Ok(())
}

/// What is told of the new run.
struct Told {
    run_id: RunId,
    from: RunId,
    at: usize,
    /// Where its continuation is, where it is not in the store.
    kept: Option<Kept>,
}

impl Told {
    fn to_text(&self) -> String {
        let Self { run_id, from, at, kept } = self;
        match kept {
            None => format!("{run_id}, from {from} at entry {at}"),
            Some(Kept { file: Some(file), .. }) => {
                format!("{run_id}, from {from} at entry {at}: {}", file.display())
            }
            Some(_) => format!("{:#}", self.to_json()),
        }
    }

    fn to_json(&self) -> Json {
        json!({
            "run_id": self.run_id.to_string(),
            "from": self.from.to_string(),
            "at": self.at,
            "continuation": self.kept.as_ref().map(Kept::to_json),
        })
    }
}
