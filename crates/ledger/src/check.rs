//! What an entry must be, whatever stands before it.

use std::collections::BTreeSet;

use intermission_value::Validator;

use crate::entry::{Encoded, Ending, Entry, Outcome, Request, Resolution, Started};
use crate::record::RecordError;
use crate::{BEHAVIOR, MAX_TIME};

/// Of the entry at `index` of a record that was read.
pub(crate) fn check<'a>(
    index: usize,
    entry: &'a Entry,
    validator: &mut Validator<'a>,
) -> Result<(), RecordError> {
    if matches!(entry, Entry::Started(_)) != (index == 0) {
        return Err(RecordError::malformed(index, "`started` is the first entry and no other"));
    }
    match entry {
        Entry::Started(started) => check_start(started)?,
        Entry::Forked { at, .. } if *at != index as u64 => {
            return Err(RecordError::malformed(index, "a fork is where it says how much is in common"));
        }
        _ => {}
    }
    for (what, value) in values(entry).into_iter().flatten() {
        validator
            .validate(value)
            .map_err(|why| RecordError::malformed(index, format_args!("{what}: {why}")))?;
        if what == ARGUMENTS && !is_array(value) {
            return Err(RecordError::malformed(index, "the arguments are no array"));
        }
    }
    Ok(())
}

fn check_start(started: &Started) -> Result<(), RecordError> {
    let unknown = started.behavior & !BEHAVIOR;
    if unknown != 0 {
        return Err(RecordError::Behavior(unknown));
    }
    if started.time > MAX_TIME {
        return Err(RecordError::malformed(0, "a time beyond all time"));
    }
    let mut names = BTreeSet::new();
    match started.functions.iter().find(|function| !names.insert(&function.name)) {
        Some(twice) => {
            Err(RecordError::malformed(0, format_args!("the function {} is lent twice", twice.name)))
        }
        None => Ok(()),
    }
}

const ARGUMENTS: &str = "the arguments";
const OUTCOME: &str = "the outcome";

type Named<'a> = (&'static str, &'a [u8]);

/// The encoded values in an entry.
fn values(entry: &Entry) -> [Option<Named<'_>>; 3] {
    match entry {
        Entry::Started(started) => {
            [some("the input", started.input.as_ref()), some("the data", started.data.as_ref()), None]
        }
        Entry::Called { request: Request::Function { arguments, .. }, .. } => one(ARGUMENTS, arguments),
        Entry::Settled { outcome, .. } => one(OUTCOME, bytes_of(outcome)),
        Entry::Random { value } | Entry::Ended(Ending::Returned(value)) => one("the value", value),
        Entry::Interrupted(question) => [
            Some(("the payload", &question.payload)),
            some("the state", question.state.as_ref()),
            some("the default", question.default.as_ref()),
        ],
        Entry::Resolved { resolution, .. } => match resolution {
            Resolution::Answered(value) => one("the answer", value),
            Resolution::Approved { arguments } => [some(ARGUMENTS, arguments.as_ref()), None, None],
            Resolution::Happened(outcome) => one(OUTCOME, bytes_of(outcome)),
            Resolution::Denied { .. } | Resolution::DidNotHappen | Resolution::Expired => [None; 3],
        },
        _ => [None; 3],
    }
}

fn one<'a>(what: &'static str, value: &'a [u8]) -> [Option<Named<'a>>; 3] {
    [Some((what, value)), None, None]
}

fn some<'a>(what: &'static str, value: Option<&'a Encoded>) -> Option<Named<'a>> {
    value.map(|value| (what, &**value))
}

fn bytes_of(outcome: &Outcome) -> &[u8] {
    match outcome {
        Outcome::Fulfilled(value) | Outcome::Rejected(value) => value,
    }
}

/// Major type 4: docs/values.md.
fn is_array(value: &[u8]) -> bool {
    value.first().is_some_and(|head| head >> 5 == 4)
}
