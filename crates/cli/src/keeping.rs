//! Continuations as texts: out of files and into them.

mod destination;
mod error;
mod file;
mod keys;

use std::path::Path;

use intermission::{Continuation, SystemTimeSource, TimeSource};
use intermission_token::{Expected, Header, Keys, Limits, Protection, ReadError, SKEW, read, write};

pub(crate) use self::destination::{Destination, Kept};
pub(crate) use self::error::KeepError;
use crate::arguments::TrustArguments;
use crate::config::Config;
use crate::failure::Failure;
use crate::operand::{Operand, TOKEN};
use crate::script::{MOST_BYTES, read_file, read_standard_input};

/// What can be written can be read again: a ledger shrinks to a fraction in its token.
const LIMITS: Limits = Limits { token: MOST_BYTES as usize, payload: 4 * MOST_BYTES as usize };

/// Seals continuations and opens them. Without a key they are in the open form, and stay in files.
#[derive(Debug)]
pub(crate) struct Keeper {
    keys: Option<Keys>,
    /// Whether the open form may leave its file.
    unprotected: bool,
}

impl Keeper {
    /// With the keys of the environment or the configuration.
    ///
    /// # Errors
    /// When they are no keys.
    pub(crate) fn new(config: &Config, trust: TrustArguments) -> Result<Self, Failure> {
        Ok(Self { keys: keys::load(config.key_file.as_deref())?, unprotected: trust.unprotected })
    }

    /// The continuation that is named.
    ///
    /// # Errors
    /// When there is none, or it is not to be trusted.
    pub(crate) fn take(&self, from: &Operand) -> Result<Continuation, Failure> {
        match from {
            Operand::Run(run) => Err(KeepError::NoStore { run: *run }.into()),
            Operand::Token(token) => Ok(self.open(from, token, self.unprotected)?),
            Operand::StandardInput => {
                Ok(self.open(from, &text(from, read_standard_input()?)?, self.unprotected)?)
            }
            Operand::File(path) => self.take_file(path),
        }
    }

    fn take_file(&self, path: &Path) -> Result<Continuation, Failure> {
        let from = Operand::File(path.to_owned());
        let text = text(&from, read_file(path)?)?;
        // Without a key a file is all that there is to trust.
        let takes_open = self.keys.is_none() || self.unprotected;
        let continuation = self.open(&from, &text, takes_open)?;
        if self.keys.is_none() && !self.unprotected {
            file::check_nobody_else_writes(path)?;
        }
        Ok(continuation)
    }

    fn open(&self, from: &Operand, text: &str, takes_open: bool) -> Result<Continuation, KeepError> {
        let what = || from.to_string();
        let sealed = self.keys.as_ref().map(Protection::Sealed);
        let accepted: Vec<_> = sealed.into_iter().chain(takes_open.then_some(Protection::Open)).collect();
        let contents = self::contents(text, &accepted).map_err(|error| {
            if contents(text, &[Protection::Open]).is_ok() {
                KeepError::Unprotected { what: what() }
            } else {
                KeepError::Token { what: what(), error, with_key: self.keys.is_some() }
            }
        })?;
        Continuation::from_bytes(&contents).map_err(|error| KeepError::Ledger { what: what(), error })
    }

    /// A continuation's text.
    fn seal(&self, continuation: &Continuation) -> Result<String, KeepError> {
        let protection = self.keys.as_ref().map_or(Protection::Open, Protection::Sealed);
        let mut random = rand::rng();
        let header = Header {
            audience: None,
            issued: SystemTimeSource.now(),
            expires: None,
            id: rand::random(),
        };
        let token = write(&continuation.to_bytes(), &header, b"", protection, LIMITS, &mut random)?;
        Ok(token.as_str().to_owned())
    }
}

fn contents(text: &str, accept: &[Protection<'_>]) -> Result<Vec<u8>, ReadError> {
    let now = SystemTimeSource.now();
    let expected = Expected { accept, audience: None, context: b"", now, skew: SKEW, limits: LIMITS };
    read(text, &expected).map(|contents| contents.payload)
}

fn text(from: &Operand, bytes: Vec<u8>) -> Result<String, KeepError> {
    match String::from_utf8(bytes) {
        Ok(text) if text.starts_with(TOKEN) => Ok(text.trim_end().to_owned()),
        _ => Err(KeepError::NoContinuation { what: from.to_string() }),
    }
}
