//! A call of a host function.

use intermission::HostCall;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::classes::classes;
use crate::say;
use crate::value::{list_to_python, to_python};

/// One call of a host function, as the function sees it.
#[pyclass(frozen, name = "HostCall", module = "intermission")]
pub(crate) struct Call(pub(crate) HostCall);

#[pymethods]
impl Call {
    /// The run: the same over every pause and resume.
    #[getter]
    fn run_id(&self) -> String {
        self.0.run_id().to_string()
    }

    /// The pass over the source that makes this call.
    #[getter]
    fn invocation_id(&self) -> String {
        self.0.invocation_id().to_string()
    }

    /// The call's number in its run, from 1, in call order.
    #[getter]
    fn request_index(&self) -> u32 {
        self.0.request_index()
    }

    /// `<run id>.<request index>`.
    #[getter]
    fn request_id(&self) -> String {
        self.0.request_id()
    }

    /// `group.name` or `name`.
    #[getter]
    fn host_function(&self) -> &str {
        self.0.host_function()
    }

    /// Where the script calls.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        say::position(py, self.0.position())
    }

    /// A key that is the same whenever this very call is made again, for services that do a thing once a key.
    #[getter]
    fn idempotency_key(&self) -> String {
        self.0.idempotency_key()
    }

    /// What the script calls it with, or an approver instead.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let arguments = intermission::value::decode(self.0.argument_bytes(), usize::MAX).unwrap_or_default();
        to_python(py, &arguments)
    }

    /// The answer to this call's latest question; `None` where it has not asked yet.
    #[getter]
    fn resume<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(resume) = self.0.resume() else { return Ok(None) };
        let state = resume.state.as_ref().map(|state| to_python(py, state)).transpose()?;
        let (resolution, payload) = (to_python(py, &resume.resolution)?, to_python(py, &resume.payload)?);
        let parts = (resume.interruption_id.to_string(), resolution, resume.expired, payload, state);
        classes(py)?.resume.bind(py).call1(parts).map(Some)
    }

    /// The arguments that the script gave, where an approver put others in their place.
    #[getter]
    fn edited_from<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        self.0.edited_from().map(|edited| list_to_python(py, &edited)).transpose()
    }

    fn __repr__(&self) -> String {
        format!("<HostCall {} of {}>", self.0.request_id(), self.0.host_function())
    }
}
