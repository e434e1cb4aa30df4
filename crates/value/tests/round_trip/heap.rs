//! Random heaps of JavaScript objects that point at each other, and the values that they are.

use std::collections::{BTreeMap, BTreeSet};

use intermission_value::{
    ErrorCode, ErrorValue, JsString, Object, RegExp, SharedView, Value, View, ViewBuffer, ViewKind,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Nodes that name each other by index, modulo their number. The first is the value.
#[derive(Clone, Debug)]
pub(crate) struct Heap(Vec<Node>);

#[derive(Clone, Debug)]
enum Node {
    Primitive(Value),
    Object(Kind),
}

#[derive(Clone, Debug)]
enum Kind {
    Plain(Value),
    Array(Vec<Option<usize>>),
    Properties {
        null_prototype: bool,
        entries: Vec<(JsString, usize)>,
    },
    Map(Vec<(usize, usize)>),
    Set(Vec<usize>),
    Error {
        name: JsString,
        message: JsString,
        code: Option<ErrorCode>,
        cause: Option<usize>,
        errors: Option<usize>,
    },
    Buffer(Vec<u8>),
    View {
        kind: ViewKind,
        buffer: usize,
        offset: usize,
        length: usize,
    },
}

pub(crate) fn heap() -> impl Strategy<Value = Heap> {
    vec(node(), 1..24).prop_map(Heap)
}

pub(crate) fn string() -> impl Strategy<Value = JsString> {
    prop_oneof![
        "[a-c0-9]{0,3}".prop_map(JsString::from),
        ".{0,6}".prop_map(JsString::from),
        vec(any::<u16>(), 0..4).prop_map(|units| JsString::from_utf16(&units)),
        vec(0xd7fe_u16..0xe002, 0..4).prop_map(|units| JsString::from_utf16(&units)),
        Just("__proto__".into()),
    ]
}

pub(crate) fn primitive() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Undefined),
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f32>().prop_map(Value::from),
        (-4_i64..4, 50_u32..56).prop_map(|(off, power)| Value::from(((1_i64 << power) + off) as f64)),
        Just(Value::from(-0.0)),
        any::<i128>().prop_map(|integer| Value::BigInt(integer.into())),
        (-300_i32..300).prop_map(|integer| Value::BigInt(integer.into())),
        string().prop_map(Value::from),
    ]
}

fn node() -> impl Strategy<Value = Node> {
    let index = any::<usize>;
    let bytes = || vec(any::<u8>(), 0..40);
    let plain = prop_oneof![
        option::of(-8_640_000_000_000_000_i64..=8_640_000_000_000_000).prop_map(Value::Date),
        option::of(-2_000_i64..2_000).prop_map(Value::Date),
        prop_oneof![Just("a"), Just("[/]\u{e9}"), Just(r"\/")]
            .prop_map(|source| Value::from(RegExp::new(source, "gi").unwrap())),
    ];
    let error = (string(), string(), option::of(string()), option::of(index()), option::of(index()))
        .prop_map(|(name, message, code, cause, errors)| Kind::Error {
            name,
            message,
            code: code.map(ErrorCode::String),
            cause,
            errors,
        });
    let view =
        (0..ViewKind::ALL.len(), index(), index(), index()).prop_map(|(kind, buffer, offset, length)| {
            Kind::View { kind: ViewKind::ALL[kind], buffer, offset, length }
        });
    let object = prop_oneof![
        1 => plain.prop_map(Kind::Plain),
        3 => vec(option::weighted(0.9, index()), 0..6).prop_map(Kind::Array),
        3 => (any::<bool>(), vec((string(), index()), 0..20))
            .prop_map(|(null_prototype, entries)| Kind::Properties { null_prototype, entries }),
        2 => vec((index(), index()), 0..20).prop_map(Kind::Map),
        2 => vec(index(), 0..20).prop_map(Kind::Set),
        1 => error,
        1 => bytes().prop_map(Kind::Buffer),
        3 => view,
    ];
    prop_oneof![2 => primitive().prop_map(Node::Primitive), 5 => object.prop_map(Node::Object)]
}

