//! Whether a store is to be trusted: whoever can write it decides what its runs have done.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::keeping::shell_path;
use crate::ownership::{Suspect, me, suspect};

/// Why a store is not opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Untrusted {
    #[error("{} is a link: whoever made it chose what stands behind it", path.display())]
    Link { path: PathBuf },
    #[error("{} belongs to another user", path.display())]
    OthersOwn { path: PathBuf },
    #[error("others than its owner can write {}", path.display())]
    OthersWrite { path: PathBuf },
    #[error("{} cannot be looked at: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
}

impl Untrusted {
    /// What to do.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Link { path } => Some(format!("name what is behind it: `ls -ld {}`", shell_path(path))),
            Self::OthersOwn { .. } => {
                Some("name a place of your own with `--store FILE`, in a folder of your own".to_owned())
            }
            Self::OthersWrite { path } => Some(format!(
                "if you trust what is in it: `chmod go-w {}`; else name a place in a folder of your own with `--store FILE`",
                shell_path(path)
            )),
            Self::Unreadable { .. } => None,
        }
    }
}

/// That nobody else can have written a store, or can put another in its place.
///
/// # Errors
/// Where somebody can.
pub(crate) fn check(file: &Path) -> Result<(), Untrusted> {
    check_place(folder(file))?;
    check_place(file)
}

/// The same of its folder, in which it is not yet.
pub(crate) fn check_folder(file: &Path) -> Result<(), Untrusted> {
    check_place(folder(file))
}

fn check_place(place: &Path) -> Result<(), Untrusted> {
    let path = || place.to_owned();
    let there = look(place)?;
    if there.is_symlink() {
        return Err(Untrusted::Link { path: path() });
    }
    match suspect(there.uid(), there.mode(), me()) {
        None => Ok(()),
        Some(Suspect::OthersOwn) => Err(Untrusted::OthersOwn { path: path() }),
        Some(Suspect::OthersWrite) => Err(Untrusted::OthersWrite { path: path() }),
    }
}

/// What there is to say of a store that others can read: what its runs were told is in it.
pub(crate) fn readable(file: &Path) -> Option<Diagnostic> {
    let (there, folder) = (look(file).ok()?, look(folder(file)).ok()?);
    let is_readable = there.mode() & 0o044 != 0 && folder.mode() & 0o011 != 0;
    is_readable.then(|| {
        let message = format!("others can read {}, and in it what its runs were told", file.display());
        Diagnostic::warning("STORE_READABLE", message).hint(format!("`chmod go-rwx {}`", shell_path(file)))
    })
}

fn look(place: &Path) -> Result<Metadata, Untrusted> {
    place.symlink_metadata().map_err(|error| Untrusted::Unreadable { path: place.to_owned(), error })
}

/// The folder that a file is in, or would be.
pub(crate) fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
