//! Typed arrays and their untyped sibling, the `DataView`.

use crate::half;

/// What a view reads its bytes as. Elements are little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the JavaScript class of its name")]
pub enum ViewKind {
    Uint8Array,
    Uint8ClampedArray,
    Uint16Array,
    Uint32Array,
    BigUint64Array,
    Int8Array,
    Int16Array,
    Int32Array,
    BigInt64Array,
    Float16Array,
    Float32Array,
    Float64Array,
    DataView,
}

impl ViewKind {
    /// Every kind.
    pub const ALL: [Self; 13] = [
        Self::Uint8Array,
        Self::Uint8ClampedArray,
        Self::Uint16Array,
        Self::Uint32Array,
        Self::BigUint64Array,
        Self::Int8Array,
        Self::Int16Array,
        Self::Int32Array,
        Self::BigInt64Array,
        Self::Float16Array,
        Self::Float32Array,
        Self::Float64Array,
        Self::DataView,
    ];

    /// The kind's CBOR tag: RFC 8746 for typed arrays, one of our own for a DataView.
    pub const fn tag(self) -> u64 {
        match self {
            Self::Uint8Array => 64,
            Self::Uint8ClampedArray => 68,
            Self::Uint16Array => 69,
            Self::Uint32Array => 70,
            Self::BigUint64Array => 71,
            Self::Int8Array => 72,
            Self::Int16Array => 77,
            Self::Int32Array => 78,
            Self::BigInt64Array => 79,
            Self::Float16Array => 84,
            Self::Float32Array => 85,
            Self::Float64Array => 86,
            Self::DataView => 40_501,
        }
    }

    /// The kind with this tag.
    pub fn from_tag(tag: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.tag() == tag)
    }

    /// Bytes per element; 1 for a DataView.
    pub const fn element_size(self) -> usize {
        match self {
            Self::Uint8Array | Self::Uint8ClampedArray | Self::Int8Array | Self::DataView => 1,
            Self::Uint16Array | Self::Int16Array | Self::Float16Array => 2,
            Self::Uint32Array | Self::Int32Array | Self::Float32Array => 4,
            Self::BigUint64Array | Self::BigInt64Array | Self::Float64Array => 8,
        }
    }

    /// The class's name in JavaScript.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uint8Array => "Uint8Array",
            Self::Uint8ClampedArray => "Uint8ClampedArray",
            Self::Uint16Array => "Uint16Array",
            Self::Uint32Array => "Uint32Array",
            Self::BigUint64Array => "BigUint64Array",
            Self::Int8Array => "Int8Array",
            Self::Int16Array => "Int16Array",
            Self::Int32Array => "Int32Array",
            Self::BigInt64Array => "BigInt64Array",
            Self::Float16Array => "Float16Array",
            Self::Float32Array => "Float32Array",
            Self::Float64Array => "Float64Array",
            Self::DataView => "DataView",
        }
    }
}

/// A typed array or DataView alone on its buffer, with its own bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    kind: ViewKind,
    bytes: Vec<u8>,
}

impl View {
    /// A view of `bytes`. `None` where their number is not a multiple of the element's size.
    pub fn new(kind: ViewKind, bytes: Vec<u8>) -> Option<Self> {
        bytes.len().is_multiple_of(kind.element_size()).then_some(Self { kind, bytes })
    }

    /// A `Uint8Array`.
    pub const fn of_bytes(bytes: Vec<u8>) -> Self {
        Self { kind: ViewKind::Uint8Array, bytes }
    }

    /// For bytes whose number is known to be right.
    pub(crate) const fn from_checked(kind: ViewKind, bytes: Vec<u8>) -> Self {
        Self { kind, bytes }
    }

    /// What it reads its bytes as.
    pub const fn kind(&self) -> ViewKind {
        self.kind
    }

    /// Its bytes, little-endian elements in order.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its bytes, little-endian elements in order.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Its elements, in order; those of a DataView are its bytes.
    ///
    /// ```
    /// use intermission_value::{Element, View, ViewKind};
    ///
    /// let view = View::new(ViewKind::Int16Array, vec![1, 0, 0xff, 0xff]).unwrap();
    /// assert_eq!(view.elements().collect::<Vec<_>>(), [Element::Signed(1), Element::Signed(-1)]);
    /// ```
    pub fn elements(&self) -> impl ExactSizeIterator<Item = Element> {
        self.bytes.chunks_exact(self.kind.element_size()).map(|bytes| Element::read(self.kind, bytes))
    }
}

/// One element of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element {
    /// Of the kinds with `Uint` in their name and of a DataView.
    Unsigned(u64),
    /// Of the kinds with `Int`.
    Signed(i64),
    /// Of the kinds with `Float`.
    Float(f64),
}

impl Element {
    fn read(kind: ViewKind, bytes: &[u8]) -> Self {
        let bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
        match kind {
            ViewKind::Int8Array => Self::Signed(i64::from(bits as i8)),
            ViewKind::Int16Array => Self::Signed(i64::from(bits as i16)),
            ViewKind::Int32Array => Self::Signed(i64::from(bits as i32)),
            ViewKind::BigInt64Array => Self::Signed(bits as i64),
            ViewKind::Float16Array => Self::Float(half::to_f64(bits as u16)),
            ViewKind::Float32Array => Self::Float(f64::from(f32::from_bits(bits as u32))),
            ViewKind::Float64Array => Self::Float(f64::from_bits(bits)),
            _ => Self::Unsigned(bits),
        }
    }
}

/// One of several views on the same buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedView {
    /// What it reads its bytes as.
    pub kind: ViewKind,
    /// The buffer that it stands on.
    pub buffer: ViewBuffer,
    /// Where it begins in the buffer as sent, in bytes; a multiple of the element's size.
    pub byte_offset: u64,
    /// Its length in bytes; a multiple of the element's size.
    pub byte_length: u64,
}

/// The buffer of a [`SharedView`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewBuffer {
    /// The place where the buffer is sent. It takes the next index, as [`Value::Shared`](crate::Value::Shared) does.
    First(Vec<u8>),
    /// The buffer with this index.
    Again(u32),
}
