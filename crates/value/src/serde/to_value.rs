//! From a type to a value.

use num_bigint::BigInt;
use serde::ser::{self, Serialize};

use super::{ConvertError, EXACT, with_stack};
use crate::{DEFAULT_EXPANSION, MAX_DEPTH, Segment, Value, decode};

/// The value of anything that serde can serialize.
///
/// Structs and maps become objects, sequences and tuples arrays, enums what `serde_json` makes of them. `None` and `()` are
/// `null`, which reads better in a script than `undefined`. Integers beyond the safe range become a BigInt. Bytes (`serde_bytes`)
/// are a `Uint8Array`. A [`Value`] inside of the type is itself, with repeated objects written out.
///
/// ```
/// use intermission_value::to_value;
///
/// #[derive(serde::Serialize)]
/// struct User { id: u64, name: Option<String> }
///
/// let value = to_value(&User { id: u64::MAX, name: None })?;
/// assert_eq!(format!("{value:?}"), "{id: 18446744073709551615n, name: null}");
/// # Ok::<(), intermission_value::ConvertError>(())
/// ```
///
/// # Errors
/// When the type's own code fails, a map's key is no text, or there are more than [`MAX_DEPTH`] containers inside each other.
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, ConvertError> {
    value.serialize(Serializer { depth: 0, exact: false })
}

#[derive(Clone, Copy)]
struct Serializer {
    depth: usize,
    /// Whether what comes is the bytes of a [`Value`].
    exact: bool,
}

impl Serializer {
    fn inner(self) -> Result<Self, ConvertError> {
        if self.depth == MAX_DEPTH {
            return Err(ConvertError::TooDeep);
        }
        Ok(Self { depth: self.depth + 1, exact: false })
    }
}

impl ser::Serializer for Serializer {
    type Ok = Value;
    type Error = ConvertError;
    type SerializeSeq = Elements;
    type SerializeTuple = Elements;
    type SerializeTupleStruct = Elements;
    type SerializeTupleVariant = Elements;
    type SerializeMap = Properties;
    type SerializeStruct = Properties;
    type SerializeStructVariant = Properties;

    fn is_human_readable(&self) -> bool {
        !self.exact
    }

    fn serialize_bool(self, bool: bool) -> Result<Value, ConvertError> {
        Ok(bool.into())
    }

    fn serialize_i8(self, integer: i8) -> Result<Value, ConvertError> {
        Ok(i32::from(integer).into())
    }

    fn serialize_i16(self, integer: i16) -> Result<Value, ConvertError> {
        Ok(i32::from(integer).into())
    }

    fn serialize_i32(self, integer: i32) -> Result<Value, ConvertError> {
        Ok(integer.into())
    }

    fn serialize_i64(self, integer: i64) -> Result<Value, ConvertError> {
        Ok(integer.into())
    }

    fn serialize_i128(self, integer: i128) -> Result<Value, ConvertError> {
        Ok(integer.into())
    }

    fn serialize_u8(self, integer: u8) -> Result<Value, ConvertError> {
        Ok(integer.into())
    }

    fn serialize_u16(self, integer: u16) -> Result<Value, ConvertError> {
        Ok(u32::from(integer).into())
    }

    fn serialize_u32(self, integer: u32) -> Result<Value, ConvertError> {
        Ok(integer.into())
    }

    fn serialize_u64(self, integer: u64) -> Result<Value, ConvertError> {
        Ok(integer.into())
    }

    fn serialize_u128(self, integer: u128) -> Result<Value, ConvertError> {
        Ok(i128::try_from(integer).map_or_else(|_| Value::BigInt(BigInt::from(integer)), Value::from))
    }

    fn serialize_f32(self, number: f32) -> Result<Value, ConvertError> {
        Ok(number.into())
    }

    fn serialize_f64(self, number: f64) -> Result<Value, ConvertError> {
        Ok(number.into())
    }

    fn serialize_char(self, character: char) -> Result<Value, ConvertError> {
        Ok(character.to_string().into())
    }

