//! The connections that look at a file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OpenFlags, ffi};

use super::SqliteOptions;
use super::file::{self, Act};

/// How many there are at most. SQLite gives no descriptor of a file back while the process writes to it, and a look mostly takes microseconds.
const MOST: usize = 4;

/// What one has in memory at most, in KiB. SQLite's own default is 2,000.
const CACHE_KIB: i64 = 8_192;

/// A few can look at the same time. They are opened as they are wanted, and stay.
#[derive(Debug)]
pub(crate) struct Readers {
    /// Whatever becomes of the working directory.
    path: PathBuf,
    identity: Identity,
    options: SqliteOptions,
    pool: Mutex<Pool>,
    given_back: Condvar,
}

#[derive(Debug, Default)]
struct Pool {
    idle: Vec<Connection>,
    open: usize,
}

impl Pool {
    /// Whether the next has to wait.
    fn is_full(&self) -> bool {
        self.idle.is_empty() && self.open >= MOST
    }
}

/// One that is taken out of the pool, until it is dropped.
struct Reader<'r> {
    readers: &'r Readers,
    /// Absent where it is not opened yet, or could not be.
    connection: Option<Connection>,
}

impl Readers {
    /// For the file at `path`, which is a store. The first is opened at once.
    pub(crate) fn open(path: &Path, options: SqliteOptions) -> Act<Self> {
        let path = std::path::absolute(path).map_err(|error| cannot_open(&error.to_string()))?;
        let identity = Identity::of(&path).map_err(|error| cannot_open(&error.to_string()))?;
        let readers = Self { path, identity, options, pool: Mutex::default(), given_back: Condvar::new() };
        readers.look(|_| Ok(()))?;
        Ok(readers)
    }

    /// Looks at what is there, all of it at one moment. Waits where too many look.
    pub(crate) fn look<T>(&self, act: impl FnOnce(&Connection) -> Act<T>) -> Act<T> {
        let pool = self
            .given_back
            .wait_while(self.pool(), |pool| pool.is_full())
            .unwrap_or_else(PoisonError::into_inner);
        self.take(pool).look(act)
    }

    /// The same, where nobody has to be waited for; else gives the act back.
    pub(crate) fn try_look<T, A: FnOnce(&Connection) -> Act<T>>(&self, act: A) -> Result<Act<T>, A> {
        let pool = self.pool();
        if pool.is_full() {
            return Err(act);
        }
        Ok(self.take(pool).look(act))
    }

    /// Out of a pool that has one, or room for one.
    fn take(&self, mut pool: MutexGuard<'_, Pool>) -> Reader<'_> {
        let connection = pool.idle.pop();
        if connection.is_none() {
            pool.open += 1;
        }
        Reader { readers: self, connection }
    }

    fn connect(&self) -> Act<Connection> {
        // The writer still has the file that was there: what is at its path now may be another.
        if Identity::of(&self.path).ok() != Some(self.identity) {
            return Err(cannot_open("the file is not the one that was opened, or is gone"));
        }
        let connection = file::connect(&self.path, &self.options, OpenFlags::empty())?;
        connection.pragma_update(None, "query_only", true)?;
        // A long list is read in another order than it lies in: without room for it, page after page would be read again.
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        Ok(connection)
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reader<'_> {
    fn look<T>(mut self, act: impl FnOnce(&Connection) -> Act<T>) -> Act<T> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.readers.connect()?,
        };
        let connection = self.connection.insert(connection);
        // It ends when it is dropped.
        let _transaction = connection.unchecked_transaction()?;
        act(connection)
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        // One whose look panicked, or that cannot even end it, is not looked through again.
        let sound = self
            .connection
            .take()
            .filter(|connection| connection.is_autocommit() && !std::thread::panicking());
        let mut pool = self.readers.pool();
        match sound {
            Some(connection) => pool.idle.push(connection),
            None => pool.open -= 1,
        }
        self.readers.given_back.notify_one();
    }
}

/// Which file a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    #[cfg(unix)]
    device: u64,
    #[cfg(unix)]
    number: u64,
}

impl Identity {
    #[cfg(unix)]
    fn of(path: &Path) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;
        let metadata = fs::metadata(path)?;
        Ok(Self { device: metadata.dev(), number: metadata.ino() })
    }

    #[cfg(not(unix))]
    fn of(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|_| Self {})
    }
}

fn cannot_open(why: &str) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CANTOPEN), Some(why.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.db");
        SqliteOptions::default().open(&path).unwrap();
        (folder, path)
    }

    /// How many connections nobody has, and how many there are.
    fn counted(readers: &Readers) -> (usize, usize) {
        let pool = readers.pool();
        (pool.idle.len(), pool.open)
    }

    fn nested(readers: &Readers, depth: usize) -> Act<i64> {
        readers.look(|connection| {
            let deeper = if depth > 1 { nested(readers, depth - 1)? } else { 0 };
            connection.query_row("SELECT ?1 + 1", [deeper], |row| row.get(0))
        })
    }

    #[test]
    fn a_few_look_at_the_same_time_and_the_next_waits_for_one_of_them() {
        let (_folder, path) = store();
        let readers = Readers::open(&path, SqliteOptions::default()).unwrap();
        assert_eq!(nested(&readers, MOST), Ok(MOST as i64));
        assert_eq!(counted(&readers), (MOST, MOST));
        std::thread::scope(|scope| {
            let held: Vec<_> = (0..MOST).map(|_| readers.take(readers.pool())).collect();
            assert!(readers.try_look(|_| Ok(())).is_err(), "none is free");
            let waits = scope.spawn(|| nested(&readers, 1));
            drop(held);
            assert_eq!(waits.join().unwrap(), Ok(1));
        });
        assert_eq!(counted(&readers), (MOST, MOST));
        let written = readers.look(|connection| connection.execute("DELETE FROM run", []));
        assert!(written.is_err(), "it only looks");
    }

    #[test]
    fn one_that_could_not_be_opened_or_whose_look_panicked_leaves_room_for_another() {
        let (_folder, path) = store();
        let readers = Readers::open(&path, SqliteOptions::default()).unwrap();
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            readers.look(|_| -> Act<()> { panic!("a look") })
        }));
        assert!(panicked.is_err());
        assert_eq!(counted(&readers), (0, 0));
        fs::rename(&path, path.with_extension("old")).unwrap();
        let gone = nested(&readers, 1).unwrap_err();
        assert_eq!(gone.to_string(), "the file is not the one that was opened, or is gone");
        assert!(!path.exists(), "no other is made in its place");
        fs::rename(path.with_extension("old"), &path).unwrap();
        assert_eq!(nested(&readers, 1), Ok(1));
    }
}
