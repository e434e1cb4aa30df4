//! What is wrong, where, and what to do about it.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::{Value as Json, json};

use crate::printable::{on_one_line, printable};
use crate::text_place::TextPlace;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    Error,
    Warning,
}

/// Something to tell whoever wrote the script, the configuration or the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    pub(crate) severity: Severity,
    /// The stable code.
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) place: Option<TextPlace>,
    pub(crate) notes: Vec<String>,
    /// What to do.
    pub(crate) hint: Option<String>,
}

impl Diagnostic {
    /// An error without a place.
    pub(crate) fn error(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code: code.into(),
            message: message.into(),
            place: None,
            notes: Vec::new(),
            hint: None,
        }
    }

    /// A warning without a place.
    pub(crate) fn warning(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    pub(crate) fn at(mut self, place: impl Into<Option<TextPlace>>) -> Self {
        self.place = place.into();
        self
    }

    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// As text, with colours.
    pub(crate) fn to_text(&self) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group =
            Group::with_title(level.primary_title(printable(&self.message)).id(self.code.as_str()));
        if let Some(TextPlace { file, line, text, span, .. }) = &self.place {
            let snippet = Snippet::source(text.as_str()).path(on_one_line(file)).line_start(*line as usize);
            group = group.element(snippet.annotation(AnnotationKind::Primary.span(span.clone())));
        }
        for note in &self.notes {
            group = group.element(Level::NOTE.message(printable(note)));
        }
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(printable(hint)));
        }
        Renderer::styled().render(&[group])
    }

    /// As JSON, for programs.
    pub(crate) fn to_json(&self) -> Json {
        json!({
            "severity": match self.severity { Severity::Error => "error", Severity::Warning => "warning" },
            "code": self.code,
            "message": self.message,
            "file": self.place.as_ref().map(|place| &place.file),
            "line": self.place.as_ref().map(|place| place.line),
            "column": self.place.as_ref().map(|place| place.column),
            "notes": self.notes,
            "hint": self.hint,
        })
    }
}
