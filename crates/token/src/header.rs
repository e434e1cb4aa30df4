//! What a token says about itself.

use crate::cbor::{Sink, Source};

/// The claims of a token: authenticated, but readable in every form, sealed too.
///
/// Times are in milliseconds since 1970. A token keeps them in whole seconds, rounded down, as CWT has them (RFC 8392).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Whom it is for; a reader wants exactly this, or none where it is none.
    pub audience: Option<String>,
    /// When it was made.
    pub issued: u64,
    /// From when on it is no longer accepted; never, where it is none.
    pub expires: Option<u64>,
    /// Which token it is: 16 random bytes.
    pub id: [u8; 16],
}

/// Claim keys of RFC 8392, section 4.
mod claim {
    pub(super) const AUDIENCE: i64 = 3;
    pub(super) const EXPIRES: i64 = 4;
    pub(super) const ISSUED: i64 = 6;
    pub(super) const ID: i64 = 7;
}

impl Header {
    pub(crate) fn encode(&self, sink: &mut Sink) {
        sink.map(2 + u64::from(self.audience.is_some()) + u64::from(self.expires.is_some()));
        if let Some(audience) = &self.audience {
            sink.int(claim::AUDIENCE).text(audience);
        }
        if let Some(expires) = self.expires {
            sink.int(claim::EXPIRES).int(expires / 1000);
        }
        sink.int(claim::ISSUED).int(self.issued / 1000);
        sink.int(claim::ID).bytes(&self.id);
    }

    /// Takes the claims in the order in which [`Self::encode`] writes them.
    pub(crate) fn decode(source: &mut Source<'_>) -> Option<Self> {
        source.map()?;
        let audience = if source.passes(claim::AUDIENCE) { Some(source.text()?.to_owned()) } else { None };
        let expires = if source.passes(claim::EXPIRES) { Some(milliseconds(source)?) } else { None };
        source.pass(claim::ISSUED)?;
        let issued = milliseconds(source)?;
        source.pass(claim::ID)?;
        Some(Self { audience, issued, expires, id: source.bytes_of()? })
    }
}

fn milliseconds(source: &mut Source<'_>) -> Option<u64> {
    source.uint()?.checked_mul(1000)
}
