//! From Python's objects to a value.

use std::collections::BTreeSet;

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
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Value::String(string(text)?));
        }
        if object.is_none() {
            return Ok(Value::Null);
        }
        if let Ok(bool) = object.cast::<PyBool>() {
            return Ok(Value::Bool(bool.is_true()));
        }
        if let Ok(integer) = object.cast::<PyInt>() {
            return self.integer(integer);
        }
        if let Ok(float) = object.cast::<PyFloat>() {
            return Ok(Value::Number(float.value()));
        }
        if let Ok(dict) = object.cast::<PyDict>() {
            return self.container(object, |this| this.dict(dict));
        }
        if let Ok(list) = object.cast::<PyList>() {
            return self.container(object, |this| this.list(list.iter()));
        }
        if let Ok(tuple) = object.cast::<PyTuple>() {
            // It cannot be changed: one that is met again is another like it. Nothing keeps a cycle out of it but what holds it.
            return self.deeper(|this| this.list(tuple.iter()));
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Value::bytes(bytes.as_bytes().to_vec()));
        }
        self.unusual(object)
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
        read: impl FnOnce(&mut Self) -> PyResult<Value>,
    ) -> PyResult<Value> {
        let id = object.as_ptr() as Id;
        if let Some(number) = self.met.get(&id) {
            self.again.insert(id);
            return Ok(Value::Reference(*number));
        }
        let is_shared = self.shared.contains(&id);
        if self.shared.is_empty() {
            self.met.insert(id, 0);
        } else if is_shared {
            self.met.insert(id, self.met.len() as u32);
        }
        let value = self.deeper(read)?;
        Ok(if is_shared { Value::Shared(Box::new(value)) } else { value })
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> PyResult<Value>) -> PyResult<Value> {
        if self.path.len() == MAX_DEPTH {
            return Err(self.refused(&format!("it is deeper than {MAX_DEPTH} containers")));
        }
        read(self)
    }

    fn at(&mut self, segment: Segment, object: &Bound<'py, PyAny>) -> PyResult<Value> {
        self.path.push(segment);
        let value = self.value(object)?;
        self.path.pop();
        Ok(value)
    }

    fn list(&mut self, elements: impl ExactSizeIterator<Item = Bound<'py, PyAny>>) -> PyResult<Value> {
        let mut list = Vec::with_capacity(elements.len());
        for (index, element) in elements.enumerate() {
            list.push(Some(self.at(Segment::Index(index), &element)?));
        }
        Ok(Value::Array(list))
    }

    fn dict(&mut self, dict: &Bound<'py, PyDict>) -> PyResult<Value> {
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
        let mut values = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let value = self.at(Segment::Key(key.clone()), &value)?;
            values.push((key, value));
        }
        Ok(Value::Object(Object::from_iter(values)))
    }

    fn unusual(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Value> {
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
        match kind.cast::<PyString>()?.to_str()? {
            "date" => {
                self.is_doubtful = true;
                Ok(Value::Date(part(1)?.extract()?))
            }
            "regexp" => {
                let source = string(part(1)?.cast()?)?;
                let regexp = RegExp::new(source, part(2)?.extract()?);
                regexp
                    .map(Value::RegExp)
                    .ok_or_else(|| self.refused("no regular expression has such a source and such flags"))
            }
            "view" => {
                let (name, bytes): (String, Vec<u8>) = (part(1)?.extract()?, part(2)?.extract()?);
                self.container(object, |this| this.view(&name, bytes))
            }
            "map" => self.container(object, |this| this.map(part(1)?.cast()?)),
            "set" => self.container(object, |this| this.set(part(1)?.cast()?)),
            "error" => self.container(object, |this| this.error(&lowered)),
            "object" => self.container(object, |this| this.dict(part(1)?.cast()?)),
            "same" => self.value(&part(1)?),
            _ => Err(self.refused(part(1)?.extract()?)),
        }
    }

    fn view(&self, name: &str, bytes: Vec<u8>) -> PyResult<Value> {
        if name == "ArrayBuffer" {
            return Ok(Value::ArrayBuffer(bytes));
        }
        let kind = ViewKind::ALL.into_iter().find(|kind| kind.name() == name);
        let view = kind.and_then(|kind| View::new(kind, bytes));
        view.map(Value::View).ok_or_else(|| self.refused(&format!("its bytes are none of a {name}")))
    }

    fn map(&mut self, entries: &Bound<'py, PyList>) -> PyResult<Value> {
        let mut map = Vec::with_capacity(entries.len());
        for (place, entry) in entries.iter().enumerate() {
            let entry = entry.cast::<PyTuple>()?;
            let key = self.at(Segment::MapKey(place), &entry.get_item(0)?)?;
            map.push((key, self.at(Segment::MapValue(place), &entry.get_item(1)?)?));
        }
        self.is_doubtful = true;
        Ok(Value::Map(map))
    }

    fn set(&mut self, members: &Bound<'py, PyList>) -> PyResult<Value> {
        self.is_doubtful = true;
        let members = members.iter().enumerate();
        Ok(Value::Set(
            members
                .map(|(place, member)| self.at(Segment::Member(place), &member))
                .collect::<PyResult<_>>()?,
        ))
    }

    /// Name, message, code, a cause in a tuple, errors in a tuple.
    fn error(&mut self, parts: &Bound<'py, PyTuple>) -> PyResult<Value> {
        let text = |index| string(parts.get_item(index)?.cast()?);
        let mut error = ErrorValue::new(text(1)?, text(2)?);
        let code = parts.get_item(3)?;
        if let Ok(code) = code.cast::<PyString>() {
            error.code = Some(ErrorCode::String(string(code)?));
        } else if !code.is_none() {
            error.code = Some(ErrorCode::Number(code.extract()?));
        }
        let mut field = |index, name: &str| -> PyResult<Option<Value>> {
            let held = parts.get_item(index)?.cast_into::<PyTuple>()?;
            if held.is_empty() {
                Ok(None)
            } else {
                self.at(Segment::Key(name.into()), &held.get_item(0)?).map(Some)
            }
        };
        error.cause = field(4, "cause")?;
        error.errors = field(5, "errors")?;
        Ok(Value::Error(Box::new(error)))
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
