//! From a value to its bytes.

use num_bigint::{BigInt, Sign};

use crate::decode::{Field, check};
use crate::form::{MAX_DEPTH, MAX_TIME, simple, tag};
use crate::number::as_safe_integer;
use crate::path::At;
use crate::walk::{Step, Walk};
use crate::{ErrorCode, ErrorValue, JsString, Path, Reason, SharedView, Value, ViewBuffer, half};

/// Why a value has no byte form. Only values made by hand have none: what [`decode`](crate::decode) gives can be encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The form is larger than the caller allows.
    #[error("the value is larger than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The value is none that JavaScript has.
    #[error("the value can't be encoded: {}{}", reason.description(), At(path))]
    Invalid {
        /// What is wrong.
        reason: Reason,
        /// Where.
        path: Path,
    },
}

impl EncodeError {
    /// The stable code: `too-large`, or the reason's.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too-large",
            Self::Invalid { reason, .. } => reason.code(),
        }
    }
}

/// The one byte form of `value`.
///
/// ```
/// use intermission_value::{Value, encode};
///
/// assert_eq!(encode(&Value::array([1, 2]))?, [0x82, 1, 2]);
/// # Ok::<(), intermission_value::EncodeError>(())
/// ```
///
/// # Errors
/// When the value is none that JavaScript has: deeper than [`MAX_DEPTH`], a reference to nothing, a Map with a key twice.
pub fn encode(value: &Value) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    encode_into(value, &mut bytes, usize::MAX)?;
    Ok(bytes)
}

/// Appends the one byte form of `value` to `out`. On an error `out` is as it was.
///
/// # Errors
/// As [`encode`], and when the form takes more than `max_bytes`: no more than these are written before that is found.
pub fn encode_into(value: &Value, out: &mut Vec<u8>, max_bytes: usize) -> Result<(), EncodeError> {
    let start = out.len();
    let result = Writer { out, start, limit: max_bytes, unchecked: false }.write(value);
    if result.is_err() {
        out.truncate(start);
    }
    result
}

struct Writer<'a> {
    out: &'a mut Vec<u8>,
    start: usize,
    limit: usize,
    /// Whether something was written that its type alone doesn't make valid.
    unchecked: bool,
}

