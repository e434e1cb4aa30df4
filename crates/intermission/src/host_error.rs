//! What a host function throws.

use intermission_value::{ErrorCode, ErrorValue, Value};

/// An error of a host function, as the script sees it: `name`, `message` and `code` of an `Error`. Every Rust error becomes one, with its own text and the
/// texts of its sources, by `?`.
///
/// ```
/// use intermission::HostError;
///
/// let error = HostError::new("no user 7; did you mean 8?").with_name("RangeError").with_code("NO_USER");
/// assert_eq!(error.to_string(), "RangeError: no user 7; did you mean 8?");
///
/// fn parse(text: &str) -> Result<i32, HostError> {
///     Ok(text.parse::<i32>()?)
/// }
/// assert_eq!(parse("x").unwrap_err().message(), "invalid digit found in string");
/// ```
///
/// It is also how a host function interrupts: [`HostCall::interrupt`](crate::HostCall::interrupt) makes one that no script ever sees.
#[derive(Clone, Debug, PartialEq)]
pub struct HostError {
    name: String,
    message: String,
    code: Option<String>,
    interrupt: Option<Box<Interrupt>>,
}

/// A host function's wish to ask before it goes on.
///
/// ```
/// use intermission::{HostError, Interrupt, Value};
///
/// let ask = Interrupt::new("Pay 10?").state(Value::from(1)).expires_at(1_800_000_000_000).default(false);
/// let error: HostError = ask.into();
/// assert_eq!(error.code(), Some("INTERRUPTED"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Interrupt {
    pub(crate) payload: Value,
    pub(crate) state: Option<Value>,
    pub(crate) expires: Option<u64>,
    pub(crate) default: Option<Value>,
}

impl Interrupt {
    /// A question, and what is shown to whoever answers it.
    pub fn new(payload: impl Into<Value>) -> Self {
        Self { payload: payload.into(), state: None, expires: None, default: None }
    }

    /// What the function gets back with the answer. Shown to nobody.
    #[must_use]
    pub fn state(mut self, state: impl Into<Value>) -> Self {
        self.state = Some(state.into());
        self
    }

    /// When it can no longer be answered, in milliseconds since 1970. Then the call is rejected with a `TimeoutError`, unless there is a
    /// [default](Self::default).
    #[must_use]
    pub fn expires_at(mut self, time: u64) -> Self {
        self.expires = Some(time);
        self
    }

    /// What stands for an answer when nobody answered in time.
    #[must_use]
    pub fn default(mut self, answer: impl Into<Value>) -> Self {
        self.default = Some(answer.into());
        self
    }
}

impl From<Interrupt> for HostError {
    fn from(interrupt: Interrupt) -> Self {
        let error = Self::new("the host function interrupted the run").with_code("INTERRUPTED");
        Self { interrupt: Some(Box::new(interrupt)), ..error }
    }
}

impl HostError {
    /// An `Error` with a message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { name: "Error".to_owned(), message: message.into(), code: None, interrupt: None }
    }

    /// Its name, for example `TypeError`: the script gets an instance of the built-in error of that name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Its `code`.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Its code.
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }

    /// The same failure with nothing of the host in it.
    pub(crate) fn redacted() -> Self {
        Self::new("the host function failed").with_code("HOST_FUNCTION_FAILED")
    }

    pub(crate) fn into_interrupt(self) -> Result<Box<Interrupt>, Self> {
        match self.interrupt {
            Some(interrupt) => Ok(interrupt),
            None => Err(self),
        }
    }

    pub(crate) fn to_value(&self) -> Value {
        let mut error = ErrorValue::new(self.name.as_str(), self.message.as_str());
        error.code = self.code.as_deref().map(|code| ErrorCode::String(code.into()));
        Value::Error(Box::new(error))
    }
}

impl std::fmt::Display for HostError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.message)
    }
}

impl<E: std::error::Error> From<E> for HostError {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(": ");
            message.push_str(&cause.to_string());
            source = cause.source();
        }
        Self::new(message)
    }
}
