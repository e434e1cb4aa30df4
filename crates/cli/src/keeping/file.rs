//! Files with continuations: for their owner alone, and whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::KeepError;
use crate::failure::Failure;

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
    check_owner(path, there.uid(), there.mode(), rustix::process::geteuid().as_raw())?;
    Ok(())
}

fn check_owner(path: &Path, owner: u32, mode: u32, me: u32) -> Result<(), KeepError> {
    let path = || path.to_owned();
    match (owner, mode & 0o022) {
        (owner, _) if owner != me && owner != 0 => Err(KeepError::OthersOwn { path: path() }),
        (_, 0) => Ok(()),
        _ => Err(KeepError::OthersWrite { path: path() }),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_trusted_that_nobody_but_this_user_and_the_superuser_can_have_written() {
        let refused =
            |owner, mode| check_owner(Path::new("a"), owner, mode, 1000).err().map(|why| why.to_string());
        for (owner, mode) in [(1000, 0o600), (1000, 0o644), (0, 0o644)] {
            assert_eq!(refused(owner, mode), None, "{owner} {mode:o}");
        }
        for (owner, mode) in [(1000, 0o620), (1000, 0o602), (0, 0o666)] {
            let why = "a is not protected, and others than its owner can write it";
            assert_eq!(refused(owner, mode).as_deref(), Some(why), "{owner} {mode:o}");
        }
        assert_eq!(refused(1001, 0o600).as_deref(), Some("a is not protected, and belongs to another user"));
    }
}
