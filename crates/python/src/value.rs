//! Values as Python has them. What is unusual is a matter of `python/intermission/value.py`.

mod from_python;
mod to_python;

use intermission::Value;
use intermission::value::from_value;
use intermission_driver::Refusal;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::de::DeserializeOwned;

pub(crate) use self::from_python::from_python;
pub(crate) use self::to_python::{list_to_python, to_python};
use crate::classes::refused;

/// A message that the package wrote.
pub(crate) fn message<T: DeserializeOwned>(message: &Bound<'_, PyAny>) -> PyResult<T> {
    let value = from_python(message, "options")?;
    from_value(value).map_err(|error| refused(message.py(), &Refusal::new("OPTIONS", &error)))
}

/// The byte form of a value: `docs/values.md`. `root` is how paths begin in messages.
#[pyfunction]
#[pyo3(signature = (value, root = ""))]
pub(crate) fn encode<'py>(value: &Bound<'py, PyAny>, root: &str) -> PyResult<Bound<'py, PyBytes>> {
    let py = value.py();
    let bytes = encoded(py, &from_python(value, root)?)?;
    Ok(PyBytes::new(py, &bytes))
}

/// The bytes of a value that Python gave: it may still be none that JavaScript has, such as a Set with a member twice.
fn encoded(py: Python<'_>, value: &Value) -> PyResult<Vec<u8>> {
    intermission::value::encode(value).map_err(|error| refused(py, &Refusal::new("VALUE_REFUSED", &error)))
}

/// The value of bytes.
#[pyfunction]
pub(crate) fn decode<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let value = intermission::value::decode(bytes, usize::MAX)
        .map_err(|error| refused(py, &Refusal::new("VALUE_REFUSED", &error)))?;
    to_python(py, &value)
}
