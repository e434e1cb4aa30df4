//! What is wrong with a page.

use std::path::PathBuf;

/// Why a page cannot be read. Shown with file and line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// The file, or the folder, cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The page is not as pages are.
    #[error("{file}:{line}: {why}")]
    Malformed {
        /// The page.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and what is expected.
        why: String,
    },
}
