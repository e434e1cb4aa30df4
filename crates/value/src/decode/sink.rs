//! What becomes of bytes while they are checked.

use num_bigint::{BigInt, BigUint};

use crate::{JsString, RegExp, SharedView, Value, View, ViewBuffer, ViewKind};

/// Takes the parts of a value in the order of its bytes. The parts are known to be valid.
pub(crate) trait Sink<'a> {
    fn leaf(&mut self, leaf: Leaf<'a>);
    fn hole(&mut self);
    /// A container of `length` elements or entries; they follow, then `close`.
    fn open(&mut self, container: Container, length: usize);
    /// A key of an object; its value follows.
    fn key(&mut self, key: Text<'a>);
    /// A field of an error; its value follows.
    fn field(&mut self, field: Field);
    fn close(&mut self);
    /// What follows is shared.
    fn share(&mut self);
}

/// Bytes that are only checked.
impl Sink<'_> for () {
    fn leaf(&mut self, _leaf: Leaf<'_>) {}
    fn hole(&mut self) {}
    fn open(&mut self, _container: Container, _length: usize) {}
    fn key(&mut self, _key: Text<'_>) {}
    fn field(&mut self, _field: Field) {}
    fn close(&mut self) {}
    fn share(&mut self) {}
}

/// A value that holds values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    Array,
    Object { null_prototype: bool },
    Map,
    Set,
    Error,
}

/// A field of an error, in the order of the byte form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    Name,
    Message,
    Cause,
    Errors,
    Code,
}

impl Field {
    const ALL: [Self; 5] = [Self::Name, Self::Message, Self::Cause, Self::Errors, Self::Code];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Message => "message",
            Self::Cause => "cause",
            Self::Errors => "errors",
            Self::Code => "code",
        }
    }

    pub(crate) fn from_text(name: Text<'_>) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name().as_bytes() == name.as_bytes())
    }
}

/// A string in the bytes.
#[derive(Clone, Copy)]
pub(crate) enum Text<'a> {
    Utf8(&'a str),
    Wtf8(&'a [u8]),
}

impl<'a> Text<'a> {
    pub(crate) const fn as_bytes(self) -> &'a [u8] {
        match self {
            Self::Utf8(text) => text.as_bytes(),
            Self::Wtf8(bytes) => bytes,
        }
    }
}

impl<'a> From<&'a JsString> for Text<'a> {
    fn from(string: &'a JsString) -> Self {
        string.as_str().map_or_else(|| Self::Wtf8(string.as_bytes()), Self::Utf8)
    }
}

impl From<Text<'_>> for JsString {
    fn from(text: Text<'_>) -> Self {
        match text {
            Text::Utf8(text) => text.into(),
            Text::Wtf8(bytes) => Self::from_checked_wtf8(bytes.to_vec()),
        }
    }
}

/// A value that holds no values.
#[derive(Clone, Copy)]
pub(crate) enum Leaf<'a> {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    /// The magnitude, big-endian; of a negative one -1 minus the value.
    BigInt {
        negative: bool,
        magnitude: &'a [u8],
    },
    String(Text<'a>),
    Date(Option<i64>),
    RegExp {
        source: &'a [u8],
        flags: &'a str,
    },
    ArrayBuffer(&'a [u8]),
    View(ViewKind, &'a [u8]),
    SharedView {
        kind: ViewKind,
        buffer: BufferPlace<'a>,
        byte_offset: u64,
        byte_length: u64,
    },
    Reference(u32),
}

/// A view's buffer in the bytes.
#[derive(Clone, Copy)]
pub(crate) enum BufferPlace<'a> {
    First(&'a [u8]),
    Again(u32),
}

impl From<Leaf<'_>> for Value {
    fn from(leaf: Leaf<'_>) -> Self {
        match leaf {
            Leaf::Undefined => Self::Undefined,
            Leaf::Null => Self::Null,
            Leaf::Bool(bool) => Self::Bool(bool),
            Leaf::Number(number) => Self::Number(number),
            Leaf::BigInt { negative, magnitude } => {
                let magnitude = BigInt::from(BigUint::from_bytes_be(magnitude));
                Self::BigInt(if negative { -1 - magnitude } else { magnitude })
            }
            Leaf::String(text) => Self::String(text.into()),
            Leaf::Date(time) => Self::Date(time),
            Leaf::RegExp { source, flags } => Self::RegExp(RegExp::from_checked(source, flags)),
            Leaf::ArrayBuffer(bytes) => Self::ArrayBuffer(bytes.to_vec()),
            Leaf::View(kind, bytes) => Self::View(View::from_checked(kind, bytes.to_vec())),
            Leaf::SharedView { kind, buffer, byte_offset, byte_length } => {
                let buffer = match buffer {
                    BufferPlace::First(bytes) => ViewBuffer::First(bytes.to_vec()),
                    BufferPlace::Again(index) => ViewBuffer::Again(index),
                };
                Self::SharedView(Box::new(SharedView { kind, buffer, byte_offset, byte_length }))
            }
            Leaf::Reference(index) => Self::Reference(index),
        }
    }
}
