//! Heads and payloads of CBOR items, each in its shortest form.

use crate::Reason;
use crate::half;
use crate::number::as_safe_integer;

/// A place in the bytes.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The head of an item (RFC 8949, 3); a float or simple value whole.
#[derive(Clone, Copy)]
pub(super) enum Head {
    Unsigned(u64),
    /// -1 minus this.
    Negative(u64),
    Bytes(u64),
    Text(u64),
    Array(u64),
    /// The number of entries.
    Map(u64),
    Tag(u64),
    Simple(u8),
    Float(f64),
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The number of bytes read.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The number of bytes left.
    pub(super) const fn left(&self) -> u64 {
        (self.bytes.len() - self.at) as u64
    }

    /// The bytes from `start` to here.
    pub(super) fn since(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.at).unwrap_or_default()
    }

    /// The next `length` bytes.
    pub(super) fn take(&mut self, length: u64) -> Result<&'a [u8], Reason> {
        let end = usize::try_from(length).ok().and_then(|length| self.at.checked_add(length));
        let bytes = end.and_then(|end| self.bytes.get(self.at..end)).ok_or(Reason::Truncated)?;
        self.at += bytes.len();
        Ok(bytes)
    }

    /// The next head.
    pub(super) fn head(&mut self) -> Result<Head, Reason> {
        let first = self.big_endian::<1>()? as u8;
        let (major, info) = (first >> 5, first & 0x1f);
        match info {
            28..=30 => return Err(Reason::ReservedHead),
            // Integers and tags have no length that could be indefinite.
            31 if matches!(major, 0 | 1 | 6) => return Err(Reason::ReservedHead),
            31 => return Err(Reason::IndefiniteLength),
            _ => {}
        }
        if major == 7 {
            return self.float_or_simple(info);
        }
        let argument = self.argument(info)?;
        Ok(match major {
            0 => Head::Unsigned(argument),
            1 => Head::Negative(argument),
            2 => Head::Bytes(argument),
            3 => Head::Text(argument),
            4 => Head::Array(argument),
            5 => Head::Map(argument),
            _ => Head::Tag(argument),
        })
    }

    fn argument(&mut self, info: u8) -> Result<u64, Reason> {
        let (argument, least) = match info {
            24 => (self.big_endian::<1>()?, 24),
            25 => (self.big_endian::<2>()?, 1 << 8),
            26 => (self.big_endian::<4>()?, 1 << 16),
            27 => (self.big_endian::<8>()?, 1 << 32),
            small => return Ok(u64::from(small)),
        };
        if argument < least { Err(Reason::LongHead) } else { Ok(argument) }
    }

    fn float_or_simple(&mut self, info: u8) -> Result<Head, Reason> {
        let (number, longer_than_needed) = match info {
            24 => {
                self.take(1)?;
                return Err(Reason::UnknownSimple);
            }
            25 => {
                let bits = self.big_endian::<2>()? as u16;
                if bits == 0x7e00 {
                    return Ok(Head::Float(f64::NAN));
                }
                (half::to_f64(bits), false)
            }
            26 => {
                let number = f64::from(f32::from_bits(self.big_endian::<4>()? as u32));
                (number, half::from_f64(number).is_some())
            }
            27 => {
                let number = f64::from_bits(self.big_endian::<8>()?);
                (number, f64::from(number as f32) == number)
            }
            value => return Ok(Head::Simple(value)),
        };
        if number.is_nan() {
            Err(Reason::NanBits)
        } else if as_safe_integer(number).is_some() {
            Err(Reason::IntegerFloat)
        } else if longer_than_needed {
            Err(Reason::LongFloat)
        } else {
            Ok(Head::Float(number))
        }
    }

    fn big_endian<const SIZE: usize>(&mut self) -> Result<u64, Reason> {
        let bytes = self.take(SIZE as u64)?;
        Ok(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}
