//! What one run is asked to do.

use std::borrow::Cow;
use std::sync::Arc;

use intermission_source::SourceKind;
use intermission_value::Value;

use crate::{AbortSignal, Limits, ModuleLoader};

/// A source and what it is given. Everything but the source has a default.
///
/// ```
/// use intermission::{RunInput, Value};
///
/// let input = RunInput::new("return input.n + 1").input(Value::object([("n", 41.0)]));
/// assert_eq!(input.source, "return input.n + 1");
/// ```
#[derive(Clone)]
pub struct RunInput<'a> {
    /// JavaScript or TypeScript, as a model may have written it: docs/source.md.
    pub source: Cow<'a, str>,
    /// How it is run. Default: a module where it imports or exports, else a function body.
    pub kind: SourceKind,
    /// Its name in stack traces and error messages. Default: `script.js`.
    pub name: Cow<'a, str>,
    /// The global `input`. Default: `undefined`.
    pub input: Value,
    /// The global `data`, which the script may change: its final state is part of the result. Default: `undefined`.
    pub data: Value,
    /// The seed of `Math.random` and `crypto`. Default: a new one.
    pub seed: Option<[u8; 32]>,
    /// Limits. Default: the runner's.
    pub limits: Option<Limits>,
    /// Where modules come from. Default: the runner's.
    pub modules: Option<Arc<dyn ModuleLoader>>,
    /// Ends the invocation when aborted.
    pub abort: Option<AbortSignal>,
}

impl<'a> RunInput<'a> {
    /// A run of `source` with nothing but defaults.
    pub fn new(source: impl Into<Cow<'a, str>>) -> Self {
        Self {
            source: source.into(),
            kind: SourceKind::Auto,
            name: Cow::Borrowed("script.js"),
            input: Value::Undefined,
            data: Value::Undefined,
            seed: None,
            limits: None,
            modules: None,
            abort: None,
        }
    }

    /// Sets the global `input`.
    #[must_use]
    pub fn input(mut self, input: impl Into<Value>) -> Self {
        self.input = input.into();
        self
    }

    /// Sets the global `data`.
    #[must_use]
    pub fn data(mut self, data: impl Into<Value>) -> Self {
        self.data = data.into();
        self
    }

    /// Sets the script's name.
    #[must_use]
    pub fn name(mut self, name: impl Into<Cow<'a, str>>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets how the source is run.
    #[must_use]
    pub fn kind(mut self, kind: SourceKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(mut self, seed: [u8; 32]) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets where modules come from.
    #[must_use]
    pub fn modules(mut self, modules: impl ModuleLoader + 'static) -> Self {
        self.modules = Some(Arc::new(modules));
        self
    }

    /// Sets what ends the invocation.
    #[must_use]
    pub fn abort(mut self, signal: AbortSignal) -> Self {
        self.abort = Some(signal);
        self
    }
}

impl<'a, S: Into<Cow<'a, str>>> From<S> for RunInput<'a> {
    fn from(source: S) -> Self {
        Self::new(source)
    }
}
