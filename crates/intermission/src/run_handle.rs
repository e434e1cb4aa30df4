//! A run under way.

use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinError, JoinHandle};

use crate::begin::never_begun;
use crate::live::{Command, Live, RunEvent};
use crate::{AbortController, Resolution, ResumeError, RunError, RunId, RunResult};

/// A run under way: says what it asks, takes answers, and waits for the end. Dropping it does not end the run.
///
/// ```
/// use intermission::{Answer, HostFunction, HostFunctions, Resolution, RunEvent, Runner, Value};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mail = HostFunction::sync("mail", |call| Ok(call.input())).approval();
/// let slow = HostFunction::new("slow", |_| async {
///     tokio::time::sleep(std::time::Duration::from_millis(20)).await;
///     Ok("done")
/// });
/// let runner = Runner::builder().host_functions(HostFunctions::new([mail, slow])?).build()?;
/// let mut run = runner.start("return await Promise.all([mail('hello'), slow()])");
/// let Some(RunEvent::Interrupted(asked)) = run.next_event().await else { panic!("it asks") };
/// run.resolve(Resolution::new(asked.id, Answer::Approve)).await?;
/// assert_eq!(run.wait().await.into_value()?, Value::array(["hello", "done"]));
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct RunHandle {
    run_id: RunId,
    end: OtherEnd,
    task: JoinHandle<RunResult>,
}

/// What the run's own end of a handle is made of.
pub(crate) struct Line {
    pub(crate) live: Live,
    pub(crate) cancel: AbortController,
}

impl Line {
    /// Both ends.
    pub(crate) fn new() -> (Self, OtherEnd) {
        let (said, events) = mpsc::unbounded_channel();
        let (commands, heard) = mpsc::unbounded_channel();
        let cancel = AbortController::new();
        let live = Live::new(said, heard, cancel.signal());
        (Self { live, cancel: cancel.clone() }, OtherEnd { events, commands, cancel })
    }

    /// Of a run that is cancelled before it goes on. Nobody is at the other end.
    pub(crate) fn cancelled() -> Self {
        let (said, _) = mpsc::unbounded_channel();
        let (_, heard) = mpsc::unbounded_channel();
        let cancel = AbortController::new();
        cancel.abort();
        Self { live: Live::new(said, heard, cancel.signal()), cancel }
    }
}

/// The other end of a [`Line`].
#[derive(Debug)]
pub(crate) struct OtherEnd {
    pub(crate) events: mpsc::UnboundedReceiver<RunEvent>,
    commands: mpsc::UnboundedSender<Command>,
    cancel: AbortController,
}

impl OtherEnd {
    /// Gives an answer; what comes of it comes later, or never where the run is not under way any more.
    pub(crate) fn resolve(
        &self,
        resolution: Resolution,
    ) -> Result<oneshot::Receiver<Result<(), ResumeError>>, ResumeError> {
        let (told, result) = oneshot::channel();
        self.commands.send(Command::Resolve(resolution, told)).map_err(|_| ResumeError::NotUnderWay)?;
        Ok(result)
    }

    pub(crate) fn cancel(&self) {
        // A run that is over needs no telling.
        let _ = self.commands.send(Command::Cancel);
        self.cancel.abort();
    }
}

impl RunHandle {
    pub(crate) fn new(run_id: RunId, spawn: impl FnOnce(Line) -> JoinHandle<RunResult>) -> Self {
        let (line, end) = Line::new();
        Self { run_id, end, task: spawn(line) }
    }

    /// The run.
    pub fn run_id(&self) -> RunId {
        self.run_id
    }

    /// The next thing that the run says of itself; `None` when there is nothing more to come.
    pub async fn next_event(&mut self) -> Option<RunEvent> {
        self.end.events.recv().await
    }

    /// Answers one of its questions while it is under way.
    ///
    /// # Errors
    /// [`ResumeError`] where the answer is refused; nothing has changed then. [`ResumeError::NotUnderWay`] when it is over or
    /// was put away: then resume its continuation instead.
    pub async fn resolve(&self, resolution: Resolution) -> Result<(), ResumeError> {
        self.end.resolve(resolution)?.await.unwrap_or(Err(ResumeError::NotUnderWay))
    }

    /// Cancels the run, for good: what is under way is told to abort, what it asks can no longer be answered. Again is the same as once.
    pub fn cancel(&self) {
        self.end.cancel();
    }

    /// Waits for what comes of the run. Where the runtime on which it was started is shut down it has failed, with [`RunError::Aborted`] and no continuation: what was
    /// kept by a [`LedgerSink`](crate::LedgerSink) can be gone on with.
    pub async fn wait(self) -> RunResult {
        let ended = |error: JoinError| match error.try_into_panic() {
            Ok(_) => RunError::Trapped("the library panicked".to_owned()),
            Err(_) => RunError::Aborted,
        };
        self.task.await.unwrap_or_else(|error| never_begun(self.run_id, ended(error)))
    }
}
