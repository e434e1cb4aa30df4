//! How calls are named in the byte form: by how many calls were made since. Entries of the same kind are mostly the same bytes then, and a ledger compresses
//! to half of what it would with running numbers.

use std::ops::Range;

use bytes::Bytes;

use crate::encoded::Whole;

/// What reading and writing have to know: the number of the newest call.
pub trait LastCall {
    /// It.
    fn last_call(&mut self) -> &mut u32;
}

/// Of a sequence of entries that is read or written from its beginning.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    last: u32,
    /// What they are read from; nothing where they are written.
    whole: Bytes,
}

impl Calls {
    /// Behind these calls.
    pub(crate) fn after(call: Option<u32>) -> Self {
        Self { last: call.unwrap_or_default(), whole: Bytes::new() }
    }

    /// Read from these bytes.
    pub(crate) fn of(whole: Bytes) -> Self {
        Self { last: 0, whole }
    }
}

impl LastCall for Calls {
    fn last_call(&mut self) -> &mut u32 {
        &mut self.last
    }
}

impl Whole for Calls {
    fn part(&self, part: Range<usize>) -> Bytes {
        self.whole.slice(part)
    }
}

/// The call of an entry about one that was made: 0 is the newest.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the derived code calls it so")]
pub(crate) mod made {
    use minicbor::decode::Error as DecodeError;
    use minicbor::encode::{Error as EncodeError, Write};
    use minicbor::{Decoder, Encoder};

    use super::LastCall;

    pub(crate) fn encode<C: LastCall, W: Write>(
        call: &u32,
        encoder: &mut Encoder<W>,
        calls: &mut C,
    ) -> Result<(), EncodeError<W::Error>> {
        encoder.u32(calls.last_call().wrapping_sub(*call))?.ok()
    }

    pub(crate) fn decode<C: LastCall>(decoder: &mut Decoder<'_>, calls: &mut C) -> Result<u32, DecodeError> {
        Ok(calls.last_call().wrapping_sub(decoder.u32()?))
    }
}

/// The call of `called`, which makes it the newest: how many numbers were left out, which is none in any ledger that makes sense.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the derived code calls it so")]
pub(crate) mod next {
    use minicbor::decode::Error as DecodeError;
    use minicbor::encode::{Error as EncodeError, Write};
    use minicbor::{Decoder, Encoder};

    use super::LastCall;

    pub(crate) fn encode<C: LastCall, W: Write>(
        call: &u32,
        encoder: &mut Encoder<W>,
        calls: &mut C,
    ) -> Result<(), EncodeError<W::Error>> {
        let left_out = call.wrapping_sub(*calls.last_call()).wrapping_sub(1);
        *calls.last_call() = *call;
        encoder.u32(left_out)?.ok()
    }

    pub(crate) fn decode<C: LastCall>(decoder: &mut Decoder<'_>, calls: &mut C) -> Result<u32, DecodeError> {
        let call = calls.last_call().wrapping_add(1).wrapping_add(decoder.u32()?);
        *calls.last_call() = call;
        Ok(call)
    }
}
