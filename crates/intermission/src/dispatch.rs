//! A host call on its way: checked, answered, checked again, encoded.

use std::sync::Arc;

use intermission_engine::{Call, Exhausted, Limit, Outcome};
use intermission_value::{EncodeError, Value, encode, encode_into};

use crate::host_call::{HostCall, Inner};
use crate::host_functions::{HostFunctions, Lent};
use crate::id::{InvocationId, RunId};
use crate::{AbortSignal, HostError, Limits, RunError};

/// What the guest is told of a call, or what ends the run instead.
pub(crate) type Answer = Result<Outcome, RunError>;

pub(crate) fn rejected(error: &HostError) -> Answer {
    Ok(Outcome::Rejected(encode(&error.to_value())?))
}

/// Who calls: the same for all calls of an invocation.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) run_id: RunId,
    pub(crate) invocation_id: InvocationId,
    pub(crate) abort: AbortSignal,
    pub(crate) functions: HostFunctions,
    pub(crate) redact: bool,
    pub(crate) limits: Limits,
}

impl Caller {
    /// Answers a call. Owns what it needs: it may outlive the slice that made it.
    pub(crate) async fn answer(self, call: Call) -> Answer {
        let Some(lent) = self.functions.get(call.function) else {
            return Err(RunError::Trapped("a call of a function that is not lent".to_owned()));
        };
        let name = Arc::clone(&lent.function.name);
        let call = HostCall::new(Inner {
            run_id: self.run_id,
            invocation_id: self.invocation_id,
            request_index: call.id,
            host_function: Arc::clone(&name),
            arguments: call.arguments,
            position: call.position,
            abort: self.abort.clone(),
        });
        match checked_call(lent, call).await {
            Ok(output) => self.encode(&name, &output),
            Err(Failure::Host(_)) if self.redact => rejected(&HostError::redacted()),
            Err(Failure::Arguments(error) | Failure::Host(error)) => rejected(&error),
        }
    }

    fn encode(&self, name: &str, output: &Value) -> Answer {
        let allowed = self.limits.output;
        let mut bytes = Vec::new();
        match encode_into(output, &mut bytes, allowed as usize) {
            Ok(()) => Ok(Outcome::Fulfilled(bytes)),
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
    let name = &lent.function.name;
    if lent.schemas.checks_input() {
        lent.schemas.check_input(name, call.input()).map_err(Failure::Arguments)?;
    }
    let output = lent.function.call(call).await.map_err(Failure::Host)?;
    lent.schemas.check_output(name, &output).map_err(Failure::Host)?;
    Ok(output)
}
