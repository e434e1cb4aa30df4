//! Graphs written out as trees.

use std::borrow::Cow;

use crate::decode::{Builder, Container, Field, Sink};
use crate::form::MAX_DEPTH;
use crate::path::At;
use crate::walk::{Step, Walk};
use crate::{Path, SharedView, Value, View, ViewBuffer};

/// What repeated objects may add by default when a value is written out, in bytes: 64 MiB.
pub const DEFAULT_EXPANSION: usize = 64 << 20;

/// Why a value can't be written out as a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpandError {
    /// The value contains itself.
    #[error("the value contains itself{}", At(path))]
    Cycle {
        /// Where it does.
        path: Path,
    },
    /// Repeated objects would take too much.
    #[error("repeated objects would add more than {limit} bytes{}", At(path))]
    TooLarge {
        /// What they may add, in bytes.
        limit: usize,
        /// Where that is passed.
        path: Path,
    },
    /// The tree would be deeper than [`MAX_DEPTH`].
    #[error("written out, the value is deeper than {MAX_DEPTH} containers")]
    TooDeep,
    /// A reference or a view leads nowhere; only a value made by hand has such.
    #[error("a reference or a view leads nowhere{}", At(path))]
    Dangling {
        /// Where it stands.
        path: Path,
    },
}

impl ExpandError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Cycle { .. } => "cycle",
            Self::TooLarge { .. } => "expansion-too-large",
            Self::TooDeep => "too-deep",
            Self::Dangling { .. } => "dangling",
        }
    }
}

impl Value {
    /// The value without [`Shared`](Self::Shared), [`Reference`](Self::Reference) and [`SharedView`](Self::SharedView): an
    /// object that is met again is written out again, a view gets bytes of its own. A value without them comes back as it is.
    ///
    /// ```
    /// use intermission_value::Value;
    ///
    /// let twice = Value::array([Value::Shared(Box::new(Value::array([1]))), Value::Reference(0)]);
    /// assert_eq!(format!("{twice:?}"), "[&0 [1], *0]");
    /// assert_eq!(format!("{:?}", twice.expand(1024)?), "[[1], [1]]");
    ///
    /// let cycle = Value::Shared(Box::new(Value::array([Value::Reference(0)])));
    /// assert_eq!(cycle.expand(1024).unwrap_err().to_string(), "the value contains itself at [0]");
    /// # Ok::<(), intermission_value::ExpandError>(())
    /// ```
    ///
    /// # Errors
    /// When the value contains itself, when what is written out again takes more than `max_added` bytes of memory, when the
    /// tree would be deeper than [`MAX_DEPTH`].
    pub fn expand(self, max_added: usize) -> Result<Self, ExpandError> {
        match tree(&self, max_added)? {
            Cow::Borrowed(_) => Ok(self),
            Cow::Owned(tree) => Ok(tree),
        }
    }
}

/// [`Value::expand`] for a value that is only looked at.
pub(crate) fn tree(value: &Value, max_added: usize) -> Result<Cow<'_, Value>, ExpandError> {
    if is_tree(value) {
        Ok(Cow::Borrowed(value))
    } else {
        Expansion::new(value, max_added).run().map(Cow::Owned)
    }
}

fn is_tree(value: &Value) -> bool {
    !Walk::new(value)
        .any(|step| matches!(step, Step::Share(_) | Step::Leaf(Value::Reference(_) | Value::SharedView(_))))
}

struct Expansion<'a> {
    targets: Vec<Target<'a>>,
    walk: Walk<'a>,
    tree: Builder,
    /// How many containers are open around the outermost reference that is being written out.
    again: Option<usize>,
    added: usize,
    limit: usize,
}

