//! A run that is driven by hand: for hosts whose functions live in another language.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::future::{BoxFuture, FutureExt};
use intermission_value::Value;
use tokio::sync::oneshot;

use crate::id::new_run_id;
use crate::run_handle::{Line, OtherEnd};
use crate::{
    HostCall, HostError, Resolution, ResumeError, ResumeInput, RunEvent, RunId, RunInput, RunResult, Runner,
    begin, going_on,
};

/// A run in steps: whoever drives it calls the host functions. It is what [`Runner::run`] and [`Runner::resume`] do, with the same loop behind it, for hosts that have an
/// event loop of their own.
///
/// [`advance`](Self::advance) goes on as far as it can without waiting, on the calling thread. It gives the calls of functions that are
/// [`driven`](crate::HostFunction::driven), each of which is to be [`settle`](Self::settle)d, in any order; other functions run as ever. When there is nothing to do the waker is called as
/// soon as there is, from whatever thread: a script that computes for long is finished on one of the runner's own.
///
/// It is to be advanced within a Tokio runtime's context that has time; nothing is spawned there. Dropping it ends the run.
///
/// ```
/// use intermission::{Execution, HostFunction, HostFunctions, Runner, Value};
/// use std::task::Waker;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let timers = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build()?;
/// let _here = timers.enter();
/// let functions = HostFunctions::new([HostFunction::driven("ask")])?;
/// let runner = Runner::builder().host_functions(functions).build()?;
/// let mut run = Execution::run(&runner, "return await ask('the time') + '!'");
/// // A driver with an event loop goes on when its waker is called; this one just tries again.
/// let ask = loop {
///     if let Some(call) = run.advance(Waker::noop()).calls.pop() { break call }
/// };
/// assert_eq!(ask.input(), Value::from("the time"));
/// run.settle(ask.request_index(), Ok(Value::from("noon")));
/// let result = loop {
///     if let Some(end) = run.advance(Waker::noop()).end { break end? }
/// };
/// assert_eq!(result.into_value()?, Value::from("noon!"));
/// # Ok(()) }
/// ```
pub struct Execution {
    /// Gone once it has ended.
    drive: Option<BoxFuture<'static, Result<RunResult, ResumeError>>>,
    run_id: Arc<OnceLock<RunId>>,
    outbox: Outbox,
    line: OtherEnd,
    /// Calls that the driver has and that have no outcome yet.
    open: BTreeMap<u32, oneshot::Sender<Told>>,
    /// Answers that the run has not taken or refused yet, by the driver's number for each.
    answers: Vec<(u64, oneshot::Receiver<Result<(), ResumeError>>)>,
}

/// What came out of a run while it went on.
#[derive(Debug, Default)]
#[must_use]
pub struct Progress {
    /// Calls to answer, in the order in which they are to be begun.
    pub calls: Vec<HostCall>,
    /// What the run says of itself.
    pub events: Vec<RunEvent>,
    /// What became of answers that were given to [`Execution::resolve`], by their numbers.
    pub answers: Vec<(u64, Result<(), ResumeError>)>,
    /// How it ended. Nothing comes any more then.
    pub end: Option<Result<RunResult, ResumeError>>,
}

/// What the driver says to a call.
type Told = Result<Value, HostError>;

/// A call, and where its outcome goes.
type Asked = (HostCall, oneshot::Sender<Told>);

/// Calls on their way to the driver.
#[derive(Clone, Default)]
pub(crate) struct Outbox(Arc<Mutex<Vec<Asked>>>);

impl Outbox {
    fn put(&self, call: HostCall) -> oneshot::Receiver<Told> {
        let (tell, told) = oneshot::channel();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((call, tell));
        told
    }

    fn take(&self) -> Vec<Asked> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The body of a function that the driver answers.
pub(crate) async fn ask_driver(call: HostCall) -> Told {
    let Some(outbox) = call.outbox() else {
        let message =
            format!("nobody answers calls of {}: its runs are driven by hand", call.host_function());
        return Err(HostError::new(message).with_code("NO_DRIVER"));
    };
    let told = outbox.put(call.clone());
    told.await.unwrap_or_else(|_| Err(HostError::new("the driver has gone").with_code("NO_DRIVER")))
}

impl Execution {
    /// A run from its beginning: what [`Runner::run`] does. It does nothing before it is advanced.
    pub fn run<'a>(runner: &Runner, input: impl Into<RunInput<'a>>) -> Self {
        let run_id = new_run_id();
        let begun = begin::first(runner.shared(), run_id, input.into());
        let shared = Arc::clone(runner.shared());
        Self::new(run_id.into(), |line, _| {
            let begun = begun.map(|invocation| invocation.on(line));
            async move { Ok(begin::run(&shared, run_id, begun).await) }.boxed()
        })
    }

