//! Rust's own types as values and back, by [serde](https://serde.rs).

mod access;
mod from_value;
mod key;
mod to_value;
mod value;

pub use self::from_value::from_value;
pub use self::to_value::to_value;

use std::fmt;

use crate::path::At;
use crate::{EncodeError, ExpandError, Path, Segment};

/// Why a type of Rust and a value don't go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The value is not of the type, or the type said so.
    #[error("{message}{}", At(path))]
    Mismatch {
        /// What was expected and what is there.
        message: String,
        /// Where.
        path: Path,
    },
    /// A key that is no string, integer, character or boolean.
    #[error("a key must be a string{}", At(path))]
    KeyType {
        /// In which map.
        path: Path,
    },
    /// More than [`MAX_DEPTH`](crate::MAX_DEPTH) containers inside each other.
    #[error("there are more than {} containers inside each other", crate::MAX_DEPTH)]
    TooDeep,
    /// Text with a lone surrogate, which Rust's strings can't hold.
    #[error("the string has a lone surrogate{}", At(path))]
    LoneSurrogate {
        /// Where.
        path: Path,
    },
    /// The value can't be written out as a tree.
    #[error(transparent)]
    Expand(#[from] ExpandError),
    /// A [`Value`](crate::Value) in the type is none that JavaScript has.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl ConvertError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Mismatch { .. } => "mismatch",
            Self::KeyType { .. } => "key-type",
            Self::TooDeep => "too-deep",
            Self::LoneSurrogate { .. } => "lone-surrogate",
            Self::Expand(error) => error.code(),
            Self::Encode(error) => error.code(),
        }
    }

    fn mismatch(message: impl fmt::Display) -> Self {
        Self::Mismatch { message: message.to_string(), path: Path::default() }
    }

    /// The same error, seen from one container further out.
    fn within(mut self, segment: Segment) -> Self {
        match &mut self {
            Self::Mismatch { path, .. } | Self::KeyType { path } | Self::LoneSurrogate { path } => {
                *path = std::mem::take(path).behind(segment);
            }
            Self::TooDeep | Self::Expand(_) | Self::Encode(_) => {}
        }
        self
    }
}

impl serde::ser::Error for ConvertError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::mismatch(message)
    }
}

impl serde::de::Error for ConvertError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::mismatch(message)
    }
}

/// Under this name a [`Value`](crate::Value) inside of another type passes as its bytes, so that it comes through whole.
const EXACT: &str = "$intermission::Value";

/// Runs `next` with room on the stack, which grows on the heap: serde recurses by the depth of its input.
fn with_stack<T>(next: impl FnOnce() -> T) -> T {
    const RED_ZONE: usize = 128 << 10;
    const SEGMENT: usize = 2 << 20;
    stacker::maybe_grow(RED_ZONE, SEGMENT, next)
}
