//! What there is to say of a run besides its value.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::say;
use crate::value::to_python;

/// What there is to say of a run besides its value. Each part is made when it is asked for: most of it, most of the time, is not.
#[pyclass(frozen, module = "intermission")]
pub(crate) struct Report(pub(crate) intermission::Report);

fn tuple<'py, T>(
    py: Python<'py>,
    list: &[T],
    say: fn(Python<'py>, &T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, list.iter().map(|part| say(py, part)).collect::<PyResult<Vec<_>>>()?)
}

#[pymethods]
impl Report {
    /// The run.
    #[getter]
    fn run_id(&self) -> String {
        self.0.run_id.to_string()
    }

    /// This pass over its source.
    #[getter]
    fn invocation_id(&self) -> String {
        self.0.invocation_id.to_string()
    }

    /// The final state of the global `data`; `None` where the run was stopped, or where it cannot be sent.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.data.as_ref().map(|data| to_python(py, data)).transpose()
    }

    /// Why `data` cannot be sent, where that is so.
    #[getter]
    fn data_error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.data_error.as_ref().map(|error| say::thrown(py, error)).transpose()
    }

    /// Everything that came on the console, in order.
    #[getter]
    fn console<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple(py, &self.0.console, say::console_entry)
    }

    /// How many of these an earlier invocation has said already.
    #[getter]
    fn replayed(&self) -> usize {
        self.0.replayed
    }

    /// Host calls that the script had not waited for when it ended.
    #[getter]
    fn detached<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple(py, &self.0.detached, say::detached_call)
    }

    /// What was asked and never answered, because the run ended without it.
    #[getter]
    fn abandoned<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        say::interruptions(py, &self.0.abandoned)
    }

    /// Rejections that nothing in the script handled.
    #[getter]
    fn unhandled<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple(py, &self.0.unhandled, say::thrown)
    }

    /// What it used.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        say::stats(py, &self.0.stats)
    }

    fn __repr__(&self) -> String {
        format!("<Report of {}>", self.0.run_id)
    }
}
