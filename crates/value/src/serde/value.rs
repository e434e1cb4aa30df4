//! A [`Value`] as a part of other types.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use super::EXACT;
use crate::{Object, Value, decode, encode};

/// In a format for people, such as JSON, as [`Value::to_json`]; in others its bytes.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(EXACT, &Form(self))
    }
}

struct Form<'a>(&'a Value);

impl Serialize for Form<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            self.0.to_json().map_err(S::Error::custom)?.serialize(serializer)
        } else {
            serializer.serialize_bytes(&encode(self.0).map_err(S::Error::custom)?)
        }
    }
}

/// In a format for people, such as JSON, from what it has, integers beyond the safe range as BigInt; in others from its
/// bytes.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(EXACT, FormVisitor)
    }
}

struct FormVisitor;

impl<'de> Visitor<'de> for FormVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        if deserializer.is_human_readable() {
            super::with_stack(|| deserializer.deserialize_any(AnyVisitor))
        } else {
            deserializer.deserialize_byte_buf(BytesVisitor)
        }
    }
}

struct BytesVisitor;

impl Visitor<'_> for BytesVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the byte form of a value")
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Value, E> {
        decode(bytes, bytes.len()).map_err(E::custom)
    }
}

struct AnyVisitor;

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, bool: bool) -> Result<Value, E> {
        Ok(bool.into())
    }

    fn visit_i64<E>(self, integer: i64) -> Result<Value, E> {
        Ok(integer.into())
    }

    fn visit_u64<E>(self, integer: u64) -> Result<Value, E> {
        Ok(integer.into())
    }

    fn visit_i128<E>(self, integer: i128) -> Result<Value, E> {
        Ok(integer.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Value, E> {
        Ok(Value::bytes(bytes.to_vec()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(element) = elements.next_element::<Value>()? {
            array.push(Some(element));
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut properties: Vec<(String, Value)> = Vec::new();
        while let Some(property) = entries.next_entry()? {
            properties.push(property);
        }
        Ok(Value::Object(Object::from_iter(properties)))
    }
}
