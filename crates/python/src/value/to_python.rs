//! From a value to Python's objects.

use std::slice;

use intermission::Value;
use intermission::value::{
    ErrorCode, ErrorValue, JsString, MAX_SAFE_INTEGER, Object, SharedView, View, ViewBuffer,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyList, PyString, PyTuple};

use crate::classes::{Classes, classes};

pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Maker::new(py)?.value(value)
}

/// A list of values, which may be shared between its elements.
pub(crate) fn list_to_python<'py>(py: Python<'py>, values: &[Value]) -> PyResult<Bound<'py, PyList>> {
    let mut maker = Maker::new(py)?;
    let objects = values.iter().map(|value| maker.value(value)).collect::<PyResult<Vec<_>>>()?;
    PyList::new(py, objects)
}

struct Maker<'py> {
    py: Python<'py>,
    classes: &'static Classes,
    /// What is met again, by its index.
    shared: Vec<Again<'py>>,
    /// The keys of the object before, by where they lie: rows of one table share theirs.
    keys: Vec<Key<'py>>,
}

enum Again<'py> {
    Object(Bound<'py, PyAny>),
    Buffer(Vec<u8>),
}

/// A container that is being made. Containers within each other are a list of these, and no recursion: the stack of whoever calls may be small.
enum Making<'py, 'v> {
    Array(Bound<'py, PyList>, slice::Iter<'v, Option<Value>>),
    Object(Bound<'py, PyDict>, Properties<'py, 'v>),
    /// With the value of the entry whose key is being made, then the key.
    Map(Bound<'py, PyAny>, slice::Iter<'v, (Value, Value)>, Option<&'v Value>, Option<Bound<'py, PyAny>>),
    Set(Bound<'py, PyAny>, slice::Iter<'v, Value>),
    /// With the attributes that are still to be made, the last one first.
    Error(Bound<'py, PyAny>, Vec<(&'static str, &'v Value)>),
}

struct Properties<'py, 'v> {
    rest: <&'v Object as IntoIterator>::IntoIter,
    at: Option<&'v JsString>,
    place: usize,
    keys: Vec<Key<'py>>,
}

/// A key of an object, and where it lies.
type Key<'py> = (*const JsString, Bound<'py, PyString>);

enum Begun<'py, 'v> {
    Whole(Bound<'py, PyAny>),
    Open(Making<'py, 'v>),
}

static HOLE: Value = Value::Undefined;

fn unknown() -> PyErr {
    PyValueError::new_err("a value refers to something that is not in it")
}

impl<'py, 'v> Making<'py, 'v> {
    /// What it holds next.
    fn next(&mut self) -> Option<&'v Value> {
        match self {
            Self::Array(_, rest) => rest.next().map(|element| element.as_ref().unwrap_or(&HOLE)),
            Self::Object(_, properties) => {
                let (key, value) = properties.rest.next()?;
                properties.at = Some(key);
                Some(value)
            }
            Self::Map(_, _, value, Some(_)) => value.take(),
            Self::Map(_, rest, value, None) => {
                let (key, held) = rest.next()?;
                *value = Some(held);
                Some(key)
            }
            Self::Set(_, rest) => rest.next(),
            Self::Error(_, rest) => rest.last().map(|(_, value)| *value),
        }
    }
}

impl<'py> Maker<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        Ok(Self { py, classes: classes(py)?, shared: Vec::new(), keys: Vec::new() })
    }

    fn value(&mut self, value: &Value) -> PyResult<Bound<'py, PyAny>> {
        let mut open: Vec<Making<'py, '_>> = Vec::new();
        let (mut next, mut made) = (Some(value), None);
        loop {
            if let Some(value) = next.take() {
                match self.begin(value)? {
                    Begun::Whole(whole) => made = Some(whole),
                    Begun::Open(making) => open.push(making),
                }
            }
            let Some(making) = open.last_mut() else { return made.ok_or_else(unknown) };
            if let Some(made) = made.take() {
                self.put(making, made)?;
            }
            next = making.next();
            if next.is_none() {
                made = open.pop().map(|making| self.end(making));
            }
        }
    }

    /// A shared container is there before what it holds.
    fn begin<'v>(&mut self, value: &'v Value) -> PyResult<Begun<'py, 'v>> {
        let py = self.py;
        let (value, shared) = match value {
            Value::Shared(inner) => (&**inner, true),
            value => (value, false),
        };
        let made = match value {
            Value::Undefined | Value::Null => py.None().into_bound(py),
            Value::Bool(bool) => bool.into_pyobject(py)?.to_owned().into_any(),
            Value::Number(number) => self.number(*number)?,
            Value::BigInt(integer) => self.classes.big_int.bind(py).call1((integer,))?,
            Value::String(string) => self.string(string)?.into_any(),
            Value::Array(elements) => {
                let list = PyList::empty(py);
                self.share(&list, shared);
                return Ok(Begun::Open(Making::Array(list, elements.iter())));
            }
            Value::Object(object) => {
                let dict = PyDict::new(py);
                self.share(&dict, shared);
                let keys = std::mem::take(&mut self.keys);
                let properties = Properties { rest: object.iter(), at: None, place: 0, keys };
                return Ok(Begun::Open(Making::Object(dict, properties)));
            }
            Value::Map(entries) => {
                let map = self.classes.map.bind(py).call0()?;
                self.share(&map, shared);
                return Ok(Begun::Open(Making::Map(map, entries.iter(), None, None)));
            }
            Value::Set(members) => {
                let set = self.classes.set.bind(py).call0()?;
                self.share(&set, shared);
                return Ok(Begun::Open(Making::Set(set, members.iter())));
            }
            Value::Error(error) => {
                let made = self.error(error)?;
                self.share(&made, shared);
                let held = [("errors", &error.errors), ("cause", &error.cause)];
                let held = held.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
                return Ok(Begun::Open(Making::Error(made, held.collect())));
            }
            Value::Date(time) => self.classes.date.bind(py).call1((*time,))?,
            Value::RegExp(regexp) => {
                let source = self.string(regexp.source())?;
                self.classes.regexp.bind(py).call1((source, regexp.flags()))?
            }
            Value::ArrayBuffer(bytes) => self.view("ArrayBuffer", bytes)?,
            Value::View(view) => self.view(view.kind().name(), View::bytes(view))?,
            Value::SharedView(view) => return self.shared_view(view, shared).map(Begun::Whole),
            Value::Shared(_) => return Err(unknown()),
            Value::Reference(index) => return self.again(*index).map(Begun::Whole),
        };
        self.share(&made, shared);
        Ok(Begun::Whole(made))
    }

    /// What was made is a part of it.
    fn put(&self, making: &mut Making<'py, '_>, made: Bound<'py, PyAny>) -> PyResult<()> {
        match making {
            Making::Array(list, _) => list.append(made),
            Making::Object(dict, Properties { at, place, keys, .. }) => {
                let Some(key) = at.take() else { return Ok(()) };
                if !keys.get(*place).is_some_and(|(known, _)| std::ptr::eq(*known, key)) {
                    keys.truncate(*place);
                    keys.push((key, self.string(key)?));
                }
                *place += 1;
                keys.get(*place - 1).map_or(Ok(()), |(_, text)| dict.set_item(text, made))
            }
            Making::Map(map, _, _, key) => match key.take() {
                None => {
                    *key = Some(made);
                    Ok(())
                }
                Some(key) => map.set_item(key, made),
            },
            Making::Set(set, _) => set.call_method1("add", (made,)).map(drop),
            Making::Error(error, rest) => rest.pop().map_or(Ok(()), |(name, _)| error.setattr(name, made)),
        }
    }

    fn end(&mut self, making: Making<'py, '_>) -> Bound<'py, PyAny> {
        match making {
            Making::Array(list, _) => list.into_any(),
            Making::Object(dict, properties) => {
                self.keys = properties.keys;
                dict.into_any()
            }
            Making::Map(made, ..) | Making::Set(made, _) | Making::Error(made, _) => made,
        }
    }

    fn share(&mut self, made: &Bound<'py, PyAny>, shared: bool) {
        if shared {
            self.shared.push(Again::Object(made.clone()));
        }
    }

    fn again(&self, index: u32) -> PyResult<Bound<'py, PyAny>> {
        match self.shared.get(index as usize) {
            Some(Again::Object(object)) => Ok(object.clone()),
            Some(Again::Buffer(bytes)) => self.view("ArrayBuffer", bytes),
            None => Err(unknown()),
        }
    }

    fn number(&self, number: f64) -> PyResult<Bound<'py, PyAny>> {
        let is_integer = number.fract() == 0.0
            && number.abs() <= MAX_SAFE_INTEGER as f64
            && !(number == 0.0 && number.is_sign_negative());
        Ok(if is_integer {
            (number as i64).into_pyobject(self.py)?.into_any()
        } else {
            PyFloat::new(self.py, number).into_any()
        })
    }

    fn string(&self, string: &JsString) -> PyResult<Bound<'py, PyString>> {
        if let Some(text) = string.as_str() {
            return Ok(PyString::new(self.py, text));
        }
        let bytes = PyBytes::new(self.py, string.as_bytes());
        let text = bytes.call_method1("decode", ("utf-8", "surrogatepass"))?;
        Ok(text.cast_into()?)
    }

    /// Without what it holds.
    fn error(&self, error: &ErrorValue) -> PyResult<Bound<'py, PyAny>> {
        let code = match &error.code {
            None => None,
            Some(ErrorCode::String(code)) => Some(self.string(code)?.into_any()),
            Some(ErrorCode::Number(code)) => Some(self.number(*code)?),
        };
        let (name, message) = (self.string(&error.name)?, self.string(&error.message)?);
        self.classes.js_error.bind(self.py).call1((name, message, code))
    }

    fn view(&self, kind: &str, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let bytes = PyBytes::new(self.py, bytes);
        if kind == "Uint8Array" {
            return Ok(bytes.into_any());
        }
        self.classes
            .view
            .bind(self.py)
            .call1(PyTuple::new(self.py, [PyString::new(self.py, kind).into_any(), bytes.into_any()])?)
    }

    /// Each view has bytes of its own here.
    fn shared_view(&mut self, view: &SharedView, shared: bool) -> PyResult<Bound<'py, PyAny>> {
        let place = self.shared.len();
        if shared {
            self.shared.push(Again::Buffer(Vec::new()));
        }
        let index = match &view.buffer {
            ViewBuffer::First(bytes) => {
                self.shared.push(Again::Buffer(bytes.clone()));
                self.shared.len() - 1
            }
            ViewBuffer::Again(index) => *index as usize,
        };
        let (from, length) = (view.byte_offset as usize, view.byte_length as usize);
        let bytes = match self.shared.get(index) {
            Some(Again::Buffer(bytes)) => bytes.get(from..from + length).unwrap_or_default().to_vec(),
            Some(Again::Object(object)) => {
                // The buffer itself is in the value, too, and came first.
                let whole: Vec<u8> = object.getattr("data")?.extract()?;
                whole.get(from..from + length).unwrap_or_default().to_vec()
            }
            None => Vec::new(),
        };
        let made = self.view(view.kind.name(), &bytes)?;
        if shared && let Some(slot) = self.shared.get_mut(place) {
            *slot = Again::Object(made.clone());
        }
        Ok(made)
    }
}
