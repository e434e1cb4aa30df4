//! A function that the host lends to scripts.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt};
use intermission_value::{Value, to_value};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{HostCall, HostError};

/// What may happen when a call is made again, because its outcome was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// It has no effect.
    Pure,
    /// Again with the same idempotency key is the same as once.
    Idempotent,
    /// Again is twice.
    #[default]
    Unsafe,
}

/// What is known about a host function: each as it was given to [`HostFunction`]'s method of the same name.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Declared<'f> {
    /// `group.name` or `name`.
    pub name: &'f str,
    /// What it does.
    pub description: Option<&'f str>,
    /// A JSON Schema of its first argument.
    pub input_schema: Option<&'f serde_json::Value>,
    /// A JSON Schema of its result.
    pub output_schema: Option<&'f serde_json::Value>,
    /// What may happen when a call is made again.
    pub effect: Effect,
    /// Whether the script stands still until it has answered.
    pub blocking: bool,
    /// Whether each call is asked about first.
    pub approval: bool,
}

impl Effect {
    /// `pure`, `idempotent`, `unsafe`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::Idempotent => "idempotent",
            Self::Unsafe => "unsafe",
        }
    }
}

/// What is known of a call whose outcome was lost.
#[derive(Clone, Debug, PartialEq)]
pub enum Reconciled {
    /// It was made, and this came of it.
    Happened(Result<Value, HostError>),
    /// It was never made: it is made now, with the same idempotency key.
    DidNotHappen,
    /// Nobody knows: somebody is asked.
    Unknown,
}

type Handler = Arc<dyn Fn(HostCall) -> BoxFuture<'static, Result<Value, HostError>> + Send + Sync>;

pub(crate) type Probe =
    Arc<dyn Fn(HostCall) -> BoxFuture<'static, Result<Reconciled, HostError>> + Send + Sync>;

/// A host function: a name, what it does, and what is known about it.
///
/// ```
/// use intermission::{Effect, HostFunction};
/// use serde_json::json;
///
/// let add = HostFunction::typed_sync("math.add", |[a, b]: [f64; 2], _call| Ok(a + b))
///     .description("Adds two numbers")
///     .input_schema(json!({ "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 }))
///     .output_schema(json!({ "type": "number" }))
///     .effect(Effect::Pure);
/// assert_eq!(add.name(), "math.add");
/// ```
#[derive(Clone)]
pub struct HostFunction {
    pub(crate) name: Arc<str>,
    handler: Handler,
    pub(crate) description: Option<String>,
    pub(crate) input_schema: Option<serde_json::Value>,
    pub(crate) output_schema: Option<serde_json::Value>,
    pub(crate) effect: Effect,
    pub(crate) blocking: bool,
    pub(crate) approval: bool,
    pub(crate) probe: Option<Probe>,
    /// Whether it is `waitFor`, which is never invoked.
    pub(crate) awaits_event: bool,
}

impl HostFunction {
    /// An asynchronous function that gets the whole call.
    pub fn new<F, O>(
        name: impl Into<Arc<str>>,
        function: impl Fn(HostCall) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<O, HostError>> + Send + 'static,
        O: Into<Value>,
    {
        Self::from_handler(name, move |call| {
            let answer = function(call);
            async move { answer.await.map(Into::into) }.boxed()
        })
    }

    /// A function that answers at once.
    pub fn sync<O: Into<Value>>(
        name: impl Into<Arc<str>>,
        function: impl Fn(HostCall) -> Result<O, HostError> + Send + Sync + 'static,
    ) -> Self {
        Self::from_handler(name, move |call| std::future::ready(function(call).map(Into::into)).boxed())
    }

    /// An asynchronous function over Rust types: its first argument is read as `I`, its result written as JavaScript would see an `O`.
    pub fn typed<I, F, O>(
        name: impl Into<Arc<str>>,
        function: impl Fn(I, HostCall) -> F + Send + Sync + 'static,
    ) -> Self
    where
        I: DeserializeOwned,
        F: Future<Output = Result<O, HostError>> + Send + 'static,
        O: Serialize,
    {
        Self::from_handler(name, move |call| match call.input_as() {
            Ok(input) => {
                let answer = function(input, call);
                async move { Ok(to_value(&answer.await?)?) }.boxed()
            }
            Err(error) => std::future::ready(Err(error)).boxed(),
        })
    }

    /// As [`typed`](Self::typed), for a function that answers at once.
    pub fn typed_sync<I: DeserializeOwned, O: Serialize>(
        name: impl Into<Arc<str>>,
        function: impl Fn(I, HostCall) -> Result<O, HostError> + Send + Sync + 'static,
    ) -> Self {
        Self::from_handler(name, move |call| {
            let answer = call.input_as().and_then(|input| function(input, call));
            std::future::ready(answer.and_then(|output| Ok(to_value(&output)?))).boxed()
        })
    }

    /// A function that whoever drives an [`Execution`](crate::Execution) answers himself: its calls come out of [`advance`](crate::Execution::advance). Called
    /// in a run that nobody drives by hand, it is a rejection.
    pub fn driven(name: impl Into<Arc<str>>) -> Self {
        Self::from_handler(name, |call| crate::execution::ask_driver(call).boxed())
    }

    fn from_handler(
        name: impl Into<Arc<str>>,
        handler: impl Fn(HostCall) -> BoxFuture<'static, Result<Value, HostError>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            handler: Arc::new(handler),
            description: None,
            input_schema: None,
            output_schema: None,
            effect: Effect::default(),
            blocking: false,
            approval: false,
            probe: None,
            awaits_event: false,
        }
    }

