//! A file that a process goes on from: no other does meanwhile.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::terminal;

/// Held as long as it lives.
#[derive(Debug)]
pub(crate) struct HeldFile {
    _file: File,
}

impl HeldFile {
    /// Waits until nobody else goes on from the file.
    ///
    /// # Errors
    /// When it cannot be opened or locked.
    pub(crate) fn hold(path: &Path) -> io::Result<Self> {
        loop {
            let file = File::open(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let path = path.display();
                    terminal::show_line(&format!("waiting for another process, which goes on from {path}"));
                    file.lock()?;
                }
                // Some network file systems have no locks: then whoever shares the file has to see to it.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // Whoever held it has mostly put another in its place.
            if is_still(&file, path)? {
                return Ok(Self { _file: file });
            }
        }
    }
}

fn is_still(file: &File, path: &Path) -> io::Result<bool> {
    let (held, there) = (file.metadata()?, path.metadata()?);
    Ok((held.dev(), held.ino()) == (there.dev(), there.ino()))
}