impl Heap {
    /// The value of the first node, as the rules of the byte form have it.
    pub(crate) fn value(&self) -> Value {
        let mut visits = BTreeMap::new();
        self.visit(0, &mut visits);
        let mut buffers: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for index in visits.keys() {
            match self.object(*index) {
                Some(Kind::Buffer(_)) => _ = buffers.entry(*index).or_default().insert(*index),
                Some(Kind::View { .. }) => {
                    _ = buffers.entry(self.window(*index).0).or_default().insert(*index);
                }
                _ => {}
            }
        }
        Writer { heap: self, visits, buffers, indices: BTreeMap::new() }.write(0)
    }

    fn at(&self, index: usize) -> usize {
        index % self.0.len()
    }

    fn object(&self, index: usize) -> Option<&Kind> {
        match &self.0[self.at(index)] {
            Node::Object(kind) => Some(kind),
            Node::Primitive(_) => None,
        }
    }

    /// The errors of an error are an array.
    fn errors(&self, index: Option<usize>) -> Option<usize> {
        index.filter(|index| matches!(self.object(*index), Some(Kind::Array(_))))
    }

    /// The buffer, offset and length of a view; a number that no node has where the view has a buffer of its own.
    fn window(&self, view: usize) -> (usize, usize, usize) {
        let Some(Kind::View { kind, buffer, offset, length }) = self.object(view) else { unreachable!() };
        let buffer = self.at(*buffer);
        let (key, size) = match self.object(buffer) {
            Some(Kind::Buffer(bytes)) => (buffer, bytes.len()),
            _ => (self.0.len() + buffer, 24),
        };
        let element = kind.element_size();
        let offset = offset % (size / element + 1);
        let length = length % (size / element - offset + 1);
        (key, offset * element, length * element)
    }

    fn buffer(&self, key: usize) -> Vec<u8> {
        match self.0.get(key) {
            Some(Node::Object(Kind::Buffer(bytes))) => bytes.clone(),
            _ => (0..24).collect(),
        }
    }

    /// Entries of a Map with a key each, as `Map.set` leaves them but for values set again.
    fn distinct(&self, keys: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut seen: Vec<usize> = Vec::new();
        keys.map(|key| {
            let key = self.at(key);
            let is_new = match &self.0[key] {
                Node::Primitive(value) if *value == Value::from(-0.0) => false,
                Node::Primitive(value) => !seen
                    .iter()
                    .any(|other| matches!(&self.0[*other], Node::Primitive(other) if other == value)),
                Node::Object(_) => !seen.contains(&key),
            };
            seen.push(key);
            is_new
        })
        .collect()
    }

