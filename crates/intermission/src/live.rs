//! Between a run that is under way and whoever holds its [`crate::RunHandle`].

use tokio::sync::{mpsc, oneshot};

use crate::drive::Drive;
use crate::execution::Outbox;
use crate::halt::Halt;
use crate::resume::answered;
use crate::{AbortSignal, Interruption, Resolution, ResumeError};

/// What a run under way says of itself.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunEvent {
    /// It asks, perhaps while other calls are still under way. The answer may be given at once: [`RunHandle::resolve`](crate::RunHandle::resolve).
    Interrupted(Interruption),
}

/// What a run under way is told.
pub(crate) enum Command {
    Resolve(Resolution, oneshot::Sender<Result<(), ResumeError>>),
    Cancel,
}

/// The run's end of the line. Nobody may be at the other.
#[derive(Default)]
pub(crate) struct Live {
    events: Option<mpsc::UnboundedSender<RunEvent>>,
    commands: Option<mpsc::UnboundedReceiver<Command>>,
    heard: Vec<Command>,
    unsaid: Vec<RunEvent>,
    cancel: Option<AbortSignal>,
    /// Of a run whose driver answers calls himself.
    outbox: Option<Outbox>,
}

impl Live {
    pub(crate) fn new(
        events: mpsc::UnboundedSender<RunEvent>,
        commands: mpsc::UnboundedReceiver<Command>,
        cancel: AbortSignal,
    ) -> Self {
        Self {
            events: Some(events),
            commands: Some(commands),
            heard: Vec::new(),
            unsaid: Vec::new(),
            cancel: Some(cancel),
            outbox: None,
        }
    }

    /// To a driver who answers calls himself.
    pub(crate) fn with_outbox(self, outbox: Outbox) -> Self {
        Self { outbox: Some(outbox), ..self }
    }

    pub(crate) fn outbox(&self) -> Option<Outbox> {
        self.outbox.clone()
    }

    /// Whether the run was cancelled, which aborts whatever it is doing.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(AbortSignal::is_aborted)
    }

    /// Whether anybody is at the other end. Whoever is not gets it with the result.
    pub(crate) fn is_listened_to(&self) -> bool {
        self.events.as_ref().is_some_and(|events| !events.is_closed())
    }

    /// To be said once it is kept.
    pub(crate) fn announce(&mut self, interruption: Interruption) {
        self.unsaid.push(RunEvent::Interrupted(interruption));
    }

    /// Says what was announced.
    pub(crate) fn say(&mut self) {
        for event in self.unsaid.drain(..) {
            if let Some(events) = &self.events {
                let _ = events.send(event);
            }
        }
    }

    /// Waits until something is said, perhaps for ever.
    pub(crate) async fn news(&mut self) {
        let Some(commands) = &mut self.commands else { return std::future::pending().await };
        if let Some(command) = commands.recv().await {
            self.heard.push(command);
        } else {
            self.commands = None;
            std::future::pending::<()>().await;
        }
    }

    fn hear(&mut self) -> Vec<Command> {
        while let Some(Ok(command)) = self.commands.as_mut().map(mpsc::UnboundedReceiver::try_recv) {
            self.heard.push(command);
        }
        std::mem::take(&mut self.heard)
    }
}

impl Drive<'_> {
    /// Does what was said meanwhile. An answer is acted on in place: the ledger reads the same as if the run had been put away and resumed.
    pub(crate) async fn hear_live(&mut self) -> Result<(), Halt> {
        for command in self.live.hear() {
            match command {
                Command::Cancel => return Err(Halt::Cancelled),
                Command::Resolve(resolution, told) => {
                    let now = self.clock.now();
                    let answer = answered(&self.ledger, &self.caller.functions, &resolution, now);
                    let result = match answer {
                        // It was answered before, and the answer waits for its turn.
                        Ok(answer) if self.agenda.has(answer.call) => {
                            Err(ResumeError::Stale { id: resolution.interruption_id })
                        }
                        Ok(answer) => Ok(self.act_on(answer)?),
                        Err(refused) => Err(refused),
                    };
                    self.begin_dispatched().await?;
                    // Whoever no longer waits for it does not need it.
                    let _ = told.send(result);
                }
            }
        }
        Ok(())
    }
}