/// What stands at an index.
#[derive(Clone, Copy)]
enum Target<'a> {
    Value(&'a Value),
    Buffer(&'a [u8]),
}

impl<'a> Expansion<'a> {
    fn new(value: &'a Value, limit: usize) -> Self {
        let (targets, walk) = (targets(value), Walk::new(value));
        Self { targets, walk, tree: Builder::default(), again: None, added: 0, limit }
    }

    fn run(mut self) -> Result<Value, ExpandError> {
        while let Some(step) = self.walk.next() {
            if self.walk.depth() > MAX_DEPTH {
                return Err(ExpandError::TooDeep);
            }
            self.step(step)?;
        }
        Ok(self.tree.finish())
    }

    fn step(&mut self, step: Step<'a>) -> Result<(), ExpandError> {
        match step {
            Step::Leaf(Value::Reference(index)) => self.follow(*index)?,
            Step::Leaf(Value::SharedView(view)) => {
                let view = self.view(view)?;
                self.put(Value::View(view));
            }
            Step::Leaf(value) => {
                self.charge(payload(value))?;
                self.put(value.clone());
            }
            Step::Hole => {
                self.charge(0)?;
                self.tree.hole();
            }
            Step::Open(value) => {
                self.charge(0)?;
                self.open(value);
            }
            Step::Key(key) => self.tree.key(key.into()),
            Step::Field(field) => self.tree.field(field),
            Step::Close(value) => {
                self.close(value);
                self.written();
            }
            Step::Share(_) => {}
        }
        Ok(())
    }

    fn follow(&mut self, index: u32) -> Result<(), ExpandError> {
        match self.target(index)? {
            Target::Value(value) if self.walk.is_within(value) => {
                Err(ExpandError::Cycle { path: self.walk.path() })
            }
            Target::Value(value) => {
                self.again.get_or_insert(self.walk.depth());
                self.walk.insert(value);
                Ok(())
            }
            Target::Buffer(bytes) => {
                self.add(bytes.len())?;
                self.put(Value::ArrayBuffer(bytes.to_vec()));
                Ok(())
            }
        }
    }

    fn view(&mut self, view: &'a SharedView) -> Result<View, ExpandError> {
        let buffer = match &view.buffer {
            ViewBuffer::First(bytes) => Some(bytes.as_slice()),
            ViewBuffer::Again(index) => match self.target(*index)? {
                Target::Buffer(bytes) => Some(bytes),
                Target::Value(value) => value.as_bytes(),
            },
        };
        let own = buffer.and_then(|buffer| {
            let from = usize::try_from(view.byte_offset).ok()?;
            let to = from.checked_add(usize::try_from(view.byte_length).ok()?)?;
            View::new(view.kind, buffer.get(from..to)?.to_vec())
        });
        let own = own.ok_or_else(|| ExpandError::Dangling { path: self.walk.path() })?;
        self.add(own.bytes().len())?;
        Ok(own)
    }

    fn target(&self, index: u32) -> Result<Target<'a>, ExpandError> {
        let target = self.targets.get(index as usize).copied();
        target.ok_or_else(|| ExpandError::Dangling { path: self.walk.path() })
    }

    fn open(&mut self, value: &Value) {
        let (container, length) = match value {
            Value::Array(elements) => (Container::Array, elements.len()),
            Value::Object(object) => {
                (Container::Object { null_prototype: object.has_null_prototype() }, object.len())
            }
            Value::Map(entries) => (Container::Map, entries.len()),
            Value::Set(members) => (Container::Set, members.len()),
            _ => (Container::Error, 0),
        };
        self.tree.open(container, length);
        if let Value::Error(error) = value {
            self.field(Field::Name, error.name.clone().into());
            self.field(Field::Message, error.message.clone().into());
        }
    }

    fn close(&mut self, value: &Value) {
        if let Value::Error(error) = value
            && let Some(code) = &error.code
        {
            self.field(Field::Code, code.clone().into());
        }
        self.tree.close();
    }

    fn field(&mut self, field: Field, value: Value) {
        self.tree.field(field);
        self.tree.put(value);
    }

    fn put(&mut self, value: Value) {
        self.tree.put(value);
        self.written();
    }

    /// Something is whole; with it perhaps the outermost reference.
    fn written(&mut self) {
        self.again = self.again.filter(|depth| self.walk.depth() > *depth);
    }

    /// One more value, which costs if it is written out again.
    fn charge(&mut self, payload: usize) -> Result<(), ExpandError> {
        if self.again.is_some() { self.add(size_of::<Value>() + payload) } else { Ok(()) }
    }

    fn add(&mut self, bytes: usize) -> Result<(), ExpandError> {
        self.added = self.added.saturating_add(bytes);
        if self.added > self.limit {
            return Err(ExpandError::TooLarge { limit: self.limit, path: self.walk.path() });
        }
        Ok(())
    }
}

/// What stands at each index.
fn targets(value: &Value) -> Vec<Target<'_>> {
    let target = |step| match step {
        Step::Share(value) => Some(Target::Value(value)),
        Step::Leaf(Value::SharedView(view)) => match &view.buffer {
            ViewBuffer::First(bytes) => Some(Target::Buffer(bytes)),
            ViewBuffer::Again(_) => None,
        },
        _ => None,
    };
    Walk::new(value).filter_map(target).collect()
}

