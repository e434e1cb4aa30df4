//! The environment of the process.

/// A variable, where it is there and is a text.
#[expect(
    clippy::disallowed_methods,
    reason = "a command line is told things by its environment; no run sees it"
)]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