    fn children(&self, index: usize) -> Vec<usize> {
        match self.object(index) {
            Some(Kind::Array(elements)) => elements.iter().flatten().copied().collect(),
            Some(Kind::Properties { entries, .. }) => {
                let object: Object = entries
                    .iter()
                    .map(|(key, index)| (key.clone(), Value::Reference(self.at(*index) as u32)))
                    .collect();
                object
                    .values()
                    .map(|value| if let Value::Reference(index) = value { *index as usize } else { 0 })
                    .collect()
            }
            Some(Kind::Map(entries)) => {
                let new = self.distinct(entries.iter().map(|(key, _)| *key));
                entries
                    .iter()
                    .zip(new)
                    .filter(|(_, new)| *new)
                    .flat_map(|((key, value), _)| [*key, *value])
                    .collect()
            }
            Some(Kind::Set(members)) => {
                let new = self.distinct(members.iter().copied());
                members.iter().zip(new).filter(|(_, new)| *new).map(|(member, _)| *member).collect()
            }
            Some(Kind::Error { cause, errors, .. }) => {
                cause.iter().copied().chain(self.errors(*errors)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn visit(&self, index: usize, visits: &mut BTreeMap<usize, usize>) {
        let index = self.at(index);
        if self.object(index).is_none() {
            return;
        }
        let count = visits.entry(index).or_default();
        *count += 1;
        if *count == 1 {
            for child in self.children(index) {
                self.visit(child, visits);
            }
        }
    }
}

struct Writer<'a> {
    heap: &'a Heap,
    /// How often each object is met.
    visits: BTreeMap<usize, usize>,
    /// The objects that stand on each buffer.
    buffers: BTreeMap<usize, BTreeSet<usize>>,
    /// The index of each object that was shared.
    indices: BTreeMap<usize, u32>,
}

impl Writer<'_> {
    fn write(&mut self, index: usize) -> Value {
        let index = self.heap.at(index);
        let kind = match &self.heap.0[index] {
            Node::Primitive(value) => return value.clone(),
            Node::Object(kind) => kind.clone(),
        };
        if let Some(known) = self.indices.get(&index) {
            return Value::Reference(*known);
        }
        let is_shared_buffer = self.buffers.get(&index).is_some_and(|objects| objects.len() > 1);
        if self.visits[&index] > 1 || is_shared_buffer {
            self.share(index);
            Value::Shared(Box::new(self.object(index, kind)))
        } else {
            self.object(index, kind)
        }
    }

    fn share(&mut self, index: usize) {
        let next = self.indices.len() as u32;
        self.indices.insert(index, next);
    }

    fn object(&mut self, index: usize, kind: Kind) -> Value {
        let mut children = self.heap.children(index).into_iter();
        match kind {
            Kind::Plain(value) => value,
            Kind::Array(elements) => Value::Array(
                elements.into_iter().map(|element| element.map(|index| self.write(index))).collect(),
            ),
            Kind::Properties { null_prototype, entries } => {
                let keys: Object = entries.into_iter().map(|(key, _)| (key, Value::Null)).collect();
                let mut object = if null_prototype { Object::with_null_prototype() } else { Object::new() };
                for (key, child) in keys.keys().zip(children) {
                    object.insert(key.clone(), self.write(child));
                }
                Value::Object(object)
            }
            Kind::Map(_) => {
                let mut entries = Vec::new();
                while let (Some(key), Some(value)) = (children.next(), children.next()) {
                    entries.push((self.write(key), self.write(value)));
                }
                Value::Map(entries)
            }
            Kind::Set(_) => Value::Set(children.map(|child| self.write(child)).collect()),
            Kind::Error { name, message, code, cause, errors } => Value::Error(Box::new(ErrorValue {
                name,
                message,
                cause: cause.map(|cause| self.write(cause)),
                errors: self.heap.errors(errors).map(|errors| self.write(errors)),
                code,
            })),
            Kind::Buffer(bytes) => Value::ArrayBuffer(bytes),
            Kind::View { kind, .. } => self.view(index, kind),
        }
    }

    fn view(&mut self, index: usize, kind: ViewKind) -> Value {
        let (buffer, offset, length) = self.heap.window(index);
        let bytes = self.heap.buffer(buffer);
        let objects = &self.buffers[&buffer];
        if objects.len() == 1 {
            return Value::View(View::new(kind, bytes[offset..offset + length].to_vec()).unwrap());
        }
        let (start, end) = if objects.contains(&buffer) {
            (0, bytes.len())
        } else {
            let windows = || objects.iter().map(|view| self.heap.window(*view));
            let start = windows().map(|(_, offset, _)| offset).min().unwrap();
            (start - start % 8, windows().map(|(_, offset, length)| offset + length).max().unwrap())
        };
        let place = if let Some(known) = self.indices.get(&buffer) {
            ViewBuffer::Again(*known)
        } else {
            self.share(buffer);
            ViewBuffer::First(bytes[start..end].to_vec())
        };
        Value::from(SharedView {
            kind,
            buffer: place,
            byte_offset: (offset - start) as u64,
            byte_length: length as u64,
        })
    }
}