/// The memory of a value that holds no others, beyond its own place.
fn payload(value: &Value) -> usize {
    match value {
        Value::String(string) => string.as_bytes().len(),
        Value::BigInt(integer) => integer.bits().div_ceil(8) as usize,
        Value::RegExp(regexp) => regexp.source().as_bytes().len(),
        _ => value.as_bytes().map_or(0, <[u8]>::len),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorCode, ErrorValue, Segment, ViewKind};

    fn shared(value: Value) -> Value {
        Value::Shared(Box::new(value))
    }

    fn expanded(value: Value) -> String {
        format!("{:?}", value.expand(DEFAULT_EXPANSION).unwrap())
    }

    #[test]
    fn references_are_written_out_wherever_they_stand() {
        let inner = shared(Value::object([("a", shared(Value::from("x")))]));
        let error = ErrorValue {
            cause: Some(Value::Reference(0)),
            errors: Some(Value::array([Value::Reference(1)])),
            code: Some(ErrorCode::Number(7.0)),
            ..ErrorValue::new("E", "m")
        };
        let map = Value::Map(vec![(Value::Reference(0), Value::Set(vec![Value::Reference(0)]))]);
        let value = Value::Array(vec![Some(inner), None, Some(error.into()), Some(map)]);
        assert_eq!(
            expanded(value),
            r#"[{a: "x"}, <hole>, E {message: "m", cause: {a: "x"}, errors: ["x"], code: 7}, Map {{a: "x"} => Set {{a: "x"}}}]"#
        );
    }

    #[test]
    fn shared_views_get_bytes_of_their_own() {
        let view = |buffer, byte_offset, byte_length| {
            Value::from(SharedView { kind: ViewKind::Uint8Array, buffer, byte_offset, byte_length })
        };
        let value = Value::array([
            view(ViewBuffer::First(vec![1, 2, 3]), 0, 2),
            view(ViewBuffer::Again(0), 2, 1),
            Value::Reference(0),
            shared(Value::ArrayBuffer(vec![4])),
            view(ViewBuffer::Again(1), 0, 1),
        ]);
        assert_eq!(
            expanded(value),
            "[Uint8Array <0102>, Uint8Array <03>, ArrayBuffer <010203>, ArrayBuffer <04>, Uint8Array <04>]"
        );
    }

    #[test]
    fn a_cycle_through_others_is_found_where_it_closes() {
        let value = Value::array([
            shared(Value::object([("b", shared(Value::array([Value::Reference(0)])))])),
            Value::Reference(1),
        ]);
        let path = Path::from_iter([Segment::Index(0), Segment::Key("b".into()), Segment::Index(0)]);
        assert_eq!(value.expand(DEFAULT_EXPANSION), Err(ExpandError::Cycle { path }));
    }

    #[test]
    fn a_billion_laughs_end_at_the_limit() {
        let mut value = shared(Value::array(["ha"; 10]));
        for index in (0..9_u32).rev() {
            let rest = std::iter::repeat_n(Value::Reference(index + 1), 9);
            value = shared(Value::array(std::iter::once(value).chain(rest)));
        }
        let Err(ExpandError::TooLarge { limit, .. }) = value.expand(1 << 20) else { panic!() };
        assert_eq!(limit, 1 << 20);
    }

    #[test]
    fn only_what_is_written_again_counts() {
        let value = Value::array([
            shared(Value::array([Value::from("twelve bytes")])),
            Value::array([Value::Reference(0)]),
            Value::array(["many", "strings", "behind", "the", "reference"]),
        ]);
        let added = 2 * size_of::<Value>() + 12;
        assert!(value.clone().expand(added).is_ok());
        let path = Path::from_iter([Segment::Index(1), Segment::Index(0), Segment::Index(0)]);
        assert_eq!(value.expand(added - 1), Err(ExpandError::TooLarge { limit: added - 1, path }));
    }

    #[test]
    fn shared_depths_that_add_up_are_too_deep() {
        let chain = |end: Value| (0..600).fold(end, |inner, _| Value::array([inner]));
        let value = Value::array([shared(chain(Value::Null)), chain(Value::Reference(0))]);
        assert_eq!(value.expand(DEFAULT_EXPANSION), Err(ExpandError::TooDeep));
    }

    #[test]
    fn what_leads_nowhere_is_an_error() {
        let path = Path::from_iter([Segment::Index(0)]);
        let dangling = Err(ExpandError::Dangling { path });
        assert_eq!(Value::array([Value::Reference(0)]).expand(0), dangling);
        let view = SharedView {
            kind: ViewKind::Int16Array,
            buffer: ViewBuffer::First(vec![0; 4]),
            byte_offset: u64::MAX,
            byte_length: 2,
        };
        assert_eq!(Value::array([Value::from(view)]).expand(0), dangling);
    }
}
