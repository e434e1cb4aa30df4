//! A walk over a value in the order of its byte form, without recursion.

use std::slice;

use crate::decode::Field;
use crate::{ErrorValue, JsString, Path, Segment, Value, object};

/// One step of a [`Walk`].
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    /// A value that holds no others. A `Reference` is one.
    Leaf(&'a Value),
    /// A hole of an array.
    Hole,
    /// An array, object, Map, Set or error; what it holds follows, then its `Close`.
    Open(&'a Value),
    /// A property of the object; its value follows.
    Key(&'a JsString),
    /// `cause` or `errors` of the error; its value follows.
    Field(Field),
    /// The container ends.
    Close(&'a Value),
    /// What follows is `Shared`.
    Share(&'a Value),
}

/// The steps of a value, in the order of its byte form.
pub(crate) struct Walk<'a> {
    containers: Vec<Container<'a>>,
    next: Option<&'a Value>,
}

struct Container<'a> {
    value: &'a Value,
    rest: Rest<'a>,
    /// How many steps were taken in it, and the last property.
    steps: usize,
    key: Option<&'a JsString>,
}

enum Rest<'a> {
    Array(slice::Iter<'a, Option<Value>>),
    Object(object::Iter<'a>),
    Map(slice::Iter<'a, (Value, Value)>, Option<&'a Value>),
    Set(slice::Iter<'a, Value>),
    Error(&'a ErrorValue),
}

impl<'a> Walk<'a> {
    pub(crate) fn new(value: &'a Value) -> Self {
        Self { containers: Vec::new(), next: Some(value) }
    }

    /// How many containers are open.
    pub(crate) fn depth(&self) -> usize {
        self.containers.len()
    }

    /// The place of the last step: of the container after its `Open`, of what holds it after its `Close`.
    pub(crate) fn path(&self) -> Path {
        self.containers.iter().filter_map(Container::segment).collect()
    }

    /// Whether `value` is an open container.
    pub(crate) fn is_within(&self, value: &Value) -> bool {
        self.containers.iter().any(|container| std::ptr::eq(container.value, value.target()))
    }

    /// Walks this value next, in the place of the step just made.
    pub(crate) fn insert(&mut self, value: &'a Value) {
        self.next = Some(value);
    }

    fn enter(&mut self, value: &'a Value) -> Step<'a> {
        let rest = match value {
            Value::Array(elements) => Rest::Array(elements.iter()),
            Value::Object(object) => Rest::Object(object.iter()),
            Value::Map(entries) => Rest::Map(entries.iter(), None),
            Value::Set(members) => Rest::Set(members.iter()),
            Value::Error(error) => Rest::Error(error),
            Value::Shared(inner) => {
                self.next = Some(inner);
                return Step::Share(inner);
            }
            _ => return Step::Leaf(value),
        };
        self.containers.push(Container { value, rest, steps: 0, key: None });
        Step::Open(value)
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        if let Some(value) = self.next.take() {
            return Some(self.enter(value));
        }
        let container = self.containers.last_mut()?;
        container.steps += 1;
        let step = match &mut container.rest {
            Rest::Array(elements) => match elements.next() {
                Some(Some(element)) => Ok(element),
                Some(None) => return Some(Step::Hole),
                None => Err(container.value),
            },
            Rest::Object(entries) => match entries.next() {
                Some((key, value)) => {
                    container.key = Some(key);
                    self.next = Some(value);
                    return Some(Step::Key(key));
                }
                None => Err(container.value),
            },
            Rest::Map(entries, value) => value
                .take()
                .or_else(|| {
                    let (key, next) = entries.next()?;
                    *value = Some(next);
                    Some(key)
                })
                .ok_or(container.value),
            Rest::Set(members) => members.next().ok_or(container.value),
            Rest::Error(error) => {
                let fields = [(Field::Cause, error.cause.as_ref()), (Field::Errors, error.errors.as_ref())];
                match fields
                    .into_iter()
                    .skip(container.steps - 1)
                    .find_map(|(field, value)| Some((field, value?)))
                {
                    Some((field, value)) => {
                        container.steps = if field == Field::Cause { 1 } else { 2 };
                        self.next = Some(value);
                        return Some(Step::Field(field));
                    }
                    None => Err(container.value),
                }
            }
        };
        Some(match step {
            Ok(value) => self.enter(value),
            Err(done) => {
                self.containers.pop();
                Step::Close(done)
            }
        })
    }
}

impl Container<'_> {
    fn segment(&self) -> Option<Segment> {
        let last = self.steps.checked_sub(1)?;
        Some(match &self.rest {
            Rest::Array(_) => Segment::Index(last),
            Rest::Object(_) => Segment::Key(self.key?.clone()),
            Rest::Map(..) if last.is_multiple_of(2) => Segment::MapKey(last / 2),
            Rest::Map(..) => Segment::MapValue(last / 2),
            Rest::Set(_) => Segment::Member(last),
            Rest::Error(_) => {
                Segment::Key(if last == 0 { Field::Cause } else { Field::Errors }.name().into())
            }
        })
    }
}
