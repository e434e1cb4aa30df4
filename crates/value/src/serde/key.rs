//! An object's key as a type asks for it: a number too, as in `HashMap<u32, _>`.

use serde::de::value::StringDeserializer;
use serde::de::{self, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::ConvertError;
use super::access::text;
use crate::JsString;

/// The key of a property.
pub(super) struct PropertyKey(pub(super) JsString);

/// Reads the key as the type, or else lets the visitor say what it expected of a text.
macro_rules! parsed {
    ($($method:ident => $visit:ident;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConvertError> {
            let key = text(self.0)?;
            match key.parse() {
                Ok(key) => visitor.$visit(key),
                Err(_) => visitor.visit_string(key),
            }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for PropertyKey {
    type Error = ConvertError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConvertError> {
        visitor.visit_string(text(self.0)?)
    }

    parsed! {
        deserialize_bool => visit_bool;
        deserialize_i8 => visit_i64;
        deserialize_i16 => visit_i64;
        deserialize_i32 => visit_i64;
        deserialize_i64 => visit_i64;
        deserialize_i128 => visit_i128;
        deserialize_u8 => visit_u64;
        deserialize_u16 => visit_u64;
        deserialize_u32 => visit_u64;
        deserialize_u64 => visit_u64;
        deserialize_u128 => visit_u128;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConvertError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ConvertError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ConvertError> {
        let key: StringDeserializer<ConvertError> = text(self.0)?.into_deserializer();
        key.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}
