//! What can go wrong, each with a code that never changes.

use thiserror::Error;

use crate::limits::TooLarge;
use crate::secret::LEAST;

/// Why a token was not read. No message contains a part of the token or of a key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadError {
    /// Anything that makes it no valid token here. One error for all, so that nobody learns which by trying.
    #[error(
        "the token is not accepted here; check that it is complete, that its key is among the keys given, that audience \
         and context are those that it was made for, that tokens of its form (sealed, signed, open) are accepted, and \
         that the clock is right"
    )]
    Refused,
    /// It was valid, until then.
    #[error(
        "the token expired {ago} s ago (at {at} s since 1970); ask for a new one",
        ago = now.saturating_sub(*expires) / 1000,
        at = expires / 1000
    )]
    Expired {
        /// When it expired, in milliseconds since 1970.
        expires: u64,
        /// The time given, in milliseconds since 1970.
        now: u64,
    },
    /// Its text is larger than allowed and was not looked at, or it is valid and its payload is larger than allowed.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

impl ReadError {
    /// The stable code: `TOKEN_REFUSED`, `TOKEN_EXPIRED` or `TOKEN_TOO_LARGE`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused => "TOKEN_REFUSED",
            Self::Expired { .. } => "TOKEN_EXPIRED",
            Self::TooLarge(_) => "TOKEN_TOO_LARGE",
        }
    }
}

/// Why a token was not written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WriteError {
    /// It would be larger than allowed.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

impl WriteError {
    /// The stable code: `TOKEN_TOO_LARGE`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge(_) => "TOKEN_TOO_LARGE",
        }
    }
}

/// Why something is no key. No message contains what was given, but for the id of a key that is there twice.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KeyError {
    /// No key at all.
    #[error("there is no key; give at least one secret of {LEAST} random bytes")]
    Missing,
    /// A secret that could be guessed.
    #[error("the secret has {used} bytes, at least {LEAST} are needed; draw them at random")]
    SecretTooShort {
        /// Bytes given.
        used: usize,
    },
    /// The text of a secret is neither.
    #[error("the secret is neither hexadecimal nor base64 nor base64url")]
    SecretMalformed,
    /// Ids are written into tokens and lists.
    #[error("a key's id is 1 to 32 of the characters A-Z a-z 0-9 . _ -")]
    IdMalformed,
    /// Which of the two would verify?
    #[error("two keys have the id {id}; give each its own")]
    IdRepeated {
        /// That id.
        id: String,
    },
    /// One key of a list.
    #[error("key {number} of the list: {error}")]
    InList {
        /// Which, counted from 1.
        number: usize,
        /// What is wrong with it.
        error: Box<KeyError>,
    },
}

impl KeyError {
    /// The stable code: `KEY_MISSING`, `KEY_SECRET_TOO_SHORT`, `KEY_SECRET_MALFORMED`, `KEY_ID_MALFORMED` or
    /// `KEY_ID_REPEATED`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing => "KEY_MISSING",
            Self::SecretTooShort { .. } => "KEY_SECRET_TOO_SHORT",
            Self::SecretMalformed => "KEY_SECRET_MALFORMED",
            Self::IdMalformed => "KEY_ID_MALFORMED",
            Self::IdRepeated { .. } => "KEY_ID_REPEATED",
            Self::InList { error, .. } => error.code(),
        }
    }
}
