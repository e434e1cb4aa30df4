//! A flag that came to the format later: what is not set is left out, as it was in the ledgers before.

use minicbor::decode::Error as DecodeError;
use minicbor::encode::{Error as EncodeError, Write};
use minicbor::{Decoder, Encoder};

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the derived code calls it so")]
pub(crate) fn encode<C, W: Write>(
    flag: &bool,
    encoder: &mut Encoder<W>,
    _: &mut C,
) -> Result<(), EncodeError<W::Error>> {
    if *flag { encoder.bool(true)?.ok() } else { encoder.null()?.ok() }
}

pub(crate) fn decode<C>(decoder: &mut Decoder<'_>, _: &mut C) -> Result<bool, DecodeError> {
    decoder.bool()
}

#[expect(clippy::unnecessary_wraps, reason = "the derived code calls it so")]
pub(crate) const fn nil() -> Option<bool> {
    Some(false)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the derived code calls it so")]
pub(crate) const fn is_nil(flag: &bool) -> bool {
    !*flag
}
