//! From Python's objects to a value.

use std::collections::BTreeSet;
use std::vec;

use indexmap::IndexMap;
use intermission::Value;
use intermission::value::{
    EncodeError, ErrorCode, ErrorValue, JsString, MAX_DEPTH, MAX_SAFE_INTEGER, Object, Path, RegExp, Segment,
    View, ViewKind, encode,
};
use num_bigint::BigInt;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::classes::{Classes, classes};

/// The value of an object.
///
/// # Errors
/// `ValueRefused` with the path to what cannot cross, which begins with `root`.
pub(crate) fn from_python(object: &Bound<'_, PyAny>, root: &str) -> PyResult<Value> {
    let mut reader = Reader::new(object.py(), root, BTreeSet::new())?;
    let mut value = reader.value(object)?;
    if !reader.again.is_empty() {
        // Now it is known what is met again: where it is met first it is marked.
        let Reader { again, lowered, .. } = reader;
        reader = Reader { lowered, ..Reader::new(object.py(), root, again)? };
        value = reader.value(object)?;
    }
    if reader.is_doubtful
        && let Err(EncodeError::Invalid { reason, path }) = encode(&value)
    {
        return Err(reader.refused_at(&path, reason.description()));
    }
    Ok(value)
}

/// What tells one object from another.
type Id = usize;

struct Reader<'py, 'r> {
    py: Python<'py>,
    classes: &'static Classes,
    root: &'r str,
    path: Vec<Segment>,
    /// Containers, and their numbers where they are known to be met again.
    met: IndexMap<Id, u32>,
    /// What was found to be met again.
    again: BTreeSet<Id>,
    /// What is known to be met again.
    shared: BTreeSet<Id>,
    /// What unusual objects stand for; kept, so that no other object takes the place of one.
    lowered: IndexMap<Id, Bound<'py, PyTuple>>,
    /// Whether there is something that its type alone does not make valid: what Python tells apart may be one and the same for JavaScript.
    is_doubtful: bool,
}

impl<'py, 'r> Reader<'py, 'r> {
    fn new(py: Python<'py>, root: &'r str, shared: BTreeSet<Id>) -> PyResult<Self> {
        Ok(Self {
            py,
            classes: classes(py)?,
            root,
            path: Vec::new(),
            met: IndexMap::new(),
            again: BTreeSet::new(),
            shared,
            lowered: IndexMap::new(),
            is_doubtful: false,
        })
    }

    fn refused(&self, why: &str) -> PyErr {
        self.refused_at(&self.path.iter().cloned().collect(), why)
    }

    fn refused_at(&self, path: &Path, why: &str) -> PyErr {
        let path = path.to_string();
        let path = if self.root.is_empty() { path.trim_start_matches('.').to_owned() } else { path };
        let path = format!("{}{path}", self.root);
        match self.classes.value_refused.bind(self.py).call1((path, why)) {
            Ok(error) => PyErr::from_value(error),
            Err(error) => error,
        }
    }

