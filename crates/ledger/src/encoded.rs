//! Values as they stand in entries.

use std::fmt;
use std::ops::{Deref, Range};

use bytes::Bytes;
use minicbor::decode::Error as DecodeError;
use minicbor::encode::{Error as EncodeError, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

/// The byte form of a value (docs/values.md). A clone shares the bytes, and those of a record that was read are part of what it was read from.
///
/// ```
/// use intermission_ledger::entry::Encoded;
///
/// let one = Encoded::from(vec![0x01]);
/// assert_eq!(*one.clone(), [0x01]);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Encoded(Bytes);

impl From<Vec<u8>> for Encoded {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl Deref for Encoded {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Encoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<C> Encode<C> for Encoded {
    fn encode<W: Write>(&self, encoder: &mut Encoder<W>, _: &mut C) -> Result<(), EncodeError<W::Error>> {
        encoder.bytes(&self.0)?.ok()
    }
}

impl<'b, C: Whole> Decode<'b, C> for Encoded {
    fn decode(decoder: &mut Decoder<'b>, whole: &mut C) -> Result<Self, DecodeError> {
        let part = decoder.bytes()?;
        let end = decoder.position();
        Ok(Self(whole.part(end - part.len()..end)))
    }
}

/// All that is read.
pub trait Whole {
    /// A part of it, as the reader counts.
    fn part(&self, part: Range<usize>) -> Bytes;
}
