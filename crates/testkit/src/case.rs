//! A case: a script, its host, and what is right step by step.

use std::collections::BTreeMap;

use crate::host::Host;
use crate::step::Step;

/// One way to try the subject of a page.
#[derive(Clone, Debug)]
pub struct Case {
    /// `page: title`, with neither blanks nor capitals: `race-lost: the-result-is-the-winner`.
    pub name: String,
    /// The page's file and the case's line in it, from 1.
    pub place: (String, usize),
    /// What a door has to offer for it.
    pub needs: Vec<Need>,
    /// Why it is not right yet, where that is known. It is passed over, by name.
    pub known: Option<String>,
    /// The script.
    pub source: Source,
    /// Other sources, by their names, to go on with.
    pub others: BTreeMap<String, Source>,
    /// Modules, by their names.
    pub modules: BTreeMap<String, String>,
    /// What is lent at first.
    pub host: Host,
    /// What is done. Empty where nothing that exists can do it yet.
    pub steps: Vec<Step>,
}

impl Case {
    /// Why a door cannot be tried with it, given what the door offers.
    pub fn passed_over(&self, offers: impl Fn(Need) -> bool) -> Option<String> {
        if let Some(known) = &self.known {
            return Some(format!("known: {known}"));
        }
        let missing: Vec<&str> =
            self.needs.iter().filter(|need| !offers(**need)).map(|need| need.name()).collect();
        (!missing.is_empty()).then(|| format!("needs {}", missing.join(", ")))
    }
}

/// A script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Of which language.
    pub language: Language,
    /// Its text.
    pub text: String,
}

/// A script's language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// JavaScript.
    Js,
    /// TypeScript.
    Ts,
}

impl Language {
    /// How a file of it is called.
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Js => "script.js",
            Self::Ts => "script.ts",
        }
    }
}

/// What not every door offers. A case is passed over, by name, where one is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// Runs that a store keeps.
    Durable,
    /// Policies that decide about calls.
    Policy,
    /// Several approvers of one call.
    Quorum,
    /// A host clock that can be set.
    Clock,
    /// A ledger that can be cut short, as a killed process leaves it.
    Cut,
    /// Something that remembers which answers were first.
    Claims,
    /// Cancelling a run.
    Cancel,
    /// Host functions that are told which argument an approver has replaced.
    Edits,
    /// Answers that carry a digest, or tell of an error.
    Details,
    /// Host functions that choose the name of their errors.
    Errors,
}

impl Need {
    /// As pages write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Durable => "durable",
            Self::Policy => "policy",
            Self::Quorum => "quorum",
            Self::Clock => "clock",
            Self::Cut => "cut",
            Self::Claims => "claims",
            Self::Cancel => "cancel",
            Self::Edits => "edits",
            Self::Details => "details",
            Self::Errors => "errors",
        }
    }

    /// Those that a page says itself; the others follow from its steps.
    pub(crate) fn said(name: &str) -> Option<Self> {
        [Self::Durable, Self::Quorum, Self::Errors].into_iter().find(|need| need.name() == name)
    }

    /// Whether nothing offers it yet.
    pub(crate) const fn is_of_the_future(self) -> bool {
        matches!(self, Self::Quorum)
    }
}
