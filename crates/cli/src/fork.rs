//! `intermission fork`.

use std::sync::Arc;

use intermission::{Continuation, RunId, Runner};
use intermission_store::{Runs, SqliteStore};
use serde_json::{Value as Json, json};

use crate::arguments::ForkArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::{Destination, Keeper, Kept};
use crate::looking::{Looked, Place};
use crate::runtime::block_on;
use crate::terminal;

/// Makes another run that has done what the first entries of a ledger say. Nothing is run, and the old run stays as it is.
pub(crate) fn fork(arguments: &ForkArguments) -> Result<Exit, Failure> {
    let Looked { config, continuation, place } = Looked::at(&arguments.of)?;
    let forked = forked(&continuation, arguments.at)?;
    let kept = match place {
        Place::Store(store) if arguments.continuation.is_none() => {
            block_on(keep(store, &continuation, arguments.at))?
        }
        Place::Store(_) => in_a_file(arguments, &forked, &Keeper::new(&config, arguments.of.trust)?)?,
        Place::Elsewhere(keeper) => in_a_file(arguments, &forked, &keeper)?,
    };
    let told = Told { run_id: kept.run_id, from: continuation.run_id(), at: arguments.at, kept: kept.kept };
    terminal::print(&if arguments.json { format!("{:#}", told.to_json()) } else { told.to_text() })?;
    Ok(Exit::Completed)
}

/// The new run.
struct Forked {
    run_id: RunId,
    /// Where its continuation is, where it is not in the store.
    kept: Option<Kept>,
}

fn in_a_file(arguments: &ForkArguments, forked: &Continuation, keeper: &Keeper) -> Result<Forked, Failure> {
    let destination = Destination::choose(arguments.continuation.as_deref(), None, keeper)?;
    let kept = destination.keep(forked, keeper)?;
    terminal::show(&kept.warning());
    Ok(Forked { run_id: forked.run_id(), kept: Some(kept) })
}

/// In the store of the old one. Nobody goes on with it yet.
async fn keep(store: Arc<SqliteStore>, of: &Continuation, at: usize) -> Result<Forked, Failure> {
    let runs = Runs::builder(store, Runner::new()?).picks_up(false).max_live(0).build().await?;
    Ok(Forked { run_id: runs.fork(of.run_id(), at).await?, kept: None })
}

/// What is told of it.
struct Told {
    run_id: RunId,
    from: RunId,
    at: usize,
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

fn forked(continuation: &Continuation, at: usize) -> Result<Continuation, Failure> {
    let all = continuation.record().entries().len();
    if !(1..=all).contains(&at) {
        return Err(Failure::Fork(format!(
            "a fork at {at} is not possible: the ledger has {all} entries, --at takes 1 to {all}"
        )));
    }
    continuation.fork(at).map_err(|error| Failure::Fork(error.to_string()))
}
