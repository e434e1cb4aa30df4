//! The parts of a value, as a type asks for them.

use num_bigint::BigInt;
use serde::de::{self, DeserializeSeed, Visitor};

use super::from_value::Deserializer;
use super::key::PropertyKey;
use super::{ConvertError, with_stack};
use crate::{Element, ErrorValue, JsString, Path, Segment, Value, View};

/// The key of an entry.
pub(super) enum Key {
    /// Of an object.
    Property(JsString),
    /// Of a Map, with its place.
    Entry(usize, Value),
}

/// A sequence; `place` makes the path's segment of an element.
pub(super) fn visit_seq<'de, V: Visitor<'de>>(
    elements: impl ExactSizeIterator<Item = Value>,
    place: fn(usize) -> Segment,
    visitor: V,
) -> Result<V::Value, ConvertError> {
    let mut access = Elements { rest: elements, place, begun: 0 };
    let value = visitor.visit_seq(&mut access)?;
    match access.rest.len() {
        0 => Ok(value),
        left => Err(de::Error::invalid_length(
            access.begun + left,
            &format!("{} elements", access.begun).as_str(),
        )),
    }
}

/// The elements of a view.
pub(super) fn visit_view<'de, V: Visitor<'de>>(view: &View, visitor: V) -> Result<V::Value, ConvertError> {
    let elements = view.elements().map(|element| match element {
        Element::Unsigned(integer) => integer.into(),
        Element::Signed(integer) => integer.into(),
        Element::Float(number) => number.into(),
    });
    visit_seq(elements, Segment::Index, visitor)
}

/// A map.
pub(super) fn visit_map<'de, V: Visitor<'de>>(
    entries: impl Iterator<Item = (Key, Value)>,
    visitor: V,
) -> Result<V::Value, ConvertError> {
    visitor.visit_map(Entries { rest: entries, value: None })
}

/// An error as a map.
pub(super) fn visit_error<'de, V: Visitor<'de>>(
    error: ErrorValue,
    visitor: V,
) -> Result<V::Value, ConvertError> {
    let fields = [
        ("name", Some(error.name.into())),
        ("message", Some(error.message.into())),
        ("cause", error.cause),
        ("errors", error.errors),
        ("code", error.code.map(Value::from)),
    ];
    let fields = fields.into_iter().filter_map(|(name, value)| Some((Key::Property(name.into()), value?)));
    visit_map(fields, visitor)
}

/// An integer of the smallest type that holds it.
pub(super) fn visit_bigint<'de, V: Visitor<'de>>(
    integer: &BigInt,
    visitor: V,
) -> Result<V::Value, ConvertError> {
    if let Ok(integer) = u64::try_from(integer) {
        visitor.visit_u64(integer)
    } else if let Ok(integer) = i64::try_from(integer) {
        visitor.visit_i64(integer)
    } else if let Ok(integer) = i128::try_from(integer) {
        visitor.visit_i128(integer)
    } else if let Ok(integer) = u128::try_from(integer) {
        visitor.visit_u128(integer)
    } else {
        Err(ConvertError::mismatch("the bigint has more than 128 bits"))
    }
}

struct Elements<I> {
    rest: I,
    place: fn(usize) -> Segment,
    begun: usize,
}

impl<'de, I: ExactSizeIterator<Item = Value>> de::SeqAccess<'de> for &mut Elements<I> {
    type Error = ConvertError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ConvertError> {
        let Some(element) = self.rest.next() else { return Ok(None) };
        let place = (self.place)(self.begun);
        self.begun += 1;
        let element = with_stack(|| seed.deserialize(Deserializer::new(element)));
        element.map(Some).map_err(|error| error.within(place))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

struct Entries<I> {
    rest: I,
    value: Option<(Value, Segment)>,
}

impl<'de, I: Iterator<Item = (Key, Value)>> de::MapAccess<'de> for Entries<I> {
    type Error = ConvertError;

    fn next_key_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ConvertError> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        match key {
            Key::Property(key) => {
                self.value = Some((value, Segment::Key(key.clone())));
                seed.deserialize(PropertyKey(key)).map(Some)
            }
            Key::Entry(place, key) => {
                self.value = Some((value, Segment::MapValue(place)));
                let key = with_stack(|| seed.deserialize(Deserializer::new(key)));
                key.map(Some).map_err(|error| error.within(Segment::MapKey(place)))
            }
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, ConvertError> {
        let (value, place) = self.value.take().unwrap_or((Value::Undefined, Segment::Index(0)));
        let value = with_stack(|| seed.deserialize(Deserializer::new(value)));
        value.map_err(|error| error.within(place))
    }
}

/// A variant of an enum, with what it holds.
pub(super) struct Variant {
    pub(super) name: JsString,
    pub(super) content: Option<Value>,
}

impl<'de> de::EnumAccess<'de> for Variant {
    type Error = ConvertError;
    type Variant = Content;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Content), ConvertError> {
        let name = seed.deserialize(PropertyKey(self.name.clone()))?;
        Ok((name, Content { name: self.name, content: self.content }))
    }
}

/// What a variant holds.
pub(super) struct Content {
    name: JsString,
    content: Option<Value>,
}

impl Content {
    fn read<T>(self, read: impl FnOnce(Deserializer) -> Result<T, ConvertError>) -> Result<T, ConvertError> {
        let Some(content) = self.content else {
            return Err(ConvertError::mismatch(format_args!("the variant {} needs a content", self.name)));
        };
        let content = with_stack(|| read(Deserializer::new(content)));
        content.map_err(|error| error.within(Segment::Key(self.name)))
    }
}

impl<'de> de::VariantAccess<'de> for Content {
    type Error = ConvertError;

    fn unit_variant(self) -> Result<(), ConvertError> {
        if self.content.is_none() { Ok(()) } else { self.read(de::Deserialize::deserialize) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ConvertError> {
        self.read(|content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, ConvertError> {
        self.read(|content| de::Deserializer::deserialize_tuple(content, length, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ConvertError> {
        self.read(|content| de::Deserializer::deserialize_struct(content, "", fields, visitor))
    }
}

/// The text of a string.
pub(super) fn text(string: JsString) -> Result<String, ConvertError> {
    string.into_string().ok_or_else(|| ConvertError::LoneSurrogate { path: Path::default() })
}
