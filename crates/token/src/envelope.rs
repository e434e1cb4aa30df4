//! The outermost structure: COSE's, tagged, or an open token's.

use crate::cbor::{Sink, Source};

/// What a token's bytes are, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Envelope<'b> {
    /// `COSE_Encrypt0`: RFC 9052, section 5.2.
    Sealed { protected: &'b [u8], ciphertext: &'b [u8] },
    /// `COSE_Mac0`: RFC 9052, section 6.2.
    Signed { protected: &'b [u8], kept: &'b [u8], tag: &'b [u8] },
    /// An untagged pair, which COSE has no meaning for.
    Open { protected: &'b [u8], kept: &'b [u8] },
}

const COSE_ENCRYPT0: u64 = 16;
const COSE_MAC0: u64 = 17;

impl<'b> Envelope<'b> {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut sink = Sink::new();
        // The empty map is the unprotected header: nothing is unprotected.
        match self {
            Self::Sealed { protected, ciphertext } => {
                sink.tag(COSE_ENCRYPT0).array(3).bytes(protected).map(0).bytes(ciphertext)
            }
            Self::Signed { protected, kept, tag } => {
                sink.tag(COSE_MAC0).array(4).bytes(protected).map(0).bytes(kept).bytes(tag)
            }
            Self::Open { protected, kept } => sink.array(2).bytes(protected).bytes(kept),
        };
        sink.finish()
    }

    /// Takes what [`Self::encode`] gives and nothing else: no longer form, no trailing byte.
    pub(crate) fn decode(bytes: &'b [u8]) -> Option<Self> {
        Self::take(&mut Source::new(bytes)).filter(|envelope| envelope.encode() == bytes)
    }

    pub(crate) fn protected(&self) -> &'b [u8] {
        match *self {
            Self::Sealed { protected, .. }
            | Self::Signed { protected, .. }
            | Self::Open { protected, .. } => protected,
        }
    }

    fn take(source: &mut Source<'b>) -> Option<Self> {
        let tag = source.tag();
        let length = source.array()?;
        let protected = source.bytes()?;
        match (tag, length) {
            (Some(COSE_ENCRYPT0), 3) => {
                source.map()?;
                Some(Self::Sealed { protected, ciphertext: source.bytes()? })
            }
            (Some(COSE_MAC0), 4) => {
                source.map()?;
                Some(Self::Signed { protected, kept: source.bytes()?, tag: source.bytes()? })
            }
            (None, 2) => Some(Self::Open { protected, kept: source.bytes()? }),
            _ => None,
        }
    }
}
