//! Patterns of names: `mail.*`.

use std::ops::Range;

use toml::Spanned;

use crate::error::Problem;

/// A pattern, as it was written.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pattern: glob::Pattern,
    pub(crate) at: Range<usize>,
}

impl Pattern {
    /// `*` is any text, `?` any character, `[ab]` one of these.
    ///
    /// # Errors
    /// What is no pattern.
    pub(crate) fn read(text: &Spanned<String>, key: &str) -> Result<Self, Problem> {
        let at = text.span();
        match glob::Pattern::new(text.get_ref()) {
            Ok(pattern) => Ok(Self { pattern, at }),
            Err(error) => {
                let problem = format!("`{}` is no pattern: {}", text.get_ref(), error.msg);
                Err(Problem::Value { at, key: key.to_owned(), problem })
            }
        }
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        self.pattern.matches(name)
    }

    pub(crate) fn as_str(&self) -> &str {
        self.pattern.as_str()
    }
}
