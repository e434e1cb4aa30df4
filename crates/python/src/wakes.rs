//! From any thread to Python's event loop.

use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};

use intermission_driver::Wake;
use pyo3::prelude::*;

use crate::lock::lock;

/// The tasks of one event loop that are worth advancing. `fileno()` becomes readable when there are any; `take()` gives their numbers.
#[pyclass(frozen, module = "intermission._native")]
pub(crate) struct Wakes(Arc<Shared>);

struct Shared {
    woken: Mutex<Vec<u32>>,
    tell: UnixStream,
    hear: UnixStream,
}

impl Shared {
    fn wake(&self, task: u32) {
        let mut woken = lock(&self.woken);
        woken.push(task);
        if woken.len() == 1 {
            // It holds one byte at most, so there is room; and where nobody listens any more nobody waits.
            let _ = (&self.tell).write(&[1]);
        }
    }

    fn take(&self) -> Vec<u32> {
        let mut woken = lock(&self.woken);
        let _ = (&self.hear).read(&mut [0]);
        std::mem::take(&mut woken)
    }
}

#[pymethods]
impl Wakes {
    #[new]
    fn new() -> PyResult<Self> {
        let (tell, hear) = UnixStream::pair()?;
        tell.set_nonblocking(true)?;
        hear.set_nonblocking(true)?;
        Ok(Self(Arc::new(Shared { woken: Mutex::default(), tell, hear })))
    }

    fn fileno(&self) -> i32 {
        self.0.hear.as_raw_fd()
    }

    fn take(&self) -> Vec<u32> {
        self.0.take()
    }
}

impl Wakes {
    pub(crate) fn wake(&self) -> Wake {
        let shared = Arc::clone(&self.0);
        Arc::new(move |task| shared.wake(task))
    }
}
