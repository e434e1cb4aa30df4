//! Continuations as texts: out of files and into them.

mod destination;
mod error;
pub(crate) mod file;
mod held;
mod keys;

use std::path::Path;

use intermission::codec::{CodecError, PREFIX, ReadError, Scope, TokenCodec};
use intermission::{Continuation, SystemTimeSource, TimeSource};
use intermission_config::{Config, MOST_BYTES, read_file};

pub(crate) use self::destination::{Destination, Kept, shell_path, shell_word};
pub(crate) use self::error::KeepError;
pub(crate) use self::held::HeldFile;
use crate::arguments::TrustArguments;
use crate::failure::Failure;
use crate::operand::Whence;
use crate::script::read_standard_input;

/// The largest token, and the largest ledger in it. What can be written can be read again.
const MOST: (usize, usize) = (MOST_BYTES as usize, 4 * MOST_BYTES as usize);

/// Seals continuations and opens them. Without a key they are in the open form, and stay in files.
#[derive(Debug)]
pub(crate) struct Keeper {
    /// With keys, where there are some.
    sealed: Option<TokenCodec>,
    open: TokenCodec,
    /// Whether the open form may leave its file.
    unprotected: bool,
}

impl Keeper {
    /// With the keys of the environment or the configuration.
    ///
    /// # Errors
    /// When they are no keys.
    pub(crate) fn new(config: &Config, trust: TrustArguments) -> Result<Self, Failure> {
        let keys = keys::load(config.key_file.as_deref())?;
        Ok(Self {
            sealed: keys.map(|keys| TokenCodec::sealed(keys).limits(MOST.0, MOST.1)),
            open: TokenCodec::open().limits(MOST.0, MOST.1),
            unprotected: trust.unprotected,
        })
    }

    /// The continuation that is named.
    ///
    /// # Errors
    /// When there is none, or it is not to be trusted.
    pub(crate) fn take(&self, from: &Whence) -> Result<Continuation, Failure> {
        match from {
            Whence::Token(token) => Ok(self.open(from, token, self.unprotected)?),
            Whence::StandardInput => {
                Ok(self.open(from, &text(from, read_standard_input()?)?, self.unprotected)?)
            }
            Whence::File(path) => self.take_file(path),
        }
    }

    fn take_file(&self, path: &Path) -> Result<Continuation, Failure> {
        let from = Whence::File(path.to_owned());
        self.open_file(path, &text(&from, read_file(path)?)?)
    }

    /// A text that stands in a file.
    ///
    /// # Errors
    /// When it is no continuation, or it is not to be trusted.
    pub(crate) fn open_file(&self, path: &Path, text: &str) -> Result<Continuation, Failure> {
        // Without a key a file is all that there is to trust.
        let takes_open = self.sealed.is_none() || self.unprotected;
        let continuation = self.open(&Whence::File(path.to_owned()), text, takes_open)?;
        if self.sealed.is_none() && !self.unprotected {
            file::check_nobody_else_writes(path)?;
        }
        Ok(continuation)
    }

    fn open(&self, from: &Whence, text: &str, takes_open: bool) -> Result<Continuation, KeepError> {
        let sealed = self.sealed.as_ref().map_or(Err(ReadError::Refused.into()), |sealed| read(sealed, text));
        let error = match sealed {
            Ok(continuation) => return Ok(continuation),
            Err(error) => error,
        };
        let what = from.to_string();
        let with_key = self.sealed.is_some();
        match read(&self.open, text) {
            Ok(continuation) if takes_open => Ok(continuation),
            Ok(_) => Err(KeepError::Unprotected { what }),
            // Of the two reasons the better: what the text is at all.
            Err(malformed @ CodecError::Ledger(_)) => {
                Err(KeepError::Token { what, error: malformed, with_key })
            }
            Err(_) => Err(KeepError::Token { what, error, with_key }),
        }
    }

    /// Whether continuations are sealed.
    pub(crate) fn has_key(&self) -> bool {
        self.sealed.is_some()
    }

    /// A continuation's text.
    pub(crate) fn seal(&self, continuation: &Continuation) -> Result<String, CodecError> {
        let codec = self.sealed.as_ref().unwrap_or(&self.open);
        Ok(codec.write_token(continuation, scope())?.as_str().to_owned())
    }
}

fn read(codec: &TokenCodec, text: &str) -> Result<Continuation, CodecError> {
    codec.read_token(text, scope()).map(|opened| opened.continuation)
}

/// Whoever has the key, or the file.
fn scope() -> Scope<'static> {
    Scope { audience: None, context: b"", now: SystemTimeSource.now() }
}

fn text(from: &Whence, bytes: Vec<u8>) -> Result<String, KeepError> {
    match String::from_utf8(bytes) {
        Ok(text) if text.starts_with(PREFIX) => Ok(text.trim_end().to_owned()),
        _ => Err(KeepError::NoContinuation { what: from.to_string() }),
    }
}
