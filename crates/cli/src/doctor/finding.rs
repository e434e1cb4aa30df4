//! What a check found.

use serde_json::{Value as Json, json};

use crate::failure::Failure;
use crate::printable::printable;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Ok,
    Warn,
    Fail,
}

impl Status {
    const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// What a check found, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) check: &'static str,
    pub(super) status: Status,
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

impl Finding {
    pub(super) fn ok(check: &'static str, message: String) -> Self {
        Self { check, status: Status::Ok, message, hint: None }
    }

    pub(super) fn warn(check: &'static str, message: String) -> Self {
        Self { status: Status::Warn, ..Self::ok(check, message) }
    }

    pub(super) fn fail(check: &'static str, message: String) -> Self {
        Self { status: Status::Fail, ..Self::ok(check, message) }
    }

    /// What a command would have failed with.
    pub(super) fn failed(check: &'static str, failure: &Failure) -> Self {
        let diagnostic = failure.diagnostic();
        let place = diagnostic.place.map(|at| format!("{}:{}:{}: ", at.file, at.line, at.column));
        let message = format!("{}{} [{}]", place.unwrap_or_default(), diagnostic.message, diagnostic.code);
        Self { hint: diagnostic.hint, ..Self::fail(check, message) }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// `warn  store  ...`, and below it what to do.
    pub(super) fn to_text(&self) -> String {
        let line = format!("{:<4}  {:<13}  {}", self.status.name(), self.check, self.message);
        let hint = self.hint.as_ref().map_or_else(String::new, |hint| format!("\n{:21}{hint}", ""));
        printable(&format!("{line}{hint}")).into_owned()
    }

    pub(super) fn to_json(&self) -> Json {
        json!({
            "check": self.check,
            "status": self.status.name(),
            "message": self.message,
            "hint": self.hint,
        })
    }
}
