//! What is needed to go on with a run.

use intermission_driver::Refusal;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::classes::refused;
use crate::say;

/// What is needed to go on with a run: its ledger. It can be kept, copied, and resumed in any process, and says everything that the run was told and asked, so it is as secret as that. Its bytes are not
/// authenticated: what comes from elsewhere than a store of your own goes through a codec.
#[pyclass(frozen, module = "intermission")]
pub(crate) struct Continuation(pub(crate) intermission::Continuation);

#[pymethods]
impl Continuation {
    /// Of plain bytes. Raises `OptionsError` where they are none of a ledger.
    #[new]
    fn new(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        intermission_driver::continuation(bytes).map(Self).map_err(|refusal| refused(py, &refusal))
    }

    /// The plain bytes: docs/ledger.md.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// The run.
    #[getter]
    fn run_id(&self) -> String {
        self.0.run_id().to_string()
    }

    /// The script's text: the newest, where it was changed.
    #[getter]
    fn source(&self) -> &str {
        self.0.source()
    }

    /// Whether the run is over.
    #[getter]
    fn over(&self) -> bool {
        self.0.over().is_some()
    }

    /// The questions that are open, in order of their calls.
    #[getter]
    fn interruptions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        say::interruptions(py, &self.0.interruptions())
    }

    /// When it is worth going on without any answer, in milliseconds since 1970: a timer is due then, or a question expires.
    #[getter]
    fn wake_at(&self) -> Option<u64> {
        self.0.wake_at()
    }

    /// How many entries the ledger has.
    fn __len__(&self) -> usize {
        self.0.record().entries().len()
    }

    /// Another run that has the first `at` entries in common with this one; all of them by default. Its calls have other idempotency keys.
    #[pyo3(signature = (at = None))]
    fn fork(&self, py: Python<'_>, at: Option<usize>) -> PyResult<Self> {
        let at = at.unwrap_or_else(|| self.__len__());
        self.0.fork(at).map(Self).map_err(|error| refused(py, &Refusal::new("LEDGER", &error)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.to_bytes() == other.0.to_bytes()
    }

    fn __hash__(&self) -> u64 {
        self.0
            .run_id()
            .to_string()
            .bytes()
            .fold(0, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
    }

    /// Nothing of what it says: it is a secret.
    fn __repr__(&self) -> String {
        format!("<Continuation of {}>", self.0.run_id())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Bound<'py, PyBytes>,)) {
        (py.get_type::<Self>(), (self.bytes(py),))
    }
}
