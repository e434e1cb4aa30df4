//! The three forms of a token.

use std::fmt;

use crate::keys::Keys;

/// How a token is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Encrypted and authenticated.
    Sealed,
    /// Authenticated; whoever has it can read it.
    Signed,
    /// Neither: whoever has it can read and change it.
    Open,
}

impl fmt::Display for Form {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Sealed => "sealed",
            Self::Signed => "signed",
            Self::Open => "open",
        })
    }
}

/// How to protect a token that is written; or what to accept of one that is read, and with which keys.
#[derive(Debug, Clone, Copy)]
pub enum Protection<'a> {
    /// Encrypted and authenticated: the one to use unless there is a reason not to.
    Sealed(&'a Keys),
    /// Authenticated, but readable by whoever has the token.
    Signed(&'a Keys),
    /// **Not protected at all.** Whoever can write where the token is kept decides what the run that it continues has done and
    /// does next. Only for a store that you trust as you trust the host program's memory.
    Open,
}

impl Protection<'_> {
    /// The form of what is written or accepted.
    pub fn form(&self) -> Form {
        match self {
            Self::Sealed(_) => Form::Sealed,
            Self::Signed(_) => Form::Signed,
            Self::Open => Form::Open,
        }
    }
}
