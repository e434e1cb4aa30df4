//! What must not be ended where its threads are not.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether an engine is left to the system: the interpreter ends.
pub(crate) type Left = Arc<AtomicBool>;

/// Something that stands on an engine. It is dropped like anything else, but in two cases it is left as it is: in a process that was forked, where the engine's threads are not and would be waited for in vain; and
/// when the interpreter ends, where the system takes everything back more quickly.
pub(crate) struct Kept<T> {
    inner: Option<T>,
    process: u32,
    left: Left,
}

impl<T> Kept<T> {
    pub(crate) fn new(inner: T, left: &Left) -> Self {
        Self { inner: Some(inner), process: std::process::id(), left: Arc::clone(left) }
    }
}

impl<T> Deref for Kept<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.inner.as_ref().expect("it is taken out by `drop` alone")
    }
}

impl<T> Drop for Kept<T> {
    fn drop(&mut self) {
        if self.process != std::process::id() || self.left.load(Ordering::Relaxed) {
            std::mem::forget(self.inner.take());
        }
    }
}
