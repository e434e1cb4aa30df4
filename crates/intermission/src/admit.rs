//! What the script asked for in a slice goes to the ledger.

use intermission_engine::{Call, Request};
use intermission_ledger::entry::{self, Request as Recorded};
use intermission_ledger::{Admitted, Asked, Phase};

use crate::RunError;
use crate::drive::Drive;

impl Drive<'_> {
    /// Admits the reads of the clock, the calls and the timers of the slice, in the order in which the guest made them. New calls are invoked when the
    /// slice is over.
    pub(crate) fn admit_requests(&mut self) -> Result<(), RunError> {
        let mut marks = self.clock.take_marks().into_iter().peekable();
        let mut requests = std::mem::take(&mut self.requests);
        if let Some(sandbox) = &mut self.sandbox {
            sandbox.take_requests_into(&mut requests);
        }
        for (before, request) in requests.drain(..).enumerate() {
            while let Some(mark) = marks.next_if(|mark| mark.requests <= before) {
                self.ledger.admit(Asked::Clock(mark))?;
            }
            self.admit_request(request)?;
        }
        self.requests = requests;
        for mark in marks {
            self.ledger.admit(Asked::Clock(mark))?;
        }
        Ok(())
    }

    fn admit_request(&mut self, request: Request) -> Result<(), RunError> {
        match request {
            Request::Call(call) => {
                let id = call.id;
                if self.ledger.phase() == Phase::Replaying {
                    self.invoke_recorded(&call);
                }
                if self.admit_call(call)? == Admitted::New {
                    self.made.push(id);
                }
            }
            Request::TimerSet { timer, delay } => {
                // A fraction of a millisecond is dropped, as browsers do.
                let delay = delay.max(0.0) as u64;
                let due = self.clock.now().saturating_add(delay);
                self.ledger.admit(Asked::TimerSet { timer, delay, due })?;
            }
            Request::Random(value) => {
                self.ledger.admit(Asked::Random(value))?;
            }
            Request::TimerCleared(timer) => {
                self.ledger.admit(Asked::TimerCleared(timer))?;
            }
        }
        Ok(())
    }

    /// Admits a call, which the guest waits for from now on.
    pub(crate) fn admit_call(&mut self, call: Call) -> Result<Admitted, RunError> {
        let mut call = self.positions.original_call(call);
        let arguments = std::mem::take(&mut call.arguments);
        let request = Recorded::Function { function: call.function, arguments: arguments.into() };
        let id = call.id;
        self.pending.insert(id, Box::new(call));
        self.admit_asked(id, request)
    }

    pub(crate) fn admit_asked(&mut self, call: u32, request: entry::Request) -> Result<Admitted, RunError> {
        let admitted = self.ledger.admit(Asked::Call { call, request });
        admitted.map_err(|error| self.place_divergence(error.into()))
    }

    /// A divergence at a call is told with the call's place in the source.
    fn place_divergence(&self, error: RunError) -> RunError {
        match error {
            RunError::Diverged(mut diverged) => {
                if let Some(call) = diverged.divergence.call().and_then(|call| self.pending.get(&call)) {
                    diverged.file = call.file.as_deref().map(str::to_owned);
                    diverged.position = self.place_of(call);
                }
                RunError::Diverged(diverged)
            }
            other => other,
        }
    }
}