impl Writer<'_> {
    fn write(mut self, value: &Value) -> Result<(), EncodeError> {
        let mut walk = Walk::new(value);
        while let Some(step) = walk.next() {
            if walk.depth() > MAX_DEPTH {
                return Err(EncodeError::Invalid { reason: Reason::TooDeep, path: walk.path() });
            }
            self.step(step)?;
        }
        if self.unchecked {
            let bytes = self.out.get(self.start..).unwrap_or_default();
            check(bytes).map_err(|fault| EncodeError::Invalid { reason: fault.reason, path: fault.path })?;
        }
        Ok(())
    }

    fn step(&mut self, step: Step<'_>) -> Result<(), EncodeError> {
        match step {
            Step::Leaf(value) => self.leaf(value),
            Step::Hole => self.simple(simple::HOLE),
            Step::Open(value) => self.open(value),
            Step::Key(key) => self.string(key),
            Step::Field(field) => self.text(field.name()),
            Step::Close(Value::Error(error)) => self.code(error.code.as_ref()),
            Step::Close(_) => Ok(()),
            Step::Share(_) => {
                self.unchecked = true;
                self.tag(tag::SHARE)
            }
        }
    }

    fn leaf(&mut self, value: &Value) -> Result<(), EncodeError> {
        match value {
            Value::Undefined => self.simple(simple::UNDEFINED),
            Value::Null => self.simple(simple::NULL),
            Value::Bool(false) => self.simple(simple::FALSE),
            Value::Bool(true) => self.simple(simple::TRUE),
            Value::Number(number) => self.number(*number),
            Value::BigInt(integer) => self.bigint(integer),
            Value::String(string) => self.string(string),
            Value::Date(time) => self.date(*time),
            Value::RegExp(regexp) => {
                self.tag(tag::REGEXP)?;
                self.string(&regexp.to_literal())
            }
            Value::ArrayBuffer(bytes) => self.bytes(bytes),
            Value::View(view) => {
                self.tag(view.kind().tag())?;
                self.bytes(view.bytes())
            }
            Value::SharedView(view) => self.shared_view(view),
            Value::Reference(index) => self.reference(*index),
            // These are steps of their own.
            Value::Array(_)
            | Value::Object(_)
            | Value::Map(_)
            | Value::Set(_)
            | Value::Error(_)
            | Value::Shared(_) => Ok(()),
        }
    }

    fn open(&mut self, value: &Value) -> Result<(), EncodeError> {
        match value {
            Value::Object(object) => {
                if object.has_null_prototype() {
                    self.tag(tag::NULL_PROTOTYPE)?;
                }
                self.head(MAP, object.len() as u64)
            }
            Value::Map(entries) => {
                self.unchecked = true;
                self.tag(tag::MAP)?;
                self.head(MAP, entries.len() as u64)
            }
            Value::Set(members) => {
                self.unchecked = true;
                self.tag(tag::SET)?;
                self.head(ARRAY, members.len() as u64)
            }
            Value::Array(elements) => self.head(ARRAY, elements.len() as u64),
            Value::Error(error) => self.error(error),
            _ => Ok(()),
        }
    }

    fn error(&mut self, error: &ErrorValue) -> Result<(), EncodeError> {
        self.unchecked = true;
        self.tag(tag::ERROR)?;
        let optional = [error.cause.is_some(), error.errors.is_some(), error.code.is_some()];
        self.head(MAP, 2 + optional.into_iter().filter(|present| *present).count() as u64)?;
        self.text(Field::Name.name())?;
        self.string(&error.name)?;
        self.text(Field::Message.name())?;
        self.string(&error.message)
    }

    fn code(&mut self, code: Option<&ErrorCode>) -> Result<(), EncodeError> {
        let Some(code) = code else { return Ok(()) };
        self.text(Field::Code.name())?;
        match code {
            ErrorCode::String(code) => self.string(code),
            ErrorCode::Number(code) => self.number(*code),
        }
    }

    fn date(&mut self, time: Option<i64>) -> Result<(), EncodeError> {
        self.tag(tag::DATE)?;
        self.unchecked |= time.is_some_and(|time| time.unsigned_abs() > MAX_TIME.unsigned_abs());
        self.number(time.map_or(f64::NAN, |time| time as f64 / 1000.0))
    }

    fn shared_view(&mut self, view: &SharedView) -> Result<(), EncodeError> {
        self.unchecked = true;
        self.tag(tag::SHARED_VIEW)?;
        self.head(ARRAY, 4)?;
        self.head(UNSIGNED, view.kind.tag())?;
        match &view.buffer {
            ViewBuffer::First(bytes) => {
                self.tag(tag::SHARE)?;
                self.bytes(bytes)?;
            }
            ViewBuffer::Again(index) => self.reference(*index)?,
        }
        self.head(UNSIGNED, view.byte_offset)?;
        self.head(UNSIGNED, view.byte_length)
    }

    fn reference(&mut self, index: u32) -> Result<(), EncodeError> {
        self.unchecked = true;
        self.tag(tag::REFERENCE)?;
        self.head(UNSIGNED, u64::from(index))
    }

    fn number(&mut self, number: f64) -> Result<(), EncodeError> {
        match as_safe_integer(number) {
            Some(integer @ 0..) => self.head(UNSIGNED, integer as u64),
            Some(integer) => self.head(NEGATIVE, !integer as u64),
            None => self.float(number),
        }
    }

    fn float(&mut self, number: f64) -> Result<(), EncodeError> {
        if number.is_nan() {
            return self.put(&[0xf9, 0x7e, 0x00]);
        }
        if let Some(half) = half::from_f64(number) {
            let [high, low] = half.to_be_bytes();
            return self.put(&[0xf9, high, low]);
        }
        let single = number as f32;
        if f64::from(single) == number {
            let [a, b, c, d] = single.to_be_bytes();
            return self.put(&[0xfa, a, b, c, d]);
        }
        self.put(&[0xfb])?;
        self.put(&number.to_be_bytes())
    }

    fn bigint(&mut self, integer: &BigInt) -> Result<(), EncodeError> {
        let magnitude = match integer.sign() {
            Sign::Minus => {
                self.tag(tag::NEGATIVE_BIGINT)?;
                integer.magnitude() - 1_u8
            }
            Sign::NoSign | Sign::Plus => {
                self.tag(tag::POSITIVE_BIGINT)?;
                integer.magnitude().clone()
            }
        };
        // Zero is written without any byte, where the library gives one.
        let bytes = magnitude.to_bytes_be();
        self.bytes(bytes.strip_prefix(&[0]).unwrap_or(&bytes))
    }

    fn string(&mut self, string: &JsString) -> Result<(), EncodeError> {
        if let Some(text) = string.as_str() {
            self.text(text)
        } else {
            self.tag(tag::WTF8)?;
            self.bytes(string.as_bytes())
        }
    }

    fn text(&mut self, text: &str) -> Result<(), EncodeError> {
        self.head(TEXT, text.len() as u64)?;
        self.put(text.as_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.head(BYTES, bytes.len() as u64)?;
        self.put(bytes)
    }

    fn tag(&mut self, tag: u64) -> Result<(), EncodeError> {
        self.head(TAG, tag)
    }

    fn simple(&mut self, value: u8) -> Result<(), EncodeError> {
        self.put(&[SIMPLE << 5 | value])
    }

    /// The shortest head (RFC 8949, 3).
    fn head(&mut self, major: u8, argument: u64) -> Result<(), EncodeError> {
        let first = major << 5;
        match argument {
            0..=23 => self.put(&[first | argument as u8]),
            24..=0xff => self.put(&[first | 0x18, argument as u8]),
            0x100..=0xffff => {
                let [a, b] = (argument as u16).to_be_bytes();
                self.put(&[first | 0x19, a, b])
            }
            0x1_0000..=0xffff_ffff => {
                let [a, b, c, d] = (argument as u32).to_be_bytes();
                self.put(&[first | 0x1a, a, b, c, d])
            }
            _ => {
                self.put(&[first | 0x1b])?;
                self.put(&argument.to_be_bytes())
            }
        }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        if bytes.len() > self.limit - (self.out.len() - self.start) {
            return Err(EncodeError::TooLarge { limit: self.limit });
        }
        self.out.extend_from_slice(bytes);
        Ok(())
    }
}

const UNSIGNED: u8 = 0;
const NEGATIVE: u8 = 1;
const BYTES: u8 = 2;
const TEXT: u8 = 3;
const ARRAY: u8 = 4;
const MAP: u8 = 5;
const TAG: u8 = 6;
const SIMPLE: u8 = 7;
