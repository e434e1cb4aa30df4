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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostError {
    name: String,
    message: String,
    code: Option<String>,
}

impl HostError {
    /// An `Error` with a message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { name: "Error".to_owned(), message: message.into(), code: None }
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
