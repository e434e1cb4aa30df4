//! What wakes a task.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Wake, Waker};

use napi::Status;
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};

/// Calls `wake(number)` on the event loop, from any thread. It keeps no process alive: TypeScript does, as long as something waits.
pub(crate) type WakeFunction = ThreadsafeFunction<u32, (), u32, Status, false, true>;

const IDLE: u8 = 0;
const POLLED: u8 = 1;
/// Woken while it is polled: it is polled again at once.
const AGAIN: u8 = 2;
/// The event loop knows.
const CALLED: u8 = 3;

/// Wakes one task, and goes through the event loop only where the task is not being polled anyway.
pub(crate) struct TaskWaker {
    task: u32,
    state: AtomicU8,
    wake: Arc<WakeFunction>,
}

impl TaskWaker {
    pub(crate) fn new(task: u32, wake: Arc<WakeFunction>) -> Arc<Self> {
        Arc::new(Self { task, state: AtomicU8::new(IDLE), wake })
    }

    /// The task is about to be polled, or spoken to and then polled.
    pub(crate) fn begin(&self) {
        self.state.store(POLLED, Ordering::SeqCst);
    }

    /// The task was polled. Whether it was woken meanwhile.
    pub(crate) fn finish(&self) -> bool {
        self.state.compare_exchange(POLLED, IDLE, Ordering::SeqCst, Ordering::SeqCst).is_err()
    }

    /// Lets the event loop go first.
    pub(crate) fn later(&self) {
        self.state.store(CALLED, Ordering::SeqCst);
        self.call();
    }

    fn call(&self) {
        // The environment may be gone: then nobody waits for the task either.
        self.wake.call(self.task, ThreadsafeFunctionCallMode::NonBlocking);
    }
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let next = |state| match state {
            IDLE => Some(CALLED),
            POLLED => Some(AGAIN),
            _ => None,
        };
        if self.state.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next) == Ok(IDLE) {
            self.call();
        }
    }
}

/// The waker to poll with.
pub(crate) fn waker(waker: &Arc<TaskWaker>) -> Waker {
    Arc::clone(waker).into()
}
