//! From bytes to a value.

mod build;
mod cursor;
mod grammar;
mod object;
mod seen;
mod shares;
mod sink;

pub(crate) use self::build::Builder;
pub(crate) use self::sink::{Container, Field, Sink, Text};

use self::grammar::Grammar;
use crate::path::At;
use crate::{Path, Reason, Value};

/// Why bytes were refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// There are more of them than the caller allows.
    #[error("the value's {size} bytes are more than the {limit} allowed")]
    TooLarge {
        /// Their number.
        size: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// They are not the one form of a value.
    #[error("not the byte form of a value: {}, in byte {}{}", .0.reason.description(), .0.offset, At(&.0.path))]
    Malformed(Fault),
}

/// What is wrong with bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Why they are refused.
    pub reason: Reason,
    /// Where the item begins that is refused, counted in bytes from 0.
    pub offset: usize,
    /// Its place in the value.
    pub path: Path,
}

impl DecodeError {
    /// The stable code: `too-large`, or the reason's.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too-large",
            Self::Malformed(fault) => fault.reason.code(),
        }
    }
}

/// The value whose one byte form `bytes` are.
///
/// Total on any input, and strict: what it takes, [`encode`](crate::encode) gives back byte for byte. It takes memory in
/// proportion to the bytes that are there, never to what they claim.
///
/// ```
/// use intermission_value::{DecodeError, Reason, Value, decode};
///
/// assert_eq!(decode(&[0x82, 1, 2], 1024)?, Value::array([1, 2]));
///
/// let Err(DecodeError::Malformed(fault)) = decode(&[0x82, 1, 0x18, 2], 1024) else { panic!() };
/// assert_eq!((fault.reason, fault.offset, fault.path.to_string()), (Reason::LongHead, 2, "[1]".to_owned()));
/// # Ok::<(), DecodeError>(())
/// ```
///
/// # Errors
/// When there are more than `max_bytes`, or they are not the form of any value.
pub fn decode(bytes: &[u8], max_bytes: usize) -> Result<Value, DecodeError> {
    within(bytes, max_bytes)?;
    let builder = Grammar::new(bytes, Builder::default()).read().map_err(DecodeError::Malformed)?;
    Ok(builder.finish())
}

/// Whether [`decode`] would take `bytes`, without the cost of the value.
///
/// # Errors
/// As [`decode`].
pub fn validate(bytes: &[u8], max_bytes: usize) -> Result<(), DecodeError> {
    within(bytes, max_bytes)?;
    check(bytes).map_err(DecodeError::Malformed)
}

/// [`validate`] of many values, one after the other: memory is asked for once.
///
/// ```
/// use intermission_value::Validator;
///
/// let mut validator = Validator::default();
/// validator.validate(&[0x82, 1, 2])?;
/// assert_eq!(validator.validate(&[0x82, 1, 0x18, 2]).unwrap_err().code(), "long-head");
/// validator.validate(&[0x01])?;
/// # Ok::<(), intermission_value::DecodeError>(())
/// ```
pub struct Validator<'a>(Grammar<'a, ()>);

impl Default for Validator<'_> {
    fn default() -> Self {
        Self(Grammar::new(&[], ()))
    }
}

impl<'a> Validator<'a> {
    /// Whether [`decode`] would take `bytes`.
    ///
    /// # Errors
    /// As [`decode`], but for the limit.
    pub fn validate(&mut self, bytes: &'a [u8]) -> Result<(), DecodeError> {
        self.0.read_next(bytes).map_err(DecodeError::Malformed)
    }
}

/// Whether bytes are the form of a value.
pub(crate) fn check(bytes: &[u8]) -> Result<(), Fault> {
    Grammar::new(bytes, ()).read()
}

fn within(bytes: &[u8], limit: usize) -> Result<(), DecodeError> {
    let size = bytes.len();
    if size > limit { Err(DecodeError::TooLarge { size, limit }) } else { Ok(()) }
}
