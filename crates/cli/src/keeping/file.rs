//! Files with continuations: for their owner alone, and whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::KeepError;
use crate::failure::Failure;
use crate::ownership::{Suspect, me, suspect};

/// A new file, never over another.
pub(super) fn create(path: &Path, text: &str) -> io::Result<()> {
    let folder = folder(path);
    written(&folder, text)?.persist_noclobber(path)?;
    File::open(folder)?.sync_all()
}

/// The file that is there, which may be a link, with other contents.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    put(&path.canonicalize()?, text)
}

/// A file, there or not, with these contents. Whoever reads it meanwhile gets the old ones or the new ones.
pub(crate) fn put(path: &Path, text: &str) -> io::Result<()> {
    let folder = folder(path);
    written(&folder, text)?.persist(path)?;
    File::open(folder)?.sync_all()
}

/// That a file could be written there.
pub(super) fn check_folder(path: &Path) -> io::Result<()> {
    NamedTempFile::new_in(folder(path)).map(drop).map_err(without_name)
}

/// That nobody else can have changed a file: it is this user's or the superuser's, and its owner alone can write it.
pub(super) fn check_nobody_else_writes(path: &Path) -> Result<(), Failure> {
    let read = |error| Failure::unreadable(path, error);
    let there = path.metadata().map_err(read)?;
    let path = path.to_owned();
    match suspect(there.uid(), there.mode(), me()) {
        None => Ok(()),
        Some(Suspect::OthersOwn) => Err(KeepError::OthersOwn { path }.into()),
        Some(Suspect::OthersWrite) => Err(KeepError::OthersWrite { path }.into()),
    }
}

/// A file of another name in the folder, which only its owner can read.
fn written(folder: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new_in(folder).map_err(without_name)?;
    writeln!(file, "{text}")?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// The name of the file that was to become the other is nobody's business.
#[expect(clippy::needless_pass_by_value, reason = "the form that `map_err` wants")]
fn without_name(error: io::Error) -> io::Error {
    error.kind().into()
}

fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}
