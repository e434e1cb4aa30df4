//! A host call on its way: checked, answered, checked again, encoded.

use std::sync::Arc;

use intermission_engine::{Exhausted, Limit, Outcome};

use intermission_value::{EncodeError, Value, encode, encode_into};

use crate::execution::Outbox;
use crate::host_call::HostCall;
use crate::host_functions::{HostFunctions, Lent};
use crate::id::InvocationId;
use crate::{AbortController, HostError, Interrupt, Limits, Reconciled, RunError};

/// What came of a call, or what ends the run instead.
pub(crate) type Answer = Result<Told, RunError>;

/// What came of a call.
pub(crate) enum Told {
    /// The guest is told.
    Outcome(Outcome),
    /// Somebody is asked.
    Interrupt(Box<Interrupt>),
    /// A probe says that the call was never made: it is made.
    Again,
    /// A probe knows nothing of the call: somebody is asked about it.
    Nothing,
}

pub(crate) fn rejected(error: &HostError) -> Answer {
    Ok(Told::Outcome(Outcome::Rejected(encode(&error.to_value())?)))
}

/// Who calls: the same for all calls of an invocation.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) invocation_id: InvocationId,
    pub(crate) abort: AbortController,
    pub(crate) functions: HostFunctions,
    /// Where calls go that the driver answers himself.
    pub(crate) outbox: Option<Outbox>,
    pub(crate) redact: bool,
    pub(crate) limits: Limits,
}

impl Caller {
    /// Tells what is under way that it is no longer wanted.
    pub(crate) fn cancel(&self) {
        self.abort.abort();
    }

    /// Invokes the function at `index`. Owns what it needs: it may outlive the slice that made the call.
    pub(crate) async fn answer(self, index: usize, call: HostCall) -> Answer {
        let Some(lent) = self.functions.get(index) else {
            return Err(RunError::Trapped("a call of a function that is not lent".to_owned()));
        };
        match checked_call(lent, call).await {
            Ok(output) => self.encode(&lent.function.name, &output),
            Err(Failure::Arguments(error)) => rejected(&error),
            Err(Failure::Host(error)) => match error.into_interrupt() {
                Ok(interrupt) => Ok(Told::Interrupt(interrupt)),
                Err(_) if self.redact => rejected(&HostError::redacted()),
                Err(error) => rejected(&error),
            },
        }
    }

    /// Asks the function at `index` what became of a call.
    pub(crate) async fn probe(self, index: usize, call: HostCall) -> Answer {
        let Some(lent) = self.functions.get(index) else { return Ok(Told::Nothing) };
        match lent.function.probe(call).await {
            Reconciled::Happened(Ok(output)) => self.encode(lent.function.name(), &output),
            Reconciled::Happened(Err(_)) if self.redact => rejected(&HostError::redacted()),
            Reconciled::Happened(Err(error)) => rejected(&error),
            Reconciled::DidNotHappen => Ok(Told::Again),
            Reconciled::Unknown => Ok(Told::Nothing),
        }
    }

    fn encode(&self, name: &str, output: &Value) -> Answer {
        let allowed = self.limits.output;
        let mut bytes = Vec::new();
        match encode_into(output, &mut bytes, allowed as usize) {
            Ok(()) => Ok(Told::Outcome(Outcome::Fulfilled(bytes))),
            Err(EncodeError::TooLarge { .. }) => {
                Err(Exhausted { limit: Limit::Output, allowed: allowed.into(), used: u64::from(allowed) + 1 }
                    .into())
            }
            Err(error) => {
                let message = format!("the result of {name} cannot be sent: {error}");
                rejected(&HostError::new(message).with_code("HOST_OUTPUT_INVALID"))
            }
        }
    }
}

/// Whose fault it is. What the script did wrong it may always know.
enum Failure {
    Arguments(HostError),
    Host(HostError),
}

async fn checked_call(lent: &Lent, call: HostCall) -> Result<Value, Failure> {
    let name = Arc::clone(&lent.function.name);
    if lent.schemas.checks_input() {
        lent.schemas.check_input(&name, call.input()).map_err(Failure::Arguments)?;
    }
    let output = lent.function.call(call).await.map_err(Failure::Host)?;
    lent.schemas.check_output(&name, &output).map_err(Failure::Host)?;
    Ok(output)
}
