//! The connections that look at a file.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::SqliteOptions;
use super::file::{self, Act};

/// How many stay open while nobody looks.
const KEPT: usize = 4;

/// As many as look at the same time: nobody who looks waits for another.
#[derive(Debug)]
pub(crate) struct Readers {
    path: PathBuf,
    options: SqliteOptions,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// For the file at `path`, which is a store. The first is opened at once.
    pub(crate) fn open(path: PathBuf, options: SqliteOptions) -> Act<Self> {
        let readers = Self { path, options, idle: Mutex::default() };
        let first = readers.connect()?;
        readers.idle().push(first);
        Ok(readers)
    }

    /// Looks at what is there, all of it at one moment.
    pub(crate) fn look<T>(&self, act: impl FnOnce(&Connection) -> Act<T>) -> Act<T> {
        let idle = self.idle().pop();
        let connection = idle.map_or_else(|| self.connect(), Ok)?;
        // It ends when it is dropped.
        let transaction = connection.unchecked_transaction()?;
        let looked = act(&connection);
        drop(transaction);
        let mut idle = self.idle();
        if idle.len() < KEPT {
            idle.push(connection);
        }
        looked
    }

    fn connect(&self) -> Act<Connection> {
        let connection = file::connect(&self.path, &self.options)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
