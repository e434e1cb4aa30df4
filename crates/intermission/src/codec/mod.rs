//! From a continuation to a text that can be handed out, and back.

mod stored;
mod token_codec;

use futures_util::future::BoxFuture;
use intermission_ledger::RecordError;
pub use intermission_token::{
    Form, Key, KeyError, KeyId, Keys, PREFIX, ReadError, Secret, Token, WriteError,
};

pub use self::stored::{ClaimedEntry, ContinuationStore, MemoryStore, StoreError, Stored, StoredEntry};
pub use self::token_codec::TokenCodec;
use crate::Continuation;

/// What a token is bound to, and the time.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Who may use the token: it must be the same when it is written and read.
    pub audience: Option<&'a str>,
    /// The caller's context, such as a user's id: it must be the same when it is written and read. It is not in the token.
    pub context: &'a [u8],
    /// The time, in milliseconds since 1970.
    pub now: u64,
}

/// A token that was read.
#[derive(Clone, Debug)]
pub struct Opened {
    /// What is needed to go on.
    pub continuation: Continuation,
    /// Until when the token is good, in milliseconds since 1970.
    pub expires: Option<u64>,
    /// What a codec that remembers wants back when it is known what came of it.
    pub ticket: Option<String>,
}

/// Makes tokens and reads them.
///
/// [`TokenCodec`] and [`Stored`] are the ready-made ones. A codec of your own has to see to it that nobody can change what it gives out: a continuation decides
/// what a run has done already.
pub trait Codec: Send + Sync {
    /// A token for a continuation.
    fn encode<'a>(
        &'a self,
        continuation: &'a Continuation,
        scope: Scope<'a>,
    ) -> BoxFuture<'a, Result<Token, CodecError>>;

    /// Reads a token, to look at it. Nothing changes.
    fn read<'a>(&'a self, token: &'a str, scope: Scope<'a>) -> BoxFuture<'a, Result<Opened, CodecError>>;

    /// Reads a token, to go on from it. A codec that remembers lets nobody else have it from here on, until the ticket is given back or too old.
    fn claim<'a>(&'a self, token: &'a str, scope: Scope<'a>) -> BoxFuture<'a, Result<Opened, CodecError>> {
        self.read(token, scope)
    }

    /// What was claimed has been gone on from, and is used up.
    fn consume<'a>(&'a self, ticket: &'a str) -> BoxFuture<'a, Result<(), CodecError>> {
        let _ = ticket;
        Box::pin(async { Ok(()) })
    }

    /// What was claimed may be claimed again: nothing has run; or, where there is a continuation, this far it came.
    fn release<'a>(
        &'a self,
        ticket: &'a str,
        continuation: Option<&'a Continuation>,
    ) -> BoxFuture<'a, Result<(), CodecError>> {
        let _ = (ticket, continuation);
        Box::pin(async { Ok(()) })
    }
}

/// Why a token could not be made or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodecError {
    /// The runner has no codec.
    #[error("the runner has no codec: give it one, for example `TokenCodec::sealed(keys)`")]
    None,
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What is in it is no ledger.
    #[error(transparent)]
    Ledger(#[from] RecordError),
    /// The store knows no such key.
    #[error("no continuation is stored under this token")]
    Unknown,
    /// Somebody goes on from it at this moment.
    #[error("somebody goes on from this token already")]
    Busy,
    /// Somebody has gone on from it.
    #[error("the token has been used")]
    Used {
        /// From where: the run and the length of its ledger.
        point: crate::Point,
    },
    /// The store failed.
    #[error("the store failed: {0}")]
    Store(#[from] StoreError),
    /// A codec of somebody else's.
    #[error("{0}")]
    Other(String),
}

impl CodecError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::None => "NO_CODEC",
            Self::Write(error) => error.code(),
            Self::Read(error) => error.code(),
            Self::Ledger(error) => error.code(),
            Self::Unknown => "TOKEN_UNKNOWN",
            Self::Busy => "TOKEN_BUSY",
            Self::Used { .. } => "TOKEN_USED",
            Self::Store(_) => "STORE",
            Self::Other(_) => "CODEC",
        }
    }
}
