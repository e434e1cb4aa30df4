//! The store of runs: where it is, how it is made, and how it is found again.

mod trust;

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use intermission::{Continuation, RunId};
use intermission_store::{RunsError, SqliteStore, Store, StoreError};

pub(crate) use self::trust::{Untrusted, check_folder, folder, readable};
use crate::arguments::StoreArguments;
use crate::failure::Failure;
use crate::keeping::shell_path;
use crate::terminal;

/// Where runs are kept, if nobody says where: in a folder of the working directory.
pub(crate) const FOLDER: &str = ".intermission";
const FILE: &str = "runs.db";

/// The ledger of a run, as far as it is kept.
///
/// # Errors
/// Where there is no such run, or nothing can be read.
pub(crate) async fn ledger(store: &dyn Store, run_id: RunId) -> Result<Continuation, Failure> {
    let loaded = store.load(run_id).await?.ok_or(RunsError::NoRun { run_id })?;
    Ok(Continuation::from_bytes(&loaded.ledger).map_err(RunsError::from)?)
}

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
        if is_there(&path) {
            return self.open();
        }
        self.make_folder(&path)?;
        Ok(Arc::new(SqliteStore::open(path)?))
    }

    /// The store that is there.
    ///
    /// # Errors
    /// Where there is none, it is not to be trusted, or it cannot be opened.
    pub(crate) fn open(&self) -> Result<Arc<SqliteStore>, Failure> {
        let path = self.path();
        let store = open(&path)?;
        terminal::show(&readable(&path));
        Ok(store)
    }

    /// What commands have to be told to find the same store.
    pub(crate) fn option(&self) -> String {
        self.store.as_deref().map_or_else(String::new, |path| format!(" --store {}", shell_path(path)))
    }

    /// For its owner alone: what runs are told is nobody else's business, and no repository's.
    fn make_folder(&self, path: &Path) -> Result<(), Failure> {
        let unreachable = |error: io::Error| StoreError::Unreachable {
            place: path.display().to_string(),
            why: error.to_string(),
        };
        DirBuilder::new().recursive(true).mode(0o700).create(folder(path)).map_err(unreachable)?;
        check_folder(path)?;
        let ignore = Path::new(FOLDER).join(".gitignore");
        if self.store.is_none() && !ignore.exists() {
            std::fs::write(ignore, "*\n").map_err(unreachable)?;
        }
        Ok(())
    }
}

/// Whether there is anything: a link that leads nowhere is something, too.
pub(crate) fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// The store that is there.
///
/// # Errors
/// Where there is none, it is not to be trusted, or it cannot be opened.
pub(crate) fn open(path: &Path) -> Result<Arc<SqliteStore>, Failure> {
    if !is_there(path) {
        return Err(Failure::NoStore { path: path.to_owned() });
    }
    trust::check(path)?;
    Ok(Arc::new(SqliteStore::open(path)?))
}