    /// What it does, in a sentence or two: shown to whoever writes scripts.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// A JSON Schema of its first argument. A call that does not fit is rejected with a `TypeError` and the function is not run.
    #[must_use]
    pub fn input_schema(mut self, schema: serde_json::Value) -> Self {
        self.input_schema = Some(schema);
        self
    }

    /// A JSON Schema of its result. A result that does not fit is a rejection.
    #[must_use]
    pub fn output_schema(mut self, schema: serde_json::Value) -> Self {
        self.output_schema = Some(schema);
        self
    }

    /// What may happen when a call is made again. Default: [`Effect::Unsafe`].
    #[must_use]
    pub fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// How to find out what became of a call whose outcome was lost, because its process died while it was under way: by its
    /// [idempotency key](HostCall::idempotency_key). It must have no effect: it may be asked any number of times. Where it fails it does not know. For an [unsafe](Effect::Unsafe)
    /// function; others are simply called again. Default: somebody is [asked](crate::InterruptionKind::OutcomeUnknown).
    ///
    /// ```
    /// use intermission::{HostFunction, Reconciled, Value};
    ///
    /// # async fn payment(_key: String) -> Result<Option<f64>, std::io::Error> { Ok(None) }
    /// let refund = HostFunction::new("refund", |call| async move { Ok(call.input()) }).reconcile(|call| async move {
    ///     Ok(match payment(call.idempotency_key()).await? {
    ///         Some(amount) => Reconciled::Happened(Ok(Value::from(amount))),
    ///         None => Reconciled::DidNotHappen,
    ///     })
    /// });
    /// ```
    #[must_use]
    pub fn reconcile<F>(mut self, probe: impl Fn(HostCall) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Reconciled, HostError>> + Send + 'static,
    {
        self.probe = Some(Arc::new(move |call| probe(call).boxed()));
        self
    }

    /// Synchronous for the script: it gets the value itself, not a promise, and stands still until the function has answered.
    #[must_use]
    pub fn blocking(mut self) -> Self {
        self.blocking = true;
        self
    }

    /// Needs approval: each call is an [interruption](crate::Interruption) before the function is invoked, and is answered by
    /// [`Answer::Approve`](crate::Answer::Approve), [`ApproveWith`](crate::Answer::ApproveWith) other arguments, or [`Deny`](crate::Answer::Deny).
    /// A call whose arguments do not fit the input schema is rejected without asking. Not for a [blocking](Self::blocking) function.
    #[must_use]
    pub fn approval(mut self) -> Self {
        self.approval = true;
        self
    }

    /// `group.name` or `name`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is known about it.
    pub fn declared(&self) -> Declared<'_> {
        Declared {
            name: &self.name,
            description: self.description.as_deref(),
            input_schema: self.input_schema.as_ref(),
            output_schema: self.output_schema.as_ref(),
            effect: self.effect,
            blocking: self.blocking,
            approval: self.approval,
        }
    }

    /// `waitFor(key, { timeout })`, which every run has.
    pub(crate) fn wait_for() -> Self {
        let nobody = |_| Err::<Value, _>(HostError::new("an event is waited for, and no function invoked"));
        Self { awaits_event: true, ..Self::sync(crate::wait_for::NAME, nobody) }
    }

    /// Asks what became of a call. A probe that fails or panics does not know.
    pub(crate) async fn probe(&self, call: HostCall) -> Reconciled {
        let Some(probe) = &self.probe else { return Reconciled::Unknown };
        let probed = AssertUnwindSafe(async { probe(call).await }).catch_unwind().await;
        probed.unwrap_or(Ok(Reconciled::Unknown)).unwrap_or(Reconciled::Unknown)
    }

    /// Runs it. A panic is a rejection: it must not end the run of somebody else.
    pub(crate) async fn call(&self, call: HostCall) -> Result<Value, HostError> {
        let called = AssertUnwindSafe(async { (self.handler)(call).await }).catch_unwind().await;
        called.unwrap_or_else(|_| {
            let message = format!("the host function {} panicked", self.name);
            Err(HostError::new(message).with_code("HOST_FUNCTION_PANICKED"))
        })
    }
}

impl fmt::Debug for HostFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostFunction")
            .field("name", &self.name)
            .field("effect", &self.effect)
            .field("blocking", &self.blocking)
            .finish_non_exhaustive()
    }
}
