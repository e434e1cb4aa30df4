//! The words of the open form for what is a number in the byte form.

use crate::entry::{Profile, QuestionKind, SourceKind};

impl SourceKind {
    pub(super) const ALL: [Self; 3] = [Self::Auto, Self::FunctionBody, Self::Module];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::FunctionBody => "function_body",
            Self::Module => "module",
        }
    }
}

impl Profile {
    pub(super) const ALL: [Self; 2] = [Self::Full, Self::Bare];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Bare => "bare",
        }
    }
}

impl QuestionKind {
    pub(super) const ALL: [Self; 4] = [Self::Question, Self::Approval, Self::OutcomeUnknown, Self::Event];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Approval => "approval",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::Event => "event",
        }
    }
}
