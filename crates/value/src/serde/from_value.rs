//! From a value to a type.

use serde::de::{self, DeserializeOwned, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::access::{Key, Variant, text, visit_bigint, visit_error, visit_map, visit_seq, visit_view};
use super::{ConvertError, EXACT};
use crate::{DEFAULT_EXPANSION, Segment, Value, View, ViewKind, encode, iso_date};

/// The `T` that a value stands for.
///
/// Objects and errors become structs and maps, Maps maps with keys of any type (or sequences of pairs), arrays, Sets and typed
/// arrays sequences, enums what `serde_json` takes for them. `undefined`, `null` and holes are `None` and `()`. Buffers and
/// views are bytes (`serde_bytes`), Dates text as `toISOString()` writes it, a RegExp text. A BigInt is an integer. A [`Value`]
/// inside of the type is itself. Repeated objects are written out.
///
/// ```
/// use intermission_value::{Value, from_value};
///
/// #[derive(serde::Deserialize, Debug, PartialEq)]
/// struct User { id: u64, name: Option<String> }
///
/// let user: User = from_value(Value::object([("id", 7)]))?;
/// assert_eq!(user, User { id: 7, name: None });
///
/// let error = from_value::<Vec<User>>(Value::array([Value::object([("id", "x")])])).unwrap_err();
/// assert_eq!(error.to_string(), r#"invalid type: string "x", expected u64 at [0].id"#);
/// # Ok::<(), intermission_value::ConvertError>(())
/// ```
///
/// # Errors
/// When the value is not of the type, contains itself, or repeats more than [`DEFAULT_EXPANSION`].
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, ConvertError> {
    T::deserialize(Deserializer { value: value.expand(DEFAULT_EXPANSION)?, exact: false })
}

pub(super) struct Deserializer {
    value: Value,
    /// Whether the bytes of the value are asked for.
    exact: bool,
}

impl Deserializer {
    pub(super) const fn new(value: Value) -> Self {
        Self { value, exact: false }
    }

    pub(super) fn unexpected<'de, V: Visitor<'de>>(&self, visitor: &V) -> ConvertError {
        de::Error::invalid_type(Unexpected::Other(self.value.kind()), visitor)
    }
}

impl<'de> de::Deserializer<'de> for Deserializer {
    type Error = ConvertError;

    fn is_human_readable(&self) -> bool {
        !self.exact
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConvertError> {
        match self.value {
            Value::Undefined | Value::Null | Value::Date(None) => visitor.visit_unit(),
            Value::Bool(bool) => visitor.visit_bool(bool),
            Value::Number(number) => match crate::number::as_safe_integer(number) {
                Some(integer @ 0..) => visitor.visit_u64(integer as u64),
                Some(integer) => visitor.visit_i64(integer),
                None => visitor.visit_f64(number),
            },
            Value::BigInt(integer) => visit_bigint(&integer, visitor),
            Value::String(string) => visitor.visit_string(text(string)?),
            Value::Date(Some(time)) => visitor.visit_string(iso_date::format(time)),
            Value::RegExp(regexp) => visitor.visit_string(regexp.to_literal().to_string()),
            Value::ArrayBuffer(bytes) => visitor.visit_byte_buf(bytes),
            Value::View(view) => match view.kind() {
                ViewKind::DataView | ViewKind::Uint8Array | ViewKind::Uint8ClampedArray => {
                    visitor.visit_byte_buf(view.into_bytes())
                }
                _ => visit_view(&view, visitor),
            },
            Value::Array(elements) => {
                visit_seq(elements.into_iter().map(Option::unwrap_or_default), Segment::Index, visitor)
            }
            Value::Set(members) => visit_seq(members.into_iter(), Segment::Member, visitor),
            Value::Map(entries) => {
                let pairs = entries.into_iter().map(|(key, value)| Value::array([key, value]));
                visit_seq(pairs, Segment::MapValue, visitor)
            }
            Value::Object(object) => {
                visit_map(object.into_iter().map(|(key, value)| (Key::Property(key), value)), visitor)
            }
            Value::Error(error) => visit_error(*error, visitor),
            Value::SharedView(_) | Value::Shared(_) | Value::Reference(_) => Err(self.unexpected(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConvertError> {
        let is_none = matches!(self.value, Value::Undefined | Value::Null | Value::Date(None));
        if is_none { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ConvertError> {
        visitor.visit_newtype_struct(Self { exact: name == EXACT, ..self })
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConvertError> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConvertError> {
        match self.value {
            value if self.exact => visitor.visit_byte_buf(encode(&value)?),
            Value::View(view) => visitor.visit_byte_buf(view.into_bytes()),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConvertError> {
        match self.value {
            Value::ArrayBuffer(bytes) => visit_view(&View::of_bytes(bytes), visitor),
            Value::View(view) => visit_view(&view, visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, ConvertError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, ConvertError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConvertError> {
        let Value::Map(entries) = self.value else { return self.deserialize_any(visitor) };
        let entries = entries.into_iter().enumerate();
        visit_map(entries.map(|(place, (key, value))| (Key::Entry(place, key), value)), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ConvertError> {
        let (variant, content) = match self.value {
            Value::String(variant) => (variant, None),
            Value::Object(object) if object.len() == 1 => match object.into_iter().next() {
                Some((variant, content)) => (variant, Some(content)),
                None => return Err(ConvertError::mismatch("an enum's variant is missing")),
            },
            _ => return Err(self.unexpected(&visitor)),
        };
        visitor.visit_enum(Variant { name: variant, content })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConvertError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string unit unit_struct struct identifier
    }
}
