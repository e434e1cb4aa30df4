//! One call of a host function, as the function sees it.

use std::fmt;
use std::sync::Arc;

use intermission_value::{Value, from_value};
use serde::de::DeserializeOwned;

use intermission_ledger::{InterruptionId, RunId, idempotency_key};

use crate::execution::Outbox;
use crate::id::InvocationId;
use crate::interruption::argument_list;
use crate::{AbortSignal, HostError, Interrupt, Position};

/// A call that is to be answered: who calls, with what, and what a function may want to know about it. Cheap to clone.
#[derive(Clone)]
pub struct HostCall(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) run_id: RunId,
    pub(crate) invocation_id: InvocationId,
    pub(crate) request_index: u32,
    pub(crate) host_function: Arc<str>,
    pub(crate) arguments: Vec<u8>,
    pub(crate) position: Option<Position>,
    pub(crate) abort: AbortSignal,
    /// Of a run whose driver answers calls himself.
    pub(crate) outbox: Option<Outbox>,
    pub(crate) resume: Option<Resume>,
    /// The script's own arguments, where somebody put others in their place.
    pub(crate) edited_from: Option<Vec<u8>>,
}

/// What a host function gets that asked, and was answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Resume {
    /// The interruption.
    pub interruption_id: InterruptionId,
    /// The answer; of an expired question its default.
    pub resolution: Value,
    /// Whether nobody answered in time.
    pub expired: bool,
    /// What was shown.
    pub payload: Value,
    /// What the function kept for itself.
    pub state: Option<Value>,
}

impl HostCall {
    pub(crate) fn new(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }

    /// The run: the same over every pause and resume.
    pub fn run_id(&self) -> RunId {
        self.0.run_id
    }

    /// The pass over the source that makes this call.
    pub fn invocation_id(&self) -> InvocationId {
        self.0.invocation_id
    }

    /// The call's number in its run, from 1, in call order.
    pub fn request_index(&self) -> u32 {
        self.0.request_index
    }

    /// `<run id>.<request index>`.
    pub fn request_id(&self) -> String {
        self.0.run_id.request_id(self.0.request_index)
    }

    /// The function's name: `group.name` or `name`.
    pub fn host_function(&self) -> &str {
        &self.0.host_function
    }

    /// Where the script calls.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// A key that is the same whenever this very call is made again, for services that do a thing once a key.
    pub fn idempotency_key(&self) -> String {
        idempotency_key(self.0.run_id, self.0.request_index, &self.0.host_function, &self.0.arguments)
    }

    /// The answer to this call's latest question; absent where it has not asked yet.
    pub fn resume(&self) -> Option<&Resume> {
        self.0.resume.as_ref()
    }

    /// The arguments that the script gave, where an approver put others in their place.
    pub fn edited_from(&self) -> Option<Vec<Value>> {
        self.0.edited_from.as_deref().map(argument_list)
    }

    /// Asks before the function goes on: to be returned as its error. The script sees nothing of it; its call stays pending while the rest of it runs on, and
    /// then the run is put away. When it is resumed with an answer, the function is invoked again and finds it in [`resume`](Self::resume), with
    /// `state`. For a question that expires, or has a default, return an [`Interrupt`].
    ///
    /// ```
    /// use intermission::{HostFunction, Value};
    ///
    /// let pay = HostFunction::sync("pay", |call| match call.resume() {
    ///     None => Err(call.interrupt("Pay?", Value::Undefined)),
    ///     Some(resume) => Ok(resume.resolution.clone()),
    /// });
    /// ```
    pub fn interrupt(&self, payload: impl Into<Value>, state: impl Into<Value>) -> HostError {
        let ask = Interrupt::new(payload);
        match state.into() {
            Value::Undefined => ask.into(),
            state => ask.state(state).into(),
        }
    }

    pub(crate) fn outbox(&self) -> Option<&Outbox> {
        self.0.outbox.as_ref()
    }

    /// Aborted when nobody waits for the outcome any more.
    pub fn abort_signal(&self) -> &AbortSignal {
        &self.0.abort
    }

    /// The encoded array of arguments, as the script sent it.
    pub fn argument_bytes(&self) -> &[u8] {
        &self.0.arguments
    }

    /// All arguments; a hole is `undefined`.
    pub fn arguments(&self) -> Vec<Value> {
        argument_list(&self.0.arguments)
    }

    /// The first argument; `undefined` where there is none.
    pub fn input(&self) -> Value {
        self.arguments().into_iter().next().unwrap_or_default()
    }

    /// The first argument as a Rust type.
    ///
    /// # Errors
    /// A `TypeError` for the script, with the path to what does not fit.
    pub fn input_as<T: DeserializeOwned>(&self) -> Result<T, HostError> {
        self.convert(self.input())
    }

    /// All arguments as a tuple or a list.
    ///
    /// # Errors
    /// A `TypeError` for the script, with the path to what does not fit.
    pub fn arguments_as<T: DeserializeOwned>(&self) -> Result<T, HostError> {
        self.convert(Value::array(self.arguments()))
    }

    fn convert<T: DeserializeOwned>(&self, value: Value) -> Result<T, HostError> {
        from_value(value).map_err(|error| {
            HostError::new(format!("{} cannot take these arguments: {error}", self.host_function()))
                .with_name("TypeError")
                .with_code("HOST_INPUT_INVALID")
        })
    }
}

impl fmt::Debug for HostCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostCall")
            .field("host_function", &self.host_function())
            .field("request_id", &self.request_id())
            .field("arguments", &self.arguments())
            .finish_non_exhaustive()
    }
}
