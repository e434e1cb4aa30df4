//! The connections that look at a file.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::SqliteOptions;
use super::file::{self, Act};

/// How many stay open while nobody looks.
const KEPT: usize = 4;

/// What one has in memory at most, in KiB. SQLite's own default is 2,000.
const CACHE_KIB: i64 = 16_384;

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
        // A long list is read in another order than it lies in: without room for it, page after page would be read again.
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        Ok(connection)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_looks_waits_for_nobody_and_few_connections_stay_open() {
        fn nested(readers: &Readers, depth: usize) -> Act<i64> {
            readers.look(|connection| {
                let deeper = if depth > 1 { nested(readers, depth - 1)? } else { 0 };
                connection.query_row("SELECT ?1 + 1", [deeper], |row| row.get(0))
            })
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.db");
        SqliteOptions::default().open(&path).unwrap();
        let readers = Readers::open(path, SqliteOptions::default()).unwrap();
        assert_eq!(nested(&readers, 10), Ok(10));
        assert_eq!(readers.idle().len(), KEPT);
        assert!(
            readers.look(|connection| connection.execute("DELETE FROM run", [])).is_err(),
            "it only looks"
        );
    }
}
