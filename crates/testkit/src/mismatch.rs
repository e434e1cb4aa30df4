//! What is not as a page says.

use std::fmt;

/// What a door did that is not right, with the page, the line and the case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The page's file.
    pub file: String,
    /// The step's line in it, from 1.
    pub line: usize,
    /// Which step, from 1.
    pub step: usize,
    /// What is not right, one thing each.
    pub differences: Vec<String>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, step, differences } = self;
        write!(f, "{file}:{line}: step {step}:")?;
        differences.iter().try_for_each(|difference| write!(f, "\n  {difference}"))
    }
}

impl std::error::Error for Mismatch {}

/// Notes what is expected and seen, where they are not the same.
pub(crate) fn compare<T: fmt::Display>(
    differences: &mut Vec<String>,
    what: &str,
    same: bool,
    expected: T,
    seen: T,
) {
    if !same {
        differences.push(format!("{what}: expected {expected}, seen {seen}"));
    }
}

/// `[a, b]`
pub(crate) fn list<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let texts: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", texts.join(", "))
}
