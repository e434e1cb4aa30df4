//! Builds a value from its parts, with a stack in place of recursion.

use std::collections::VecDeque;
use std::sync::Arc;

use super::sink::{Container, Field, Leaf, Sink, Text};
use crate::object::Keys;
use crate::{ErrorCode, ErrorValue, Object, Value};

/// Puts a value together.
#[derive(Default)]
pub(crate) struct Builder {
    open: Vec<Partial>,
    recent: RecentKeys,
    done: Value,
}

enum Partial {
    Array(Vec<Option<Value>>),
    Object(Properties),
    Map(Vec<(Value, Value)>, Option<Value>),
    Set(Vec<Value>),
    Error(Box<ErrorValue>, Field),
    Shared,
}

impl Builder {
    /// The value, once all that was opened is closed.
    pub(crate) fn finish(self) -> Value {
        self.done
    }

    /// A whole value in the next place.
    pub(crate) fn put(&mut self, mut value: Value) {
        while let Some(Partial::Shared) = self.open.last() {
            self.open.pop();
            value = Value::Shared(Box::new(value));
        }
        match self.open.last_mut() {
            None | Some(Partial::Shared) => self.done = value,
            Some(Partial::Array(elements)) => elements.push(Some(value)),
            Some(Partial::Object(properties)) => properties.values.push(value),
            Some(Partial::Map(entries, key)) => match key.take() {
                None => *key = Some(value),
                Some(key) => entries.push((key, value)),
            },
            Some(Partial::Set(members)) => members.push(value),
            Some(Partial::Error(error, field)) => set(error, *field, value),
        }
    }
}

impl<'a> Sink<'a> for Builder {
    fn leaf(&mut self, leaf: Leaf<'a>) {
        self.put(leaf.into());
    }

    fn hole(&mut self) {
        if let Some(Partial::Array(elements)) = self.open.last_mut() {
            elements.push(None);
        }
    }

    fn open(&mut self, container: Container, length: usize) {
        self.open.push(match container {
            Container::Array => Partial::Array(Vec::with_capacity(length)),
            Container::Object { null_prototype } => Partial::Object(Properties {
                keys: PartialKeys::None,
                values: Vec::with_capacity(length),
                length,
                null_prototype,
            }),
            Container::Map => Partial::Map(Vec::with_capacity(length), None),
            Container::Set => Partial::Set(Vec::with_capacity(length)),
            Container::Error => Partial::Error(Box::new(ErrorValue::new("", "")), Field::Name),
        });
    }

    fn key(&mut self, key: Text<'a>) {
        if let Some(Partial::Object(properties)) = self.open.last_mut() {
            properties.key(key, &self.recent);
        }
    }

    fn field(&mut self, field: Field) {
        if let Some(Partial::Error(_, next)) = self.open.last_mut() {
            *next = field;
        }
    }

    fn close(&mut self) {
        let value = match self.open.pop() {
            Some(Partial::Array(elements)) => Value::Array(elements),
            Some(Partial::Object(properties)) => Value::Object(properties.finish(&mut self.recent)),
            Some(Partial::Map(entries, _)) => Value::Map(entries),
            Some(Partial::Set(members)) => Value::Set(members),
            Some(Partial::Error(error, _)) => Value::Error(error),
            Some(Partial::Shared) | None => return,
        };
        self.put(value);
    }

    fn share(&mut self) {
        self.open.push(Partial::Shared);
    }
}

fn set(error: &mut ErrorValue, field: Field, value: Value) {
    match (field, value) {
        (Field::Name, Value::String(name)) => error.name = name,
        (Field::Message, Value::String(message)) => error.message = message,
        (Field::Cause, cause) => error.cause = Some(cause),
        (Field::Errors, errors) => error.errors = Some(errors),
        (Field::Code, Value::String(code)) => error.code = Some(ErrorCode::String(code)),
        (Field::Code, Value::Number(code)) => error.code = Some(ErrorCode::Number(code)),
        _ => {}
    }
}

