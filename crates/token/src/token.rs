//! The text that is handed out.

use std::fmt;

use crate::text::PREFIX;

/// A token's text: a bearer secret, which whoever has it can use.
///
/// `Display` and [`as_str`](Self::as_str) give the text; `Debug` never does, so that a log of a structure holds none.
///
/// ```
/// use intermission_token::Token;
///
/// let token = Token::from("imt1_2dN5…".to_owned());
/// assert_eq!(format!("{token:?}"), "Token(imt1_…, 12 bytes)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, without a copy.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// Takes any text; what it is worth says [`read`](crate::read()).
impl From<String> for Token {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl AsRef<str> for Token {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = if self.0.starts_with(PREFIX) { PREFIX } else { "" };
        write!(formatter, "Token({prefix}…, {} bytes)", self.0.len())
    }
}
