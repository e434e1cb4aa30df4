//! The native layer of the Python package: the library's steps, and values as Python has them. Nobody but the package itself (`python/intermission`) calls this.
//!
//! A run is a `Task` that Python drives. Whatever moves it on (`advance`, `settle`, `answer`, ...) polls it at once, on the calling thread and without the interpreter's lock, and gives what came out.
//! What wakes a task from elsewhere never touches the interpreter: it writes a byte to a socket that Python's event loop watches (`wakes.rs`). So nothing here can be in the way when the interpreter ends.
//!
//! Its tests are those of the package, in Python: under Rust's own there is no interpreter, and nothing is compiled.
#![cfg(not(test))]

mod call;
mod calls;
mod classes;
mod continuation;
mod engine;
mod kept;
mod lock;
mod policy;
mod report;
mod runner;
mod runs;
mod say;
mod task;
mod value;
mod wakes;

use pyo3::prelude::*;

/// What the package is built on.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::call::Call;
    #[pymodule_export]
    use crate::continuation::Continuation;
    #[pymodule_export]
    use crate::engine::{Engine, forked};
    #[pymodule_export]
    use crate::report::Report;
    #[pymodule_export]
    use crate::runner::Runner;
    #[pymodule_export]
    use crate::runs::Runs;
    #[pymodule_export]
    use crate::task::Task;
    #[pymodule_export]
    use crate::value::{decode, encode};
    #[pymodule_export]
    use crate::wakes::Wakes;
}
