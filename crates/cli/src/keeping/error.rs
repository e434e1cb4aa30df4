//! What can be wrong with continuations and the places where they are.

use std::io;
use std::path::PathBuf;

use intermission::codec::{CodecError, KeyError, ReadError};

/// Each has a stable code.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeepError {
    #[error("{from}: {error}")]
    Key { from: String, error: KeyError },
    #[error("{what} is no continuation: it does not begin with `imt1_`")]
    NoContinuation { what: String },
    #[error("{what} cannot be gone on from: {error}")]
    Token { what: String, error: CodecError, with_key: bool },
    #[error("{what} is not protected: anybody may have changed what the run has done")]
    Unprotected { what: String },
    #[error("{} is not protected, and others than its owner can write it", path.display())]
    OthersWrite { path: PathBuf },
    #[error("{} is not protected, and belongs to another user", path.display())]
    OthersOwn { path: PathBuf },
    #[error("there is no key: the continuation would be printed readable, and could be changed")]
    UnprotectedOutput,
    #[error("{} is there already, and a continuation is never written over another file", path.display())]
    Exists { path: PathBuf },
    #[error("the continuation cannot be written to {}: {error}", path.display())]
    Unwritable { path: PathBuf, error: io::Error },
    #[error("the continuation cannot be written: {0}")]
    TooLarge(#[from] CodecError),
}

impl KeepError {
    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Key { error, .. } => error.code(),
            Self::NoContinuation { .. } => "NO_CONTINUATION",
            Self::Token { error, .. } | Self::TooLarge(error) => error.code(),
            Self::Unprotected { .. } => "CONTINUATION_UNPROTECTED",
            Self::OthersWrite { .. } | Self::OthersOwn { .. } => "CONTINUATION_WRITABLE",
            Self::UnprotectedOutput => "KEY_MISSING",
            Self::Exists { .. } => "CONTINUATION_EXISTS",
            Self::Unwritable { .. } => "CONTINUATION_UNWRITABLE",
        }
    }

    /// What to do.
    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Key { .. } => {
                "a key is at least 32 random bytes in base64 or hexadecimal: `openssl rand -base64 32` makes one"
            }
            Self::NoContinuation { .. } => {
                "`intermission run` writes continuations, into files `<run id>.imt`"
            }
            Self::Token { error: CodecError::Read(ReadError::Refused), with_key: false, .. } => {
                "it is cut off or changed, or it is sealed: then put its key into INTERMISSION_KEY"
            }
            Self::Token { error: CodecError::Read(ReadError::Refused), .. } => {
                "it is cut off or changed, or was sealed with a key that is not among those given"
            }
            Self::Unprotected { .. } | Self::OthersOwn { .. } => {
                "if you trust where it comes from, say `--unprotected`"
            }
            Self::OthersWrite { path } => {
                return Some(format!("if you trust what is in it: `chmod 600 {}`", path.display()));
            }
            Self::UnprotectedOutput => {
                "put a secret into INTERMISSION_KEY, or say `--unprotected` where nobody else sees the output"
            }
            Self::Exists { .. } => "name another file with `--continuation`",
            Self::Unwritable { .. } => "name another place with `--continuation`",
            Self::Token { .. } | Self::TooLarge(_) => return None,
        };
        Some(hint.to_owned())
    }
}
