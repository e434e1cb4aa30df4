//! From a value to Python's objects.

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
    keys: Vec<(*const JsString, Bound<'py, PyString>)>,
}

enum Again<'py> {
    Object(Bound<'py, PyAny>),
    Buffer(Vec<u8>),
}

impl<'py> Maker<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        Ok(Self { py, classes: classes(py)?, shared: Vec::new(), keys: Vec::new() })
    }

    fn value(&mut self, value: &Value) -> PyResult<Bound<'py, PyAny>> {
        self.made(value, false)
    }

    /// A shared container is there before what it holds.
    fn made(&mut self, value: &Value, shared: bool) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let made = match value {
            Value::Undefined | Value::Null => py.None().into_bound(py),
            Value::Bool(bool) => bool.into_pyobject(py)?.to_owned().into_any(),
            Value::Number(number) => self.number(*number)?,
            Value::BigInt(integer) => self.classes.big_int.bind(py).call1((integer,))?,
            Value::String(string) => self.string(string)?.into_any(),
            Value::Array(elements) => return self.array(elements, shared),
            Value::Object(object) => return self.object(object, shared),
            Value::Map(entries) => return self.map(entries, shared),
            Value::Set(members) => return self.set(members, shared),
            Value::Error(error) => return self.error(error, shared),
            Value::Date(time) => self.classes.date.bind(py).call1((*time,))?,
            Value::RegExp(regexp) => {
                let source = self.string(regexp.source())?;
                self.classes.regexp.bind(py).call1((source, regexp.flags()))?
            }
            Value::ArrayBuffer(bytes) => self.view("ArrayBuffer", bytes)?,
            Value::View(view) => self.view(view.kind().name(), View::bytes(view))?,
            Value::SharedView(view) => return self.shared_view(view, shared),
            Value::Shared(inner) => return self.made(inner, true),
            Value::Reference(index) => return self.again(*index),
        };
        self.share(&made, shared);
        Ok(made)
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
            None => Err(PyValueError::new_err("a value refers to something that is not in it")),
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

    fn array(&mut self, elements: &[Option<Value>], shared: bool) -> PyResult<Bound<'py, PyAny>> {
        let element = |this: &mut Self, element: &Option<Value>| match element {
            Some(element) => this.value(element),
            None => Ok(this.py.None().into_bound(this.py)),
        };
        if !shared {
            let made = elements.iter().map(|value| element(self, value)).collect::<PyResult<Vec<_>>>()?;
            return Ok(PyList::new(self.py, made)?.into_any());
        }
        let list = PyList::empty(self.py);
        self.share(&list, true);
        for value in elements {
            list.append(element(self, value)?)?;
        }
        Ok(list.into_any())
    }

    fn object(&mut self, object: &Object, shared: bool) -> PyResult<Bound<'py, PyAny>> {
        let dict = PyDict::new(self.py);
        self.share(&dict, shared);
        let mut keys = std::mem::take(&mut self.keys);
        for (place, (key, value)) in object.iter().enumerate() {
            let known = keys.get(place).filter(|(at, _)| std::ptr::eq(*at, key));
            let key = if let Some((_, text)) = known {
                text.clone()
            } else {
                let text = self.string(key)?;
                keys.truncate(place);
                keys.push((key, text.clone()));
                text
            };
            dict.set_item(key, self.value(value)?)?;
        }
        self.keys = keys;
        Ok(dict.into_any())
    }

    fn map(&mut self, entries: &[(Value, Value)], shared: bool) -> PyResult<Bound<'py, PyAny>> {
        let map = self.classes.map.bind(self.py).call0()?;
        self.share(&map, shared);
        for (key, value) in entries {
            map.set_item(self.value(key)?, self.value(value)?)?;
        }
        Ok(map)
    }

    fn set(&mut self, members: &[Value], shared: bool) -> PyResult<Bound<'py, PyAny>> {
        let set = self.classes.set.bind(self.py).call0()?;
        self.share(&set, shared);
        for member in members {
            set.call_method1("add", (self.value(member)?,))?;
        }
        Ok(set)
    }

    fn error(&mut self, error: &ErrorValue, shared: bool) -> PyResult<Bound<'py, PyAny>> {
        let code = match &error.code {
            None => None,
            Some(ErrorCode::String(code)) => Some(self.string(code)?.into_any()),
            Some(ErrorCode::Number(code)) => Some(self.number(*code)?),
        };
        let (name, message) = (self.string(&error.name)?, self.string(&error.message)?);
        let made = self.classes.js_error.bind(self.py).call1((name, message, code))?;
        self.share(&made, shared);
        if let Some(cause) = &error.cause {
            made.setattr("cause", self.value(cause)?)?;
        }
        if let Some(errors) = &error.errors {
            made.setattr("errors", self.value(errors)?)?;
        }
        Ok(made)
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
