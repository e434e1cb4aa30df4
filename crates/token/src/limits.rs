//! How large a token may be, on both sides.

use std::fmt;

use thiserror::Error;

/// The most that is written or read. Writer and reader take the same, so that nobody writes what nobody reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of the token's text, in bytes. Checked by [`read`](crate::read()) before anything is decoded.
    pub token: usize,
    /// Of the payload, in bytes before compression. Checked by [`read`](crate::read()) before anything is decompressed.
    pub payload: usize,
}

impl Limits {
    pub(crate) fn check_token(self, used: usize) -> Result<(), TooLarge> {
        check(Part::Token, self.token, used as u64)
    }

    pub(crate) fn check_payload(self, used: u64) -> Result<(), TooLarge> {
        check(Part::Payload, self.payload, used)
    }
}

fn check(part: Part, allowed: usize, used: u64) -> Result<(), TooLarge> {
    let allowed = allowed as u64;
    if used > allowed { Err(TooLarge { part, allowed, used }) } else { Ok(()) }
}

/// What of a token is bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Its text.
    Token,
    /// What it carries, before compression.
    Payload,
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Token => "token",
            Self::Payload => "token's payload",
        })
    }
}

/// A token, or what it carries, is larger than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the {part} has {used} bytes, {allowed} are allowed: raise the limit, or keep tokens in a store")]
pub struct TooLarge {
    /// Which of the two.
    pub part: Part,
    /// Bytes allowed.
    pub allowed: u64,
    /// Bytes there are.
    pub used: u64,
}
