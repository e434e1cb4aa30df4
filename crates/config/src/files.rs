//! Files that somebody names, read with a bound.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// No file of this size is a script, an input or a configuration: 64 MiB.
pub const MOST_BYTES: u64 = 64 << 20;

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The system says so.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It has more than [`MOST_BYTES`].
    #[error("{} has more than {MOST_BYTES} bytes", path.display())]
    TooLarge {
        /// Which file.
        path: PathBuf,
    },
}

impl FileError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Read { .. } => "FILE_UNREADABLE",
            Self::TooLarge { .. } => "FILE_TOO_LARGE",
        }
    }
}

/// The bytes of a file.
///
/// # Errors
/// [`FileError`].
pub fn read_file(path: &Path) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    let path = path.to_owned();
    match read {
        Ok(_) if bytes.len() as u64 > MOST_BYTES => Err(FileError::TooLarge { path }),
        Ok(_) => Ok(bytes),
        Err(error) => Err(FileError::Read { path, error }),
    }
}
