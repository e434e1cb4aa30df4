//! The beginning of a ledger in which calls had other outcomes.

use intermission::Continuation;
use intermission::ledger::entry::Outcome;
use intermission::ledger::{Entry, Record};
use intermission::value::encode;

use crate::arguments::ForOutcome;
use crate::failure::Failure;
use crate::given;

/// How many entries a fork has in common: so many as are given, or all up to the last of these outcomes.
///
/// # Errors
/// Where there is no fork so long, or a call has no outcome in it.
pub(super) fn length(
    of: &Continuation,
    at: Option<usize>,
    outcomes: &[ForOutcome],
) -> Result<usize, Failure> {
    let entries = of.record().entries();
    let all = entries.len();
    if let Some(at) = at.filter(|at| !(1..=all).contains(at)) {
        return Err(Failure::Fork(format!(
            "a fork at {at} is not possible: the ledger has {all} entries, --at takes 1 to {all}"
        )));
    }
    let mut last = 0;
    for ForOutcome { call, .. } in outcomes {
        let settled = entries[..at.unwrap_or(all)].iter().rposition(|entry| is_settled(entry, *call));
        let Some(settled) = settled else {
            let place = at.map_or_else(String::new, |at| format!(" in the first {at} entries"));
            return Err(Failure::Fork(format!("the call {call} has no outcome{place}")));
        };
        last = last.max(settled + 1);
    }
    Ok(at.unwrap_or(last))
}

/// The run with other outcomes of its calls. What it did after them it may not have done.
///
/// # Errors
/// Where a value is no JSON.
pub(super) fn with(of: &Continuation, outcomes: &[ForOutcome]) -> Result<Continuation, Failure> {
    if outcomes.is_empty() {
        return Ok(of.clone());
    }
    let mut entries = of.record().entries().to_vec();
    for ForOutcome { call, value } in outcomes {
        let value = given::value("--with", Some(value))?;
        let bytes = encode(&value).map_err(|error| Failure::Fork(error.to_string()))?;
        for entry in &mut entries {
            if let Entry::Settled { call: of, outcome, .. } = entry
                && of == call
            {
                *outcome = Outcome::Fulfilled(bytes.clone().into());
            }
        }
    }
    let record = Record::from_entries(entries).map_err(|error| Failure::Fork(error.to_string()))?;
    Continuation::new(record).map_err(|error| Failure::Fork(error.to_string()))
}

fn is_settled(entry: &Entry, number: u32) -> bool {
    matches!(entry, Entry::Settled { call, .. } if *call == number)
}
