//! What can be wrong with a source.

use std::fmt;

use crate::position::Position;
use crate::snippet::snippet;

/// Why a source can't be prepared. Each has a stable [code](SourceError::code).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// Neither JavaScript nor TypeScript. Where both fail, the complaint is of the one that got further.
    #[error("{0}")]
    Syntax(Box<Complaint>),
    /// Valid, but there is no meaning for it here (`export =`, a decorator on a parameter, ...).
    #[error("{0}")]
    Unsupported(Box<Complaint>),
    /// Several Markdown fences: which of them is the script is not ours to guess.
    #[error("{0}")]
    ManyFences(Box<Complaint>),
    /// Nested deeper than a parser should follow.
    #[error("{0}")]
    TooDeep(Box<Complaint>),
    /// Longer than the caller allows.
    #[error("the source has {bytes} bytes; at most {limit} are allowed")]
    TooLarge {
        /// The length of the source in bytes.
        bytes: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// Not UTF-8.
    #[error(
        "the source is not UTF-8: the byte at offset {offset} (line {}, column {}) begins no character",
        position.line,
        position.column
    )]
    NotUtf8 {
        /// Where the first bytes are that are no UTF-8, from 0, in bytes.
        offset: usize,
        /// The same place as line and column.
        position: Position,
    },
}

impl SourceError {
    /// The stable name of this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Syntax(_) => "SOURCE_SYNTAX",
            Self::Unsupported(_) => "SOURCE_UNSUPPORTED",
            Self::ManyFences(_) => "SOURCE_MANY_FENCES",
            Self::TooDeep(_) => "SOURCE_TOO_DEEP",
            Self::TooLarge { .. } => "SOURCE_TOO_LARGE",
            Self::NotUtf8 { .. } => "SOURCE_NOT_UTF8",
        }
    }

    /// Where the error is, if it is at one place.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Syntax(complaint)
            | Self::Unsupported(complaint)
            | Self::ManyFences(complaint)
            | Self::TooDeep(complaint) => Some(complaint.position),
            Self::NotUtf8 { position, .. } => Some(*position),
            Self::TooLarge { .. } => None,
        }
    }
}

/// What is wrong, where, and what to do about it. Its `Display` is all of it, over several lines:
///
/// ```text
/// Unexpected token (line 2, column 9)
///   |
/// 2 | let x = ;
///   |         ^
/// hint: ...
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub position: Position,
    /// The line of the source, with a caret under the place. A long line is cut around it.
    pub snippet: String,
    /// What to do, where that is known.
    pub hint: Option<String>,
}

impl Complaint {
    /// A complaint about the bytes `start..end` of a text.
    pub(crate) fn new(text: &str, start: usize, end: usize, message: impl Into<String>) -> Self {
        let position = Position::of(text, start);
        let snippet = snippet(text, start, end, position.line);
        Self { message: message.into(), position, snippet, hint: None }
    }

    /// The same with a hint.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, position: Position { line, column }, snippet, hint } = self;
        write!(f, "{message} (line {line}, column {column})\n{snippet}")?;
        match hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}
