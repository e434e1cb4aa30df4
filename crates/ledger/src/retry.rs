//! Which entries count: all but those that a retry made void.

use crate::entry::{Ending, Entry};
use crate::record::RecordError;

/// The indices of the entries that a replay follows.
///
/// `Retried` cuts the record at the settlement of its call. What was recorded since is void, but for the outcomes of other calls, which are facts.
pub(crate) fn path(entries: &[Entry]) -> Result<Vec<usize>, RecordError> {
    let mut path: Vec<usize> = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        if let Entry::Retried { call } = entry {
            let cut = cut(entries, &path, *call).map_err(|why| RecordError::malformed(index, why))?;
            let facts: Vec<usize> =
                path.split_off(cut).into_iter().filter(|at| is_fact(&entries[*at], *call)).collect();
            path.extend(facts);
        }
        path.push(index);
    }
    Ok(path)
}

/// Where on the path the settlement stands that a retry of `call` undoes.
pub(crate) fn cut(entries: &[Entry], path: &[usize], call: u32) -> Result<usize, &'static str> {
    let settles =
        |at: &usize| matches!(entries[*at], Entry::Settled { call: settled, .. } if settled == call);
    let cut = path.iter().rposition(settles).ok_or("a retry of a call that has no outcome")?;
    let behind = path[cut + 1..].iter().map(|at| &entries[*at]);
    let ended = behind
        .clone()
        .any(|entry| matches!(entry, Entry::Ended(Ending::Threw { call: Some(by), .. }) if *by == call));
    if !ended {
        return Err("a retry of a call that did not end the run");
    }
    if behind.clone().any(|entry| matches!(entry, Entry::Called { .. })) {
        return Err("a retry of a call behind which others were made");
    }
    Ok(cut)
}

fn is_fact(entry: &Entry, retried: u32) -> bool {
    match entry {
        Entry::Settled { call, .. } | Entry::Dispatched { call } => *call != retried,
        Entry::Spent(_) | Entry::Used { .. } => true,
        _ => false,
    }
}
