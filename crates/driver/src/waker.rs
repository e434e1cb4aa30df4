//! What wakes a task.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::Waker;

/// Has the event loop advance the task of a number. Called from any thread.
pub type Wake = Arc<dyn Fn(u32) + Send + Sync>;

const IDLE: u8 = 0;
const POLLED: u8 = 1;
/// Woken while it is polled: it is polled again at once.
const AGAIN: u8 = 2;
/// The event loop knows.
const CALLED: u8 = 3;

/// Wakes one task, and goes through the event loop only where the task is not being polled anyway.
pub struct TaskWaker {
    task: u32,
    state: AtomicU8,
    wake: Wake,
}

impl TaskWaker {
    /// For the task with this number.
    pub fn new(task: u32, wake: Wake) -> Arc<Self> {
        Arc::new(Self { task, state: AtomicU8::new(IDLE), wake })
    }

    /// The task is about to be polled, or spoken to and then polled.
    pub fn begin(&self) {
        self.state.store(POLLED, Ordering::SeqCst);
    }

    /// The task was polled. Whether it was woken meanwhile.
    pub fn finish(&self) -> bool {
        self.state.compare_exchange(POLLED, IDLE, Ordering::SeqCst, Ordering::SeqCst).is_err()
    }

    /// Lets the event loop go first.
    pub fn later(&self) {
        self.state.store(CALLED, Ordering::SeqCst);
        (self.wake)(self.task);
    }
}

impl fmt::Debug for TaskWaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskWaker").field("task", &self.task).finish_non_exhaustive()
    }
}

impl std::task::Wake for TaskWaker {
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
            (self.wake)(self.task);
        }
    }
}

/// The waker to poll with.
pub fn waker(waker: &Arc<TaskWaker>) -> Waker {
    Arc::clone(waker).into()
}
