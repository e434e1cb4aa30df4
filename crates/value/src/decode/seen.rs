//! Which keys a container has already.

use std::collections::BTreeSet;

/// A key, or a member of a Set, by what makes it the same as another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key<'a> {
    /// A primitive value or an object's key: equal where its bytes are.
    Bytes(&'a [u8]),
    /// An object: equal where its index is. An object that is not shared is met only once.
    Object(u32),
}

/// The keys of all open containers. Most containers have few keys, which are compared one by one on one common stack.
#[derive(Default)]
pub(super) struct Seen<'a>(Vec<Key<'a>>);

/// The keys of one container.
pub(super) struct Keys<'a> {
    from: usize,
    many: BTreeSet<Key<'a>>,
}

const FEW: usize = 16;

impl<'a> Seen<'a> {
    /// Nothing is open any more.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// A new innermost container.
    pub(super) fn open(&self) -> Keys<'a> {
        Keys { from: self.0.len(), many: BTreeSet::new() }
    }

    /// The innermost container ends.
    pub(super) fn close(&mut self, keys: &Keys<'a>) {
        self.0.truncate(keys.from);
    }

    /// Whether `key` is new in the innermost container, of which it is from now on.
    pub(super) fn insert(&mut self, keys: &mut Keys<'a>, key: Key<'a>) -> bool {
        if !keys.many.is_empty() {
            return keys.many.insert(key);
        }
        let few = self.0.get(keys.from..).unwrap_or_default();
        if few.contains(&key) {
            return false;
        }
        if few.len() < FEW {
            if self.0.is_empty() {
                // At once for the keys of a row.
                self.0.reserve(FEW);
            }
            self.0.push(key);
        } else {
            keys.many = self.0.drain(keys.from..).collect();
            keys.many.insert(key);
        }
        true
    }
}
