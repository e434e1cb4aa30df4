//! Compression: raw DEFLATE (RFC 1951), where it makes a payload smaller.

use std::borrow::Cow;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// On ledgers, 1 writes a quarter more bytes for half of the time, 3 takes half again of it for next to nothing.
const LEVEL: u32 = 2;

/// DEFLATE can't do better than this: two bits for a match of 258 bytes.
const GREATEST_RATIO: usize = 1032;

/// The payload, smaller if that can be had.
pub(crate) fn shrink(payload: &[u8]) -> Cow<'_, [u8]> {
    let mut smaller = vec![0; payload.len().saturating_sub(1)];
    let mut deflate = Compress::new(Compression::new(LEVEL), false);
    match deflate.compress(payload, &mut smaller, FlushCompress::Finish) {
        Ok(Status::StreamEnd) => {
            smaller.truncate(deflate.total_out() as usize);
            Cow::Owned(smaller)
        }
        _ => Cow::Borrowed(payload),
    }
}

/// The payload of this length that [`shrink`] was given: what is as long as it was kept as it is.
///
/// Nothing is allocated for a length that `kept` can't have; the stream must give exactly `length` bytes and end with `kept`.
pub(crate) fn restore(kept: Cow<'_, [u8]>, length: usize) -> Option<Vec<u8>> {
    if kept.len() == length {
        return Some(kept.into_owned());
    }
    if kept.len() > length || length > kept.len().saturating_mul(GREATEST_RATIO) {
        return None;
    }
    let mut payload = vec![0; length];
    let mut inflate = Decompress::new(false);
    let status = inflate.decompress(&kept, &mut payload, FlushDecompress::Finish).ok()?;
    let whole = inflate.total_in() == kept.len() as u64 && inflate.total_out() == length as u64;
    (status == Status::StreamEnd && whole).then_some(payload)
}