    fn serialize_str(self, text: &str) -> Result<Value, ConvertError> {
        Ok(text.into())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Value, ConvertError> {
        if self.exact {
            let value = decode(bytes, bytes.len()).map_err(ConvertError::mismatch)?;
            return Ok(value.expand(DEFAULT_EXPANSION)?);
        }
        Ok(Value::bytes(bytes.to_vec()))
    }

    fn serialize_none(self) -> Result<Value, ConvertError> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, ConvertError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, ConvertError> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Value, ConvertError> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Value, ConvertError> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Value, ConvertError> {
        value.serialize(Self { exact: name == EXACT, ..self })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, ConvertError> {
        let mut properties = self.properties(None)?;
        properties.put(variant, value)?;
        Ok(properties.finish())
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Elements, ConvertError> {
        self.elements(length, None)
    }

    fn serialize_tuple(self, length: usize) -> Result<Elements, ConvertError> {
        self.elements(Some(length), None)
    }

    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Elements, ConvertError> {
        self.elements(Some(length), None)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Elements, ConvertError> {
        self.inner()?.elements(Some(length), Some(variant))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Properties, ConvertError> {
        self.properties(None)
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Properties, ConvertError> {
        self.properties(None)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Properties, ConvertError> {
        self.inner()?.properties(Some(variant))
    }
}

/// A length that a type claims is believed up to here.
const MAX_RESERVED: usize = 1024;

impl Serializer {
    fn elements(
        self,
        length: Option<usize>,
        variant: Option<&'static str>,
    ) -> Result<Elements, ConvertError> {
        let capacity = length.unwrap_or_default().min(MAX_RESERVED);
        Ok(Elements { items: Vec::with_capacity(capacity), variant, inner: self.inner()? })
    }

    fn properties(self, variant: Option<&'static str>) -> Result<Properties, ConvertError> {
        Ok(Properties { items: Vec::new(), key: String::new(), variant, inner: self.inner()? })
    }
}

/// An array; of a variant under its name.
struct Elements {
    items: Vec<Option<Value>>,
    variant: Option<&'static str>,
    inner: Serializer,
}

impl Elements {
    fn put<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<(), ConvertError> {
        let value = with_stack(|| element.serialize(self.inner));
        let place = Segment::Index(self.items.len());
        self.items.push(Some(value.map_err(|error| error.within(place))?));
        Ok(())
    }

    fn finish(self) -> Value {
        in_variant(self.variant, Value::Array(self.items))
    }
}

/// An object; of a variant under its name.
struct Properties {
    items: Vec<(String, Value)>,
    key: String,
    variant: Option<&'static str>,
    inner: Serializer,
}

impl Properties {
    fn put<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), ConvertError> {
        let value = with_stack(|| value.serialize(self.inner));
        let value = value.map_err(|error| error.within(Segment::Key(key.into())))?;
        self.items.push((key.to_owned(), value));
        Ok(())
    }

    fn finish(self) -> Value {
        in_variant(self.variant, Value::object(self.items))
    }
}

fn in_variant(variant: Option<&'static str>, value: Value) -> Value {
    match variant {
        Some(variant) => Value::object([(variant, value)]),
        None => value,
    }
}

impl ser::SerializeSeq for Elements {
    type Ok = Value;
    type Error = ConvertError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<(), ConvertError> {
        self.put(element)
    }

    fn end(self) -> Result<Value, ConvertError> {
        Ok(self.finish())
    }
}

impl ser::SerializeTuple for Elements {
    type Ok = Value;
    type Error = ConvertError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<(), ConvertError> {
        self.put(element)
    }

    fn end(self) -> Result<Value, ConvertError> {
        Ok(self.finish())
    }
}

impl ser::SerializeTupleStruct for Elements {
    type Ok = Value;
    type Error = ConvertError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<(), ConvertError> {
        self.put(element)
    }

    fn end(self) -> Result<Value, ConvertError> {
        Ok(self.finish())
    }
}

impl ser::SerializeTupleVariant for Elements {
    type Ok = Value;
    type Error = ConvertError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<(), ConvertError> {
        self.put(element)
    }

    fn end(self) -> Result<Value, ConvertError> {
        Ok(self.finish())
    }
}

impl ser::SerializeMap for Properties {
    type Ok = Value;
    type Error = ConvertError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), ConvertError> {
        self.key = match key.serialize(Serializer { exact: false, ..self.inner })? {
            Value::String(key) => key.to_string(),
            Value::Bool(key) => key.to_string(),
            Value::BigInt(key) => key.to_string(),
            key => key.as_i64().ok_or(ConvertError::KeyType { path: crate::Path::default() })?.to_string(),
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ConvertError> {
        let key = std::mem::take(&mut self.key);
        self.put(&key, value)
    }

    fn end(self) -> Result<Value, ConvertError> {
        Ok(self.finish())
    }
}

impl ser::SerializeStruct for Properties {
    type Ok = Value;
    type Error = ConvertError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), ConvertError> {
        self.put(key, value)
    }

    fn end(self) -> Result<Value, ConvertError> {
        Ok(self.finish())
    }
}

impl ser::SerializeStructVariant for Properties {
    type Ok = Value;
    type Error = ConvertError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), ConvertError> {
        self.put(key, value)
    }

    fn end(self) -> Result<Value, ConvertError> {
        Ok(self.finish())
    }
}
