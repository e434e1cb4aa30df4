//! What runners share.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use intermission_driver::{EngineOptions, Refusal};
use pyo3::prelude::*;

use crate::classes::refused;
use crate::kept::{Kept, Left};
use crate::value::message;

/// Memory for runs, threads for long slices, a thread for timers.
#[pyclass(frozen, weakref, module = "intermission._native")]
pub(crate) struct Engine {
    pub(crate) standing: Arc<Kept<Standing>>,
    pub(crate) left: Left,
}

pub(crate) struct Standing {
    /// It has the engine; nothing runs in it.
    pub(crate) runner: intermission::Runner,
    pub(crate) timers: tokio::runtime::Runtime,
}

#[pymethods]
impl Engine {
    /// Of options as `crates/driver/src/options.rs` has them.
    #[new]
    fn new(options: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = options.py();
        let options: EngineOptions = message(options)?;
        let timers = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("intermission-timers")
            .enable_time()
            .build()
            .map_err(|error| refused(py, &Refusal::new("ENGINE", &error)))?;
        let runner = py.detach(|| options.build()).map_err(|refusal| refused(py, &refusal))?;
        let left = Left::default();
        Ok(Self { standing: Arc::new(Kept::new(Standing { runner, timers }, &left)), left })
    }

    /// Leaves everything to the system: the interpreter ends, and a script may still be computing.
    fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
    }
}

/// To be called in a process that was forked: what is drawn at random here is not what is drawn at random there.
#[pyfunction]
pub(crate) fn forked(py: Python<'_>) -> PyResult<()> {
    rand::rng().reseed().map_err(|error| refused(py, &Refusal::new("ENGINE", &error)))
}
