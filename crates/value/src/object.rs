//! Plain objects: strings to values, in JavaScript's order.

use std::fmt;
use std::iter::Zip;
use std::slice;
use std::sync::Arc;

use indexmap::IndexSet;
use indexmap::set;

use crate::js_string::array_index;
use crate::{JsString, Value};

/// A plain object's own properties, in the order of ECMA-262's `OrdinaryOwnPropertyKeys`: array indices ascending, then the
/// other keys as they were inserted.
///
/// ```
/// use intermission_value::{Object, Value};
///
/// let mut object = Object::from_iter([("b", 1), ("10", 2), ("9", 3)]);
/// object.insert("a", Value::Null);
/// assert_eq!(object.keys().map(ToString::to_string).collect::<Vec<_>>(), ["9", "10", "b", "a"]);
/// assert_eq!(object.get("b"), Some(&Value::from(1)));
/// ```
#[derive(Clone, Default)]
pub struct Object {
    /// Rows of one table have the same keys and share them, as long as none of them changes.
    keys: Arc<Keys>,
    values: Vec<Value>,
    null_prototype: bool,
}

pub(crate) type Keys = IndexSet<JsString>;

impl Object {
    /// `{}`.
    pub fn new() -> Self {
        Self::default()
    }

    /// `Object.create(null)`.
    pub fn with_null_prototype() -> Self {
        Self { null_prototype: true, ..Self::default() }
    }

    /// Whether the object's prototype is `null`, not `Object.prototype`.
    pub const fn has_null_prototype(&self) -> bool {
        self.null_prototype
    }

    /// The number of properties.
    pub const fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no properties.
    pub const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The property's value.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.values.get(self.keys.get_index_of(key)?)
    }

    /// The property's value.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.values.get_mut(self.keys.get_index_of(key)?)
    }

    /// Whether there is such a property.
    pub fn contains_key(&self, key: &str) -> bool {
        self.keys.contains(key)
    }

    /// Sets a property: one that is there keeps its place, another goes where JavaScript puts it. Gives the value that was
    /// there. An array index in front of others takes time proportional to them: [`FromIterator`] sorts many at once.
    pub fn insert(&mut self, key: impl Into<JsString>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into());
        if let Some(slot) = self.keys.get_index_of(&key).and_then(|place| self.values.get_mut(place)) {
            return Some(std::mem::replace(slot, value));
        }
        let place = match key.as_array_index() {
            None => self.len(),
            Some(index) => {
                self.keys.partition_point(|other| other.as_array_index().is_some_and(|other| other < index))
            }
        };
        Arc::make_mut(&mut self.keys).shift_insert(place, key);
        self.values.insert(place, value);
        None
    }

    /// Takes a property out and gives its value; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let (place, _) = Arc::make_mut(&mut self.keys).shift_remove_full(key)?;
        Some(self.values.remove(place))
    }

    /// The properties, in order.
    pub fn iter(&self) -> Iter<'_> {
        self.keys.iter().zip(&self.values)
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &JsString> {
        self.keys.iter()
    }

    /// The values, in order.
    pub fn values(&self) -> slice::Iter<'_, Value> {
        self.values.iter()
    }

    #[cfg(test)]
    pub(crate) fn shared_keys(&self) -> Arc<Keys> {
        Arc::clone(&self.keys)
    }

    /// For keys that are known to be in order, and one value for each.
    pub(crate) const fn from_parts(keys: Arc<Keys>, values: Vec<Value>, null_prototype: bool) -> Self {
        Self { keys, values, null_prototype }
    }
}

/// The properties of an [`Object`], in order.
pub type Iter<'a> = Zip<set::Iter<'a, JsString>, slice::Iter<'a, Value>>;

/// Sorts by JavaScript's order of keys what is in the order of insertion.
pub(crate) fn sort_keys<K, V>(entries: &mut [(K, V)], bytes: impl Fn(&K) -> &[u8]) {
    let rank = |(key, _): &(K, V)| array_index(bytes(key)).map_or(u64::MAX, u64::from);
    if !entries.is_sorted_by_key(rank) {
        entries.sort_by_key(rank);
    }
}

impl<K: Into<JsString>, V: Into<Value>> FromIterator<(K, V)> for Object {
    /// Of two values for one key, the later wins, in the place of the earlier.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut entries: Vec<(JsString, V)> =
            entries.into_iter().map(|(key, value)| (key.into(), value)).collect();
        sort_keys(&mut entries, JsString::as_bytes);
        let mut keys = Keys::with_capacity(entries.len());
        let mut values = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let (place, _) = keys.insert_full(key);
            match values.get_mut(place) {
                Some(slot) => *slot = value.into(),
                None => values.push(value.into()),
            }
        }
        Self::from_parts(Arc::new(keys), values, false)
    }
}

impl<'a> IntoIterator for &'a Object {
    type Item = (&'a JsString, &'a Value);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl IntoIterator for Object {
    type Item = (JsString, Value);
    type IntoIter = Zip<set::IntoIter<JsString>, std::vec::IntoIter<Value>>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.keys).into_iter().zip(self.values)
    }
}

/// Order counts, as in the byte form.
impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.null_prototype == other.null_prototype && self.iter().eq(other.iter())
    }
}

impl Eq for Object {}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(object: &Object) -> Vec<String> {
        object.keys().map(ToString::to_string).collect()
    }

    #[test]
    fn keys_stand_in_the_order_of_javascript_however_they_come() {
        let names = ["b", "4294967295", "10", "a", "9", "01", "4294967294", "0"];
        let ordered = ["0", "9", "10", "4294967294", "b", "4294967295", "a", "01"];
        let mut inserted = Object::new();
        for name in names {
            inserted.insert(name, 1);
        }
        assert_eq!(keys(&inserted), ordered);
        assert_eq!(keys(&names.map(|name| (name, 1)).into_iter().collect()), ordered);
    }

    #[test]
    fn a_key_set_again_keeps_its_place() {
        let mut object = Object::from_iter([("a", 1), ("b", 2), ("a", 3)]);
        assert_eq!(object.insert("a", 4), Some(3.into()));
        assert_eq!(object, Object::from_iter([("a", 4), ("b", 2)]));
        assert_ne!(object, Object::from_iter([("b", 2), ("a", 4)]));
    }

    #[test]
    fn a_property_taken_out_leaves_the_others_in_order() {
        let mut object = Object::from_iter([("a", 1), ("b", 2), ("c", 3)]);
        let before = object.clone();
        assert_eq!(object.remove("a"), Some(1.into()));
        assert_eq!(object.remove("a"), None);
        assert_eq!((object.get("b"), object.get("c")), (Some(&2.into()), Some(&3.into())));
        assert_eq!(keys(&object), ["b", "c"]);
        assert_eq!(keys(&before), ["a", "b", "c"]);
    }
}
