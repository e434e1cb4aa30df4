//! A future that JavaScript drives: a run, or something else that may take its time.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use intermission::{AbortController, AbortSignal, Execution, Progress, Value};
use tokio::time::Instant;

use crate::progress::Out;
use crate::waker::{TaskWaker, waker};

/// What is under way under a number.
pub(crate) struct Task {
    pub(crate) work: Work,
    pub(crate) waker: Arc<TaskWaker>,
    pub(crate) abort: AbortController,
    /// Says that nobody waits for the calls any more; known from the first of them.
    pub(crate) unwanted: Option<AbortSignal>,
}

pub(crate) enum Work {
    Run(Execution),
    /// Gives the message's `end`.
    Other(BoxFuture<'static, Value>),
}

/// How long a task that wakes itself goes on before the event loop has a turn.
const TURN: Duration = Duration::from_millis(1);

impl Task {
    /// Goes on until the task would wait. `false` when it is over.
    pub(crate) fn poll(&mut self, out: &mut Out) -> bool {
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
                    out.add(progress)
                }
                Work::Other(future) => match future.poll_unpin(&mut Context::from_waker(&waker)) {
                    Poll::Ready(end) => {
                        out.end(end);
                        true
                    }
                    Poll::Pending => false,
                },
            };
            if over {
                return false;
            }
            if self.unwanted.as_ref().is_some_and(AbortSignal::is_aborted) {
                out.abort();
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

    pub(crate) fn run(&mut self) -> Option<&mut Execution> {
        match &mut self.work {
            Work::Run(execution) => Some(execution),
            Work::Other(_) => None,
        }
    }
}

impl Out {
    /// Whether it has ended.
    fn add(&mut self, progress: Progress) -> bool {
        let over = progress.end.is_some();
        self.progress(progress);
        over
    }
}
