//! The value itself.

use num_bigint::BigInt;

use crate::{ErrorValue, JsString, Object, RegExp, SharedView, View};

/// A JavaScript value that can cross the boundary.
///
/// It mirrors the byte form: an object that is met again is a [`Shared`](Self::Shared) at its first place and a
/// [`Reference`](Self::Reference) from then on, so a cycle is a tree like any other here. [`expand`](Self::expand) writes
/// repeated objects out.
///
/// Two values are equal where their byte forms are: all NaNs are equal, `0` and `-0` are not, the order of an object's keys
/// counts.
///
/// ```
/// use intermission_value::Value;
///
/// let value = Value::object([("id", Value::from(7)), ("tags", Value::array(["a", "b"]))]);
/// assert_eq!(value["tags"][1].as_str(), Some("b"));
/// assert_eq!(value["tags"][2], Value::Undefined);
/// assert_eq!(format!("{value:?}"), r#"{id: 7, tags: ["a", "b"]}"#);
/// ```
#[derive(Clone, Default)]
pub enum Value {
    /// `undefined`.
    #[default]
    Undefined,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A Number.
    Number(f64),
    /// A BigInt.
    BigInt(BigInt),
    /// A string.
    String(JsString),
    /// An array; `None` is a hole.
    Array(Vec<Option<Self>>),
    /// A plain object.
    Object(Object),
    /// A Date: milliseconds since the epoch, at most 8.64e15 either way; `None` for an invalid one.
    Date(Option<i64>),
    /// A regular expression.
    RegExp(RegExp),
    /// A Map: its entries in order, no key twice.
    Map(Vec<(Self, Self)>),
    /// A Set: its members in order, none twice.
    Set(Vec<Self>),
    /// An ArrayBuffer.
    ArrayBuffer(Vec<u8>),
    /// A typed array or DataView alone on its buffer.
    View(View),
    /// One of several views on one buffer.
    SharedView(Box<SharedView>),
    /// An error.
    Error(Box<ErrorValue>),
    /// The first place of an object that is met again. These and the first places of shared buffers are counted from 0,
    /// in the order of the byte form.
    Shared(Box<Self>),
    /// A further place of the object with this index.
    Reference(u32),
}

static UNDEFINED: Value = Value::Undefined;

impl Value {
    /// An array without holes.
    pub fn array<T: Into<Self>>(elements: impl IntoIterator<Item = T>) -> Self {
        Self::Array(elements.into_iter().map(|element| Some(element.into())).collect())
    }

    /// A plain object.
    pub fn object<K: Into<JsString>, V: Into<Self>>(entries: impl IntoIterator<Item = (K, V)>) -> Self {
        Self::Object(entries.into_iter().collect())
    }

    /// A `Uint8Array`.
    pub const fn bytes(bytes: Vec<u8>) -> Self {
        Self::View(View::of_bytes(bytes))
    }

    /// What kind of value it is: `undefined`, `null`, `boolean`, `number`, `bigint`, `string`, or an object's class; for
    /// messages.
    pub fn kind(&self) -> &'static str {
        match self.target() {
            Self::Undefined => "undefined",
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::BigInt(_) => "bigint",
            Self::String(_) => "string",
            Self::Array(_) => "Array",
            Self::Object(_) => "Object",
            Self::Date(_) => "Date",
            Self::RegExp(_) => "RegExp",
            Self::Map(_) => "Map",
            Self::Set(_) => "Set",
            Self::ArrayBuffer(_) => "ArrayBuffer",
            Self::View(view) => view.kind().name(),
            Self::SharedView(view) => view.kind.name(),
            Self::Error(_) => "Error",
            Self::Shared(_) | Self::Reference(_) => "reference",
        }
    }

    /// Whether it is `undefined` or `null`.
    pub const fn is_nullish(&self) -> bool {
        matches!(self, Self::Undefined | Self::Null)
    }

    /// The boolean, if it is one.
    pub const fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(bool) = self { Some(*bool) } else { None }
    }

    /// The Number, if it is one.
    pub const fn as_f64(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// The integer, if it is a Number that is one of the safe range.
    pub fn as_i64(&self) -> Option<i64> {
        let number = self.as_f64()?;
        if number == 0.0 { Some(0) } else { crate::number::as_safe_integer(number) }
    }

    /// The text, if it is a string without lone surrogates.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(string) = self { string.as_str() } else { None }
    }

    /// The bytes, if it is an ArrayBuffer or a view alone on its buffer.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self.target() {
            Self::ArrayBuffer(bytes) => Some(bytes),
            Self::View(view) => Some(view.bytes()),
            _ => None,
        }
    }

    /// The elements, if it is an array (a shared one, too).
    pub fn as_array(&self) -> Option<&[Option<Self>]> {
        if let Self::Array(elements) = self.target() { Some(elements) } else { None }
    }

    /// The properties, if it is a plain object (a shared one, too).
    pub fn as_object(&self) -> Option<&Object> {
        if let Self::Object(object) = self.target() { Some(object) } else { None }
    }

    /// A property of a plain object.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.get(key)
    }

    /// An element of an array; a hole is none.
    pub fn at(&self, index: usize) -> Option<&Self> {
        self.as_array()?.get(index)?.as_ref()
    }

    /// What stands behind tags 28.
    pub(crate) fn target(&self) -> &Self {
        let mut value = self;
        while let Self::Shared(inner) = value {
            value = inner;
        }
        value
    }
}

/// A property of a plain object; `undefined` where there is none, as in JavaScript.
impl std::ops::Index<&str> for Value {
    type Output = Self;

    fn index(&self, key: &str) -> &Self {
        self.get(key).unwrap_or(&UNDEFINED)
    }
}

/// An element of an array; `undefined` where there is none, as in JavaScript.
impl std::ops::Index<usize> for Value {
    type Output = Self;

    fn index(&self, index: usize) -> &Self {
        self.at(index).unwrap_or(&UNDEFINED)
    }
}
