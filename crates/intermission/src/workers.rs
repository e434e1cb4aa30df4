//! Threads that finish long slices.
//!
//! A slice begins where the run is polled. One that is still computing after a tick moves here, so that it never holds up the caller's
//! executor; here it takes turns with the others.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

use intermission_engine::{Event, Step};
use tokio::sync::oneshot;

use crate::RunError;
use crate::budget::Budget;
use crate::seat::Seat;

/// Started with the first slice that is long.
#[derive(Default)]
pub(crate) struct Workers(OnceLock<Threads>);

struct Threads {
    shared: Arc<Shared>,
    handles: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    jobs: Mutex<Jobs>,
    came: Condvar,
}

#[derive(Default)]
struct Jobs {
    waiting: VecDeque<Job>,
    over: bool,
}

struct Job {
    seat: Seat,
    budget: Budget,
    done: oneshot::Sender<(Seat, Result<Step, RunError>)>,
}

impl Workers {
    /// Goes on with a sandbox that has yielded until its slice ends or its budget does.
    ///
    /// # Errors
    /// When the system gives no threads, or the host's own code panicked under the guest.
    pub(crate) async fn finish(
        &self,
        seat: Seat,
        budget: Budget,
    ) -> Result<(Seat, Result<Step, RunError>), RunError> {
        let (done, finished) = oneshot::channel();
        let threads = self.0.get_or_init(Threads::start);
        if threads.handles.is_empty() {
            return Err(RunError::Trapped("the system gives no thread to compute on".to_owned()));
        }
        threads.shared.push(Job { seat, budget, done });
        finished.await.map_err(|_| RunError::Trapped("the host's code panicked under the script".to_owned()))
    }
}

impl Threads {
    fn start() -> Self {
        let shared = Arc::<Shared>::default();
        let count = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        let handles = (0..count)
            .filter_map(|_| {
                let shared = Arc::clone(&shared);
                let thread = std::thread::Builder::new().name("intermission-worker".into());
                thread.spawn(move || shared.work()).ok()
            })
            .collect();
        Self { shared, handles }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.shared.jobs.lock().unwrap_or_else(PoisonError::into_inner).over = true;
        self.shared.came.notify_all();
        for handle in self.handles.drain(..) {
            let _ = handle.join();
        }
    }
}

impl Shared {
    fn push(&self, job: Job) {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).waiting.push_back(job);
        self.came.notify_one();
    }

    fn pop(&self) -> Option<Job> {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = |jobs: &mut Jobs| jobs.waiting.is_empty() && !jobs.over;
        self.came.wait_while(jobs, idle).unwrap_or_else(PoisonError::into_inner).waiting.pop_front()
    }

    fn work(&self) {
        while let Some(mut job) = self.pop() {
            if job.done.is_closed() {
                continue;
            }
            let step = match job.budget.check(job.seat.usage().cpu) {
                Ok(()) => {
                    catch_unwind(AssertUnwindSafe(|| job.budget.advance(&mut job.seat, Event::Resumed)))
                }
                Err(error) => Ok(Err(error)),
            };
            // The job is dropped, and whoever waits for it is told.
            let Ok(step) = step else { continue };
            if matches!(step, Ok(Step::Yielded)) {
                self.push(job);
            } else {
                // A run that was dropped meanwhile is not interested.
                let _ = job.done.send((job.seat, step));
            }
        }
    }
}