    /// A run that goes on: what [`Runner::resume`] does.
    pub fn resume(runner: &Runner, input: ResumeInput) -> Self {
        let shared = Arc::clone(runner.shared());
        Self::new(OnceLock::new(), |line, run_id| {
            async move {
                let begun = going_on::begin_again(&shared, input).await?.on(line);
                let _ = run_id.set(begun.run_id());
                Ok(going_on::go_on(&shared, begun).await)
            }
            .boxed()
        })
    }

    fn new(
        run_id: OnceLock<RunId>,
        drive: impl FnOnce(Line, Arc<OnceLock<RunId>>) -> BoxFuture<'static, Result<RunResult, ResumeError>>,
    ) -> Self {
        let (run_id, outbox) = (Arc::new(run_id), Outbox::default());
        let (line, end) = Line::new();
        let line = Line { live: line.live.with_outbox(outbox.clone()), ..line };
        let drive = Some(drive(line, Arc::clone(&run_id)));
        Self { drive, run_id, outbox, line: end, open: BTreeMap::new(), answers: Vec::new() }
    }

    /// The run. Of one that goes on: unknown until its token is read.
    pub fn run_id(&self) -> Option<RunId> {
        self.run_id.get().copied()
    }

    /// Goes on until it would have to wait. The waker is called when it is worth advancing again, unless it has ended.
    ///
    /// # Panics
    /// Outside of the context of a Tokio runtime with time.
    pub fn advance(&mut self, waker: &Waker) -> Progress {
        let mut progress = Progress::default();
        if let Some(drive) = &mut self.drive
            && let Poll::Ready(end) = drive.poll_unpin(&mut Context::from_waker(waker))
        {
            self.drive = None;
            progress.end = Some(end);
        }
        for (call, tell) in self.outbox.take() {
            // One that was given up in the same breath needs no answer.
            if !tell.is_closed() {
                self.open.insert(call.request_index(), tell);
                progress.calls.push(call);
            }
        }
        while let Ok(event) = self.line.events.try_recv() {
            progress.events.push(event);
        }
        let over = self.drive.is_none();
        self.answers.retain_mut(|(number, told)| {
            let answer = match told.try_recv() {
                Ok(answer) => answer,
                Err(oneshot::error::TryRecvError::Empty) if !over => return true,
                Err(_) => Err(ResumeError::NotUnderWay),
            };
            progress.answers.push((*number, answer));
            false
        });
        progress
    }

    /// Gives the outcome of a call that came out of [`advance`](Self::advance): a value, an error, or an [`Interrupt`](crate::Interrupt). `false` where nobody waits for it: it has an
    /// outcome already, or was told to abort.
    pub fn settle(&mut self, request_index: u32, outcome: Result<Value, HostError>) -> bool {
        self.open.remove(&request_index).is_some_and(|tell| tell.send(outcome).is_ok())
    }

    /// Answers one of its questions while it is under way: [`RunHandle::resolve`](crate::RunHandle::resolve). What comes of it is said by [`advance`](Self::advance), under `number`.
    pub fn resolve(&mut self, number: u64, resolution: Resolution) {
        let result = self.line.resolve(resolution).unwrap_or_else(|over| {
            let (tell, told) = oneshot::channel();
            let _ = tell.send(Err(over));
            told
        });
        self.answers.push((number, result));
    }

    /// Cancels the run, for good: [`RunHandle::cancel`](crate::RunHandle::cancel). It ends with the next [`advance`](Self::advance).
    pub fn cancel(&self) {
        self.line.cancel();
    }
}

impl fmt::Debug for Execution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Execution")
            .field("run_id", &self.run_id())
            .field("open", &self.open.keys().collect::<Vec<_>>())
            .field("ended", &self.drive.is_none())
            .finish_non_exhaustive()
    }
}
