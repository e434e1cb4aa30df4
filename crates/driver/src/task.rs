//! A future that an event loop of another language drives: a run, or something else that may take its time.

use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use intermission::{AbortController, AbortSignal, Execution, Progress};
use tokio::time::Instant;

use crate::waker::{TaskWaker, Wake, waker};

/// What is under way under a number. `T` is what the door makes of the end of what is no run.
pub struct Task<T> {
    work: Work<T>,
    waker: Arc<TaskWaker>,
    abort: AbortController,
    /// Says that nobody waits for the calls any more; known from the first of them.
    unwanted: Option<AbortSignal>,
}

/// What a task is.
pub enum Work<T> {
    /// A run.
    Run(Execution),
    /// Anything else: gives its end.
    Other(BoxFuture<'static, T>),
}

/// What came out of a task.
#[expect(clippy::large_enum_variant, reason = "it is taken apart at once, and mostly progress")]
pub enum Came<T> {
    /// Of a run; perhaps its end.
    Progress(Progress),
    /// Of anything else: its end.
    End(T),
    /// Calls are to be told that nobody waits for them any more. Said again, it is the same.
    Unwanted,
}

/// How long a task that wakes itself goes on before the event loop has a turn.
const TURN: Duration = Duration::from_millis(1);

impl<T> Task<T> {
    /// A task that has not gone on yet. `abort` is the controller that it was begun with.
    pub fn new(number: u32, work: Work<T>, wake: Wake, abort: AbortController) -> Self {
        Self { work, waker: TaskWaker::new(number, wake), abort, unwanted: None }
    }

    /// Goes on until the task would wait. `false` when it is over.
    pub fn poll(&mut self, mut came: impl FnMut(Came<T>)) -> bool {
        let waker = waker(&self.waker);
        let mut began = None;
        loop {
            self.waker.begin();
            let over = match &mut self.work {
                Work::Run(execution) => {
                    let progress = execution.advance(&waker);
                    if let (None, Some(call)) = (&self.unwanted, progress.calls.first()) {
                        self.unwanted = Some(call.abort_signal().clone());
                    }
                    let over = progress.end.is_some();
                    came(Came::Progress(progress));
                    over
                }
                Work::Other(future) => match future.poll_unpin(&mut Context::from_waker(&waker)) {
                    Poll::Ready(end) => {
                        came(Came::End(end));
                        true
                    }
                    Poll::Pending => false,
                },
            };
            if over {
                return false;
            }
            if self.unwanted.as_ref().is_some_and(AbortSignal::is_aborted) {
                came(Came::Unwanted);
            }
            if !self.waker.finish() {
                return true;
            }
            if began.get_or_insert_with(Instant::now).elapsed() > TURN {
                self.waker.later();
                return true;
            }
        }
    }

    /// Speaks to the run, if it is one. It is to be polled next: what wakes it meanwhile is not told to the event loop.
    pub fn tell(&mut self, tell: impl FnOnce(&mut Execution)) {
        self.waker.begin();
        if let Work::Run(execution) = &mut self.work {
            tell(execution);
        }
    }

    /// Aborts the invocation. It is to be polled next.
    pub fn abort(&self) {
        self.waker.begin();
        self.abort.abort();
    }
}

impl<T> fmt::Debug for Task<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("waker", &self.waker).finish_non_exhaustive()
    }
}
