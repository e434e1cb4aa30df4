//! How much an entry takes, without writing it.

use crate::entry::{Encoded, Ending, Entry, Outcome, Question, Request, Resolution, Started};

impl Entry {
    /// About how many bytes it takes: those of what it carries, and sixteen.
    pub fn size(&self) -> u64 {
        let carried = match self {
            Self::Started(started) => size_of_start(started),
            Self::Called { request: Request::Function { arguments, .. }, .. } => arguments.len(),
            Self::Called { request: Request::Normalize { specifier, importer }, .. } => {
                specifier.len() + importer.len()
            }
            Self::Called { request: Request::Load { name }, .. } => name.len(),
            Self::Settled { outcome, .. } => size_of_outcome(outcome),
            Self::Random { value } | Self::Ended(Ending::Returned(value)) => value.len(),
            Self::Ended(Ending::Threw { message, .. }) => message.len(),
            Self::Interrupted(question) => size_of_question(question),
            Self::Resolved { resolution, .. } => size_of_resolution(resolution),
            Self::SourceChanged { source } => source.len(),
            _ => 0,
        };
        carried as u64 + 16
    }
}

fn size_of_start(started: &Started) -> usize {
    let names = started.functions.iter().map(|lent| lent.name.len() + 4).sum::<usize>();
    started.source.len() + started.name.len() + optional(&[&started.input, &started.data]) + names + 80
}

fn size_of_question(question: &Question) -> usize {
    let file = question.place.as_ref().and_then(|place| place.file.as_ref()).map_or(0, String::len);
    question.payload.len() + optional(&[&question.state, &question.default]) + file
}

fn size_of_resolution(resolution: &Resolution) -> usize {
    match resolution {
        Resolution::Answered(bytes) => bytes.len(),
        Resolution::Approved { arguments } => optional(&[arguments]),
        Resolution::Denied { reason } => reason.as_ref().map_or(0, String::len),
        Resolution::Happened(outcome) => size_of_outcome(outcome),
        Resolution::DidNotHappen | Resolution::Expired => 0,
    }
}

fn size_of_outcome(outcome: &Outcome) -> usize {
    match outcome {
        Outcome::Fulfilled(bytes) | Outcome::Rejected(bytes) => bytes.len(),
    }
}

fn optional(values: &[&Option<Encoded>]) -> usize {
    values.iter().filter_map(|value| value.as_ref()).map(|bytes| bytes.len()).sum()
}
