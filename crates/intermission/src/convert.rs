//! Between the words of the ledger and those of the engine: the two never meet but here.

use intermission_engine::{self as engine, Position};
use intermission_ledger::entry;
use intermission_source::SourceKind;

pub(crate) fn guest_outcome(outcome: entry::Outcome) -> engine::Outcome {
    match outcome {
        entry::Outcome::Fulfilled(bytes) => engine::Outcome::Fulfilled(bytes.to_vec()),
        entry::Outcome::Rejected(bytes) => engine::Outcome::Rejected(bytes.to_vec()),
    }
}

pub(crate) fn ledger_outcome(outcome: engine::Outcome) -> entry::Outcome {
    match outcome {
        engine::Outcome::Fulfilled(bytes) => entry::Outcome::Fulfilled(bytes.into()),
        engine::Outcome::Rejected(bytes) => entry::Outcome::Rejected(bytes.into()),
    }
}

pub(crate) fn place(file: Option<&str>, position: Option<Position>) -> Option<entry::Place> {
    position.map(|Position { line, column }| entry::Place { file: file.map(str::to_owned), line, column })
}

pub(crate) fn ledger_kind(kind: SourceKind) -> entry::SourceKind {
    match kind {
        SourceKind::FunctionBody => entry::SourceKind::FunctionBody,
        SourceKind::Module => entry::SourceKind::Module,
        _ => entry::SourceKind::Auto,
    }
}

pub(crate) fn source_kind(kind: entry::SourceKind) -> SourceKind {
    match kind {
        entry::SourceKind::Auto => SourceKind::Auto,
        entry::SourceKind::FunctionBody => SourceKind::FunctionBody,
        entry::SourceKind::Module => SourceKind::Module,
    }
}

pub(crate) fn ledger_profile(profile: engine::Profile) -> entry::Profile {
    match profile {
        engine::Profile::Full => entry::Profile::Full,
        engine::Profile::Bare => entry::Profile::Bare,
    }
}

pub(crate) fn profile(profile: entry::Profile) -> engine::Profile {
    match profile {
        entry::Profile::Full => engine::Profile::Full,
        entry::Profile::Bare => engine::Profile::Bare,
    }
}
