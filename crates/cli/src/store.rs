//! The store of runs: where it is, how it is made, and how it is found again.

use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use intermission_store::{SqliteStore, StoreError};

use crate::arguments::StoreArguments;
use crate::failure::Failure;
use crate::keeping::shell_word;

/// Where runs are kept, if nobody says where: in a folder of the working directory.
pub(crate) const FOLDER: &str = ".intermission";
const FILE: &str = "runs.db";

impl StoreArguments {
    /// The database.
    pub(crate) fn path(&self) -> PathBuf {
        self.store.clone().unwrap_or_else(|| Path::new(FOLDER).join(FILE))
    }

    /// The store; made, if it is not there.
    ///
    /// # Errors
    /// Where it cannot be made or opened.
    pub(crate) fn open_or_make(&self) -> Result<Arc<SqliteStore>, Failure> {
        let path = self.path();
        if !path.exists() {
            self.make(&path).map_err(|error| StoreError::Unreachable {
                place: path.display().to_string(),
                why: error.to_string(),
            })?;
        }
        open(&path)
    }

    /// The store that is there.
    ///
    /// # Errors
    /// Where there is none, or it cannot be opened.
    pub(crate) fn open(&self) -> Result<Arc<SqliteStore>, Failure> {
        let path = self.path();
        if path.exists() { open(&path) } else { Err(Failure::NoStore { path }) }
    }

    /// What commands have to be told to find the same store.
    pub(crate) fn option(&self) -> String {
        self.store
            .as_deref()
            .map_or_else(String::new, |path| format!(" --store {}", shell_word(&path.display().to_string())))
    }

    /// For its owner alone: what runs are told is nobody else's business, and no repository's.
    fn make(&self, path: &Path) -> io::Result<()> {
        if self.store.is_none() {
            DirBuilder::new().recursive(true).mode(0o700).create(FOLDER)?;
            let ignore = Path::new(FOLDER).join(".gitignore");
            if !ignore.exists() {
                std::fs::write(ignore, "*\n")?;
            }
        } else if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        match File::options().create_new(true).write(true).mode(0o600).open(path) {
            Ok(mut file) => file.flush(),
            // Another process was quicker.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn open(path: &Path) -> Result<Arc<SqliteStore>, Failure> {
    Ok(Arc::new(SqliteStore::open(path)?))
}
