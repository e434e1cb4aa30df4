//! A file that a process goes on from: no other does meanwhile.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::io::Errno;

use crate::failure::Failure;
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
    pub(crate) fn hold(path: &Path) -> Result<Self, Failure> {
        Self::wait_for(path).map_err(|error| Failure::unreadable(path, error))
    }

    fn wait_for(path: &Path) -> io::Result<Self> {
        loop {
            let file = open(path)?;
            let locked = match file.try_lock() {
                Ok(()) => Ok(()),
                Err(TryLockError::WouldBlock) => {
                    let path = path.display();
                    terminal::show_line(&format!("waiting for another process, which goes on from {path}"));
                    file.lock()
                }
                Err(TryLockError::Error(error)) => Err(error),
            };
            match locked {
                Err(error) if !has_no_locks(&error) => return Err(error),
                _ => {}
            }
            // Whoever held it has mostly put another in its place.
            if is_still(&file, path)? {
                return Ok(Self { _file: file });
            }
        }
    }
}

/// For writing where that is allowed: network file systems lock nothing else for one process alone (flock(2)).
fn open(path: &Path) -> io::Result<File> {
    match File::options().read(true).write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => File::open(path),
        opened => opened,
    }
}

/// Some file systems have no locks: then whoever shares the file has to see to it.
fn has_no_locks(error: &io::Error) -> bool {
    let errno = Errno::from_io_error(error);
    errno.is_some_and(|errno| [Errno::BADF, Errno::NOLCK, Errno::OPNOTSUPP, Errno::NOSYS].contains(&errno))
}

fn is_still(file: &File, path: &Path) -> io::Result<bool> {
    let (held, there) = (file.metadata()?, path.metadata()?);
    Ok((held.dev(), held.ino()) == (there.dev(), there.ino()))
}
