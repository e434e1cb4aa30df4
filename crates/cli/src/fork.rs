//! `intermission fork`.

use intermission::{Continuation, RunId};
use serde_json::{Value as Json, json};

use crate::arguments::ForkArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::{Destination, Keeper, Kept};
use crate::terminal;

/// Makes another run that has done what the first entries of a ledger say. Nothing is run, and the old run stays as it is.
pub(crate) fn fork(arguments: &ForkArguments) -> Result<Exit, Failure> {
    let (_, keeper, continuation) = Keeper::look(&arguments.of)?;
    let destination = Destination::choose(arguments.continuation.as_deref(), None, &keeper)?;
    let (from, forked) = (continuation.run_id(), forked(&continuation, arguments.at)?);
    let kept = destination.keep(&forked, &keeper)?;
    terminal::show(&kept.warning());
    let (run_id, at) = (forked.run_id(), arguments.at);
    let told = match kept.file.as_ref().filter(|_| !arguments.json) {
        Some(file) => format!("{run_id}, from {from} at entry {at}: {}", file.display()),
        None => format!("{:#}", to_json(run_id, from, at, &kept)),
    };
    terminal::print(&told)?;
    Ok(Exit::Completed)
}

fn to_json(run_id: RunId, from: RunId, at: usize, kept: &Kept) -> Json {
    json!({
        "run_id": run_id.to_string(),
        "from": from.to_string(),
        "at": at,
        "continuation": kept.to_json(),
    })
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