/// An object of which not all is known.
struct Properties {
    keys: PartialKeys,
    values: Vec<Value>,
    length: usize,
    null_prototype: bool,
}

/// Many objects have the keys of one before them, which they then share.
enum PartialKeys {
    None,
    /// As yet the first keys of these, and this many.
    Like(Arc<Keys>, usize),
    Own(Keys),
}

impl Properties {
    fn key(&mut self, key: Text<'_>, recent: &RecentKeys) {
        match &mut self.keys {
            PartialKeys::None => {
                self.keys = match recent.find(self.length, key) {
                    Some(keys) => PartialKeys::Like(keys, 1),
                    None => self.own(&Keys::default(), 0, key),
                }
            }
            PartialKeys::Like(keys, count) if has_at(keys, *count, key) => *count += 1,
            PartialKeys::Like(keys, count) => {
                let (keys, count) = (Arc::clone(keys), *count);
                self.keys = self.own(&keys, count, key);
            }
            PartialKeys::Own(keys) => {
                keys.insert(key.into());
            }
        }
    }

    /// The first `count` of some keys, and `key`.
    fn own(&self, keys: &Keys, count: usize, key: Text<'_>) -> PartialKeys {
        let mut own = Keys::with_capacity(self.length);
        own.extend(keys.iter().take(count).cloned());
        own.insert(key.into());
        PartialKeys::Own(own)
    }

    fn finish(self, recent: &mut RecentKeys) -> Object {
        let keys = match self.keys {
            PartialKeys::Like(keys, _) => keys,
            PartialKeys::None => Arc::default(),
            PartialKeys::Own(keys) => {
                let keys = Arc::new(keys);
                recent.remember(&keys);
                keys
            }
        };
        Object::from_parts(keys, self.values, self.null_prototype)
    }
}

/// The keys of the last objects that had some of their own.
#[derive(Default)]
struct RecentKeys(VecDeque<Arc<Keys>>);

const REMEMBERED: usize = 8;

impl RecentKeys {
    fn find(&self, length: usize, first: Text<'_>) -> Option<Arc<Keys>> {
        self.0.iter().find(|keys| keys.len() == length && has_at(keys, 0, first)).cloned()
    }

    fn remember(&mut self, keys: &Arc<Keys>) {
        self.0.truncate(REMEMBERED - 1);
        self.0.push_front(Arc::clone(keys));
    }
}

fn has_at(keys: &Keys, place: usize, key: Text<'_>) -> bool {
    keys.get_index(place).is_some_and(|other| other.as_bytes() == key.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{decode, encode};

    /// The keys of each object of an array, after a round trip.
    fn keys(objects: &[&[&str]]) -> Vec<Arc<Keys>> {
        let object = |keys: &&[&str]| Value::object(keys.iter().map(|key| (*key, 1)));
        let value = Value::array(objects.iter().map(object));
        let bytes = encode(&value).unwrap();
        let back = decode(&bytes, bytes.len()).unwrap();
        assert_eq!(back, value);
        let elements = back.as_array().unwrap().iter().flatten();
        elements.map(|object| object.as_object().unwrap().shared_keys()).collect()
    }

    #[test]
    fn rows_of_one_table_share_their_keys() {
        let keys = keys(&[&["a", "b"], &["a", "b"], &["x"], &["a", "b"]]);
        assert!(Arc::ptr_eq(&keys[0], &keys[1]) && Arc::ptr_eq(&keys[0], &keys[3]));
    }

    #[test]
    fn keys_that_only_begin_alike_are_not_shared() {
        let keys = keys(&[&["a", "b", "c"], &["a", "b"], &["a", "b", "d"], &["a", "c", "b"], &["a"], &[]]);
        for (place, one) in keys.iter().enumerate() {
            assert!(keys.iter().skip(place + 1).all(|other| !Arc::ptr_eq(one, other)));
        }
    }
}
