//! Why a run is not gone on with, and what to do about it.

use intermission::{Interruption, InterruptionId, InterruptionKind, Limit, ResumeError};
use intermission_config::suggestion;

use intermission_store::RunsError;

use crate::diagnostic::Diagnostic;
use crate::moment::moment;

/// A resume that was refused, of a run that asks this.
pub(crate) fn explain(error: &ResumeError, pending: &[Interruption]) -> Diagnostic {
    let diagnostic = Diagnostic::error(error.code(), error.to_string());
    match hint(error, pending) {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    }
}

/// What to do about an error of the runs in a store.
pub(crate) fn of_runs(error: &RunsError) -> Option<String> {
    match error {
        RunsError::Conflict { .. } => Some(
            "the first answer is the answer for ever; `intermission show` tells what came of it".to_owned(),
        ),
        RunsError::Emitted { .. } => Some("the first event of a key is its event for ever".to_owned()),
        RunsError::NotOver { .. } => Some("`intermission cancel` ends it for good".to_owned()),
        RunsError::Refused(ResumeError::NotRetryable { .. }) => {
            Some("a run is tried again that a host call's rejection has ended".to_owned())
        }
        RunsError::Refused(error) => hint(error, &[]),
        _ => None,
    }
}

/// The question that an answer was refused for.
pub(crate) fn question(error: &ResumeError) -> Option<&InterruptionId> {
    match error {
        ResumeError::Unknown { id }
        | ResumeError::Stale { id }
        | ResumeError::Duplicate { id }
        | ResumeError::Invalid { id, .. }
        | ResumeError::ArgumentsDiffer { id }
        | ResumeError::Expired { id, .. } => Some(id),
        _ => None,
    }
}

fn hint(error: &ResumeError, pending: &[Interruption]) -> Option<String> {
    let ids = || pending.iter().map(|asked| asked.id.as_str());
    match error {
        ResumeError::Unknown { id } => Some(suggestion::hint(id.as_str(), ids())),
        ResumeError::Stale { .. } if pending.is_empty() => Some("leave the answer out".to_owned()),
        ResumeError::Stale { .. } => Some(suggestion::there_are(ids())),
        ResumeError::Invalid { id, .. } => {
            pending.iter().find(|asked| asked.id == *id).map(|asked| options(asked.kind).to_owned())
        }
        ResumeError::Expired { at, .. } => Some(format!(
            "that was {}: leave the answer out, and the call gets what was meant for this case",
            moment(*at)
        )),
        ResumeError::FunctionMissing { name } => Some(lend(name)),
        ResumeError::LimitTooLow(exhausted) => Some(allow_more(exhausted.limit)),
        ResumeError::Over => Some("`intermission inspect` shows what came of it".to_owned()),
        _ => None,
    }
}

/// What to do about a function that is not there.
pub(crate) fn lend(name: &str) -> String {
    format!("write [functions.\"{name}\"] into the configuration, or name another with --config")
}

/// What to do about a limit that is too low.
pub(crate) fn allow_more(limit: Limit) -> String {
    format!("allow more with `--limit {}=...`", limit.name())
}

fn options(kind: InterruptionKind) -> &'static str {
    match kind {
        InterruptionKind::Question => "it takes `--answer ID=JSON`",
        InterruptionKind::Approval => "it takes `--approve ID`, `--edit ID=JSON` or `--deny ID`",
        InterruptionKind::Event => "it is a wait for an event: it takes `--answer ID=JSON`",
        InterruptionKind::OutcomeUnknown => "it takes `--happened ID=JSON` or `--did-not-happen ID`",
    }
}
