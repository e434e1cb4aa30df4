//! The protected header: everything that a token says of itself in the clear.

use crate::cbor::{Sink, Source};
use crate::header::Header;
use crate::lock::{Iv, Salt};

/// The header parameters of a token.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Protected<'b> {
    pub(crate) lock: Lock<'b>,
    pub(crate) header: Header,
    /// Of the payload before compression.
    pub(crate) length: u64,
}

/// The parameters that differ from form to form.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lock<'b> {
    Sealed { key: &'b [u8], iv: Iv, salt: Salt },
    Signed { key: &'b [u8], salt: Salt },
    Open { context: [u8; 32] },
}

/// Labels: of RFC 9052, section 3.1, of RFC 9597, and three for private use.
mod label {
    pub(super) const ALGORITHM: i64 = 1;
    pub(super) const KEY_ID: i64 = 4;
    pub(super) const IV: i64 = 5;
    pub(super) const CLAIMS: i64 = 15;
    pub(super) const SALT: i64 = -65537;
    pub(super) const LENGTH: i64 = -65538;
    pub(super) const CONTEXT: i64 = -65539;
}

/// RFC 9053, section 4.1.
const A256GCM: i64 = 3;
/// RFC 9053, section 3.1.
const HMAC_256_256: i64 = 5;

impl<'b> Protected<'b> {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut sink = Sink::new();
        match self.lock {
            Lock::Sealed { key, iv, .. } => {
                sink.map(6).int(label::ALGORITHM).int(A256GCM);
                sink.int(label::KEY_ID).bytes(key).int(label::IV).bytes(&iv);
            }
            Lock::Signed { key, .. } => {
                sink.map(5).int(label::ALGORITHM).int(HMAC_256_256);
                sink.int(label::KEY_ID).bytes(key);
            }
            Lock::Open { .. } => {
                sink.map(3);
            }
        }
        sink.int(label::CLAIMS);
        self.header.encode(&mut sink);
        if let Lock::Sealed { salt, .. } | Lock::Signed { salt, .. } = self.lock {
            sink.int(label::SALT).bytes(&salt);
        }
        sink.int(label::LENGTH).int(self.length);
        if let Lock::Open { context } = self.lock {
            sink.int(label::CONTEXT).bytes(&context);
        }
        sink.finish()
    }

    /// Takes what [`Self::encode`] gives and nothing else.
    pub(crate) fn decode(bytes: &'b [u8]) -> Option<Self> {
        Self::take(&mut Source::new(bytes)).filter(|protected| protected.encode() == bytes)
    }

    fn take(source: &mut Source<'b>) -> Option<Self> {
        source.map()?;
        if !source.passes(label::ALGORITHM) {
            let (header, length) = (claims(source)?, length(source)?);
            source.pass(label::CONTEXT)?;
            return Some(Self { lock: Lock::Open { context: source.bytes_of()? }, header, length });
        }
        let sealed = source.passes(A256GCM);
        if !sealed {
            source.pass(HMAC_256_256)?;
        }
        source.pass(label::KEY_ID)?;
        let key = source.bytes()?;
        let iv = if sealed { Some(iv(source)?) } else { None };
        let (header, salt, length) = (claims(source)?, salt(source)?, length(source)?);
        let lock = match iv {
            Some(iv) => Lock::Sealed { key, iv, salt },
            None => Lock::Signed { key, salt },
        };
        Some(Self { lock, header, length })
    }
}

fn iv(source: &mut Source<'_>) -> Option<Iv> {
    source.pass(label::IV)?;
    source.bytes_of()
}

fn claims(source: &mut Source<'_>) -> Option<Header> {
    source.pass(label::CLAIMS)?;
    Header::decode(source)
}

fn salt(source: &mut Source<'_>) -> Option<Salt> {
    source.pass(label::SALT)?;
    source.bytes_of()
}

fn length(source: &mut Source<'_>) -> Option<u64> {
    source.pass(label::LENGTH)?;
    source.uint()
}