    fn value(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Value> {
        let mut open: Vec<Reading<'py>> = Vec::new();
        let (mut next, mut read) = (Some(object.clone()), None);
        loop {
            if let Some(object) = next.take() {
                match self.begin(object)? {
                    Begun::Whole(whole) => read = Some(whole),
                    Begun::Open(reading) => open.push(reading),
                }
            }
            let Some(reading) = open.last_mut() else { return Ok(read.unwrap_or_default()) };
            if let Some(read) = read.take() {
                self.path.pop();
                reading.holder.put(read);
            }
            if let Some((segment, object)) = reading.holder.next() {
                self.path.push(segment);
                next = Some(object);
            } else {
                read = open.pop().map(Reading::end);
            }
        }
    }

    fn begin(&mut self, mut object: Bound<'py, PyAny>) -> PyResult<Begun<'py>> {
        loop {
            if let Ok(text) = object.cast::<PyString>() {
                return Ok(Begun::Whole(Value::String(string(text)?)));
            }
            if object.is_none() {
                return Ok(Begun::Whole(Value::Null));
            }
            if let Ok(bool) = object.cast::<PyBool>() {
                return Ok(Begun::Whole(Value::Bool(bool.is_true())));
            }
            if let Ok(integer) = object.cast::<PyInt>() {
                return self.integer(integer).map(Begun::Whole);
            }
            if let Ok(float) = object.cast::<PyFloat>() {
                return Ok(Begun::Whole(Value::Number(float.value())));
            }
            if let Ok(dict) = object.cast::<PyDict>() {
                return self.container(&object, |this| this.dict(dict));
            }
            if let Ok(list) = object.cast::<PyList>() {
                return self.container(&object, |_| Ok(Holder::list(list.iter().collect())));
            }
            if let Ok(tuple) = object.cast::<PyTuple>() {
                // It cannot be changed: one that is met again is another like it. Nothing keeps a cycle out of it but what holds it.
                self.deeper()?;
                let holder = Holder::list(tuple.iter().collect());
                return Ok(Begun::Open(Reading { holder, is_shared: false }));
            }
            if let Ok(bytes) = object.cast::<PyBytes>() {
                return Ok(Begun::Whole(Value::bytes(bytes.as_bytes().to_vec())));
            }
            match self.unusual(&object)? {
                Unusual::Begun(begun) => return Ok(begun),
                Unusual::Same(other) => object = other,
            }
        }
    }

    fn integer(&self, integer: &Bound<'py, PyInt>) -> PyResult<Value> {
        if integer.is_exact_instance_of::<PyInt>()
            || !integer.is_instance(self.classes.big_int.bind(self.py))?
        {
            match integer.extract::<i64>() {
                Ok(small) if small.unsigned_abs() <= MAX_SAFE_INTEGER => {
                    return Ok(Value::Number(small as f64));
                }
                Ok(large) => return Ok(Value::BigInt(large.into())),
                Err(error) if error.is_instance_of::<PyOverflowError>(self.py) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Value::BigInt(integer.extract::<BigInt>()?))
    }

    /// What can be met again.
    fn container(
        &mut self,
        object: &Bound<'py, PyAny>,
        open: impl FnOnce(&mut Self) -> PyResult<Holder<'py>>,
    ) -> PyResult<Begun<'py>> {
        let id = object.as_ptr() as Id;
        if let Some(number) = self.met.get(&id) {
            self.again.insert(id);
            return Ok(Begun::Whole(Value::Reference(*number)));
        }
        let is_shared = self.shared.contains(&id);
        if self.shared.is_empty() {
            self.met.insert(id, 0);
        } else if is_shared {
            self.met.insert(id, self.met.len() as u32);
        }
        self.deeper()?;
        Ok(Begun::Open(Reading { holder: open(self)?, is_shared }))
    }

    fn deeper(&self) -> PyResult<()> {
        if self.path.len() == MAX_DEPTH {
            return Err(self.refused(&format!("it is deeper than {MAX_DEPTH} containers")));
        }
        Ok(())
    }

    fn dict(&self, dict: &Bound<'py, PyDict>) -> PyResult<Holder<'py>> {
        let mut entries = Vec::with_capacity(dict.len());
        let mut is_ordered = true;
        for (key, value) in dict.iter() {
            let Ok(text) = key.cast::<PyString>() else {
                let kind = key.get_type().name()?;
                return Err(self.refused(&format!(
                    "it has a key that is no string, but of the type {kind}: use intermission.Map"
                )));
            };
            let key = string(text)?;
            is_ordered &= key.as_array_index().is_none();
            entries.push((key, value));
        }
        if !is_ordered {
            // As JavaScript has them: what is met first is a matter of this order, too.
            entries.sort_by_key(|(key, _)| key.as_array_index().map_or(u64::MAX, u64::from));
        }
        let read = Vec::with_capacity(entries.len());
        Ok(Holder::Object { rest: entries.into_iter(), key: None, read })
    }

    fn unusual(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Unusual<'py>> {
        let id = object.as_ptr() as Id;
        let lowered = if let Some(lowered) = self.lowered.get(&id) {
            lowered.clone()
        } else {
            let lowered = self.classes.lower.bind(self.py).call1((object,))?.cast_into::<PyTuple>()?;
            self.lowered.insert(id, lowered.clone());
            lowered
        };
        let kind = lowered.get_item(0)?;
        let part = |index| lowered.get_item(index);
        let begun =
            match kind.cast::<PyString>()?.to_str()? {
                "date" => {
                    self.is_doubtful = true;
                    Begun::Whole(Value::Date(part(1)?.extract()?))
                }
                "regexp" => {
                    let source = string(part(1)?.cast()?)?;
                    let regexp = RegExp::new(source, part(2)?.extract()?).map(Value::RegExp);
                    Begun::Whole(regexp.ok_or_else(|| {
                        self.refused("no regular expression has such a source and such flags")
                    })?)
                }
                "view" => {
                    let (name, bytes): (String, Vec<u8>) = (part(1)?.extract()?, part(2)?.extract()?);
                    self.container(object, |this| this.view(&name, bytes).map(Holder::Whole))?
                }
                "map" => {
                    self.is_doubtful = true;
                    let entries = part(1)?.extract()?;
                    self.container(object, |_| Ok(Holder::map(entries)))?
                }
                "set" => {
                    self.is_doubtful = true;
                    let members = part(1)?.extract()?;
                    self.container(object, |_| Ok(Holder::set(members)))?
                }
                "error" => self.container(object, |_| Holder::error(&lowered))?,
                "object" => self.container(object, |this| this.dict(part(1)?.cast()?))?,
                "same" => return Ok(Unusual::Same(part(1)?)),
                _ => return Err(self.refused(part(1)?.extract()?)),
            };
        Ok(Unusual::Begun(begun))
    }

    fn view(&self, name: &str, bytes: Vec<u8>) -> PyResult<Value> {
        if name == "ArrayBuffer" {
            return Ok(Value::ArrayBuffer(bytes));
        }
        let kind = ViewKind::ALL.into_iter().find(|kind| kind.name() == name);
        let view = kind.and_then(|kind| View::new(kind, bytes));
        view.map(Value::View).ok_or_else(|| self.refused(&format!("its bytes are none of a {name}")))
    }
}

enum Begun<'py> {
    Whole(Value),
    Open(Reading<'py>),
}

enum Unusual<'py> {
    Begun(Begun<'py>),
    /// It is the same as another object.
    Same(Bound<'py, PyAny>),
}

/// A container that is being read. Containers within each other are a list of these, and no recursion: the stack of whoever calls may be small.
struct Reading<'py> {
    holder: Holder<'py>,
    is_shared: bool,
}

impl Reading<'_> {
    fn end(self) -> Value {
        let value = self.holder.end();
        if self.is_shared { Value::Shared(Box::new(value)) } else { value }
    }
}

enum Holder<'py> {
    /// It holds nothing.
    Whole(Value),
    List {
        rest: Objects<'py>,
        read: Vec<Option<Value>>,
    },
    Object {
        rest: vec::IntoIter<(JsString, Bound<'py, PyAny>)>,
        key: Option<JsString>,
        read: Vec<(JsString, Value)>,
    },
    /// With the object of the entry whose key is being read, then the key.
    Map {
        rest: Entries<'py>,
        held: Option<Bound<'py, PyAny>>,
        key: Option<Value>,
        read: Vec<(Value, Value)>,
    },
    Set {
        rest: Objects<'py>,
        read: Vec<Value>,
    },
    /// With its fields that are still to be read, the last one first.
    Error {
        error: Box<ErrorValue>,
        rest: Vec<(&'static str, Bound<'py, PyAny>)>,
    },
}

type Objects<'py> = vec::IntoIter<Bound<'py, PyAny>>;
type Entries<'py> = vec::IntoIter<(Bound<'py, PyAny>, Bound<'py, PyAny>)>;

impl<'py> Holder<'py> {
    fn list(elements: Vec<Bound<'py, PyAny>>) -> Self {
        let read = Vec::with_capacity(elements.len());
        Self::List { rest: elements.into_iter(), read }
    }

    fn map(entries: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>) -> Self {
        let read = Vec::with_capacity(entries.len());
        Self::Map { rest: entries.into_iter(), held: None, key: None, read }
    }

    fn set(members: Vec<Bound<'py, PyAny>>) -> Self {
        let read = Vec::with_capacity(members.len());
        Self::Set { rest: members.into_iter(), read }
    }

    /// Of name, message, code, a cause in a tuple, errors in a tuple.
    fn error(parts: &Bound<'py, PyTuple>) -> PyResult<Self> {
        let text = |index| string(parts.get_item(index)?.cast()?);
        let mut error = ErrorValue::new(text(1)?, text(2)?);
        let code = parts.get_item(3)?;
        if let Ok(code) = code.cast::<PyString>() {
            error.code = Some(ErrorCode::String(string(code)?));
        } else if !code.is_none() {
            error.code = Some(ErrorCode::Number(code.extract()?));
        }
        let mut rest = Vec::new();
        for (index, name) in [(5, "errors"), (4, "cause")] {
            let held = parts.get_item(index)?.cast_into::<PyTuple>()?;
            if !held.is_empty() {
                rest.push((name, held.get_item(0)?));
            }
        }
        Ok(Self::Error { error: Box::new(error), rest })
    }

    /// What it holds next, and where.
    fn next(&mut self) -> Option<(Segment, Bound<'py, PyAny>)> {
        match self {
            Self::Whole(_) => None,
            Self::List { rest, read } => Some((Segment::Index(read.len()), rest.next()?)),
            Self::Object { rest, key, .. } => {
                let (name, value) = rest.next()?;
                *key = Some(name.clone());
                Some((Segment::Key(name), value))
            }
            Self::Map { held, key: Some(_), read, .. } => Some((Segment::MapValue(read.len()), held.take()?)),
            Self::Map { rest, held, key: None, read } => {
                let (key, value) = rest.next()?;
                *held = Some(value);
                Some((Segment::MapKey(read.len()), key))
            }
            Self::Set { rest, read } => Some((Segment::Member(read.len()), rest.next()?)),
            Self::Error { rest, .. } => {
                rest.last().map(|(name, held)| (Segment::Key((*name).into()), held.clone()))
            }
        }
    }

    /// What was read is a part of it.
    fn put(&mut self, value: Value) {
        match self {
            Self::Whole(_) => {}
            Self::List { read, .. } => read.push(Some(value)),
            Self::Object { key, read, .. } => read.extend(key.take().map(|key| (key, value))),
            Self::Map { key, read, .. } => match key.take() {
                None => *key = Some(value),
                Some(key) => read.push((key, value)),
            },
            Self::Set { read, .. } => read.push(value),
            Self::Error { error, rest } => match rest.pop() {
                Some(("cause", _)) => error.cause = Some(value),
                _ => error.errors = Some(value),
            },
        }
    }

    fn end(self) -> Value {
        match self {
            Self::Whole(value) => value,
            Self::List { read, .. } => Value::Array(read),
            Self::Object { read, .. } => Value::Object(Object::from_iter(read)),
            Self::Map { read, .. } => Value::Map(read),
            Self::Set { read, .. } => Value::Set(read),
            Self::Error { error, .. } => Value::Error(error),
        }
    }
}

fn string(text: &Bound<'_, PyString>) -> PyResult<JsString> {
    if let Ok(text) = text.to_str() {
        return Ok(JsString::from(text));
    }
    // With a lone surrogate.
    let bytes: Vec<u8> = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?.extract()?;
    let units: Vec<u16> = bytes.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
    Ok(JsString::from_utf16(&units))
}
