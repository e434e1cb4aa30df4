//! A database file and the ways into it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use tokio::runtime::{Handle, RuntimeFlavor};

use super::crash::{Armed, Moment, Write};
use super::error::store_error;
use super::readers::Readers;
use super::runs;
use super::schema::{self, Found};
use super::writer::{Writer, is_busy};
use super::{SqliteOptions, SyncLevel};
use crate::StoreError;
use crate::lease::Lease;
use crate::outcomes::Appended;
use crate::rows::Entries;

/// What an act inside of a transaction gives.
pub(crate) type Act<T> = rusqlite::Result<T>;

/// One connection that writes, and those that look meanwhile.
#[derive(Debug)]
pub(crate) struct File {
    path: PathBuf,
    writer: Mutex<Writer>,
    readers: Readers,
    sync: SyncLevel,
    patience: Duration,
    armed: Armed,
}

impl File {
    pub(crate) fn open(path: &Path, options: &SqliteOptions) -> Result<Self, StoreError> {
        let failed = |error| store_error(&path.display().to_string(), &error);
        make_private(path);
        let mut writer = connect(path, options, OpenFlags::SQLITE_OPEN_CREATE).map_err(failed)?;
        let found = schema::find(&writer).map_err(failed)?;
        let place = || path.display().to_string();
        match found {
            Found::Version(found) if found > schema::NEWEST => {
                return Err(StoreError::Newer { place: place(), found, known: schema::NEWEST });
            }
            Found::SomethingElse => return Err(StoreError::NotAStore { place: place() }),
            Found::Nothing | Found::Version(_) => {}
        }
        // Before this nothing is changed. The file remembers it.
        writer.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).map_err(failed)?;
        if found != Found::Version(schema::NEWEST) {
            migrate(&mut writer).map_err(failed)?;
        }
        Ok(Self {
            path: path.to_owned(),
            writer: Mutex::new(Writer::new(writer)),
            readers: Readers::open(path, options.clone()).map_err(failed)?,
            sync: options.sync,
            patience: options.patience,
            armed: options.armed(),
        })
    }

    /// Does something in one transaction.
    pub(crate) async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        write: Write,
        act: impl FnOnce(&Connection) -> Act<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let act = match self.write_at_once(write, act) {
            Ok(written) => return written.map_err(|error| self.failed(&error)),
            Err(act) => act,
        };
        let file = Arc::clone(self);
        let task = tokio::task::spawn_blocking(move || {
            let mut writer = lock(&file.writer);
            let connection = writer.leave();
            connection.busy_timeout(file.patience)?;
            file.armed.pass(write, Moment::Before);
            begin(connection)?;
            file.finish(write, connection, act)
        });
        self.joined(task).await
    }

    /// Where nothing waits for the disk, a thread of its own costs more than the transaction. Gives the act back where it would have to wait.
    fn write_at_once<T, A: FnOnce(&Connection) -> Act<T>>(&self, write: Write, act: A) -> Result<Act<T>, A> {
        if self.sync == SyncLevel::Full {
            return Err(act);
        }
        let Ok(mut writer) = self.writer.try_lock() else { return Err(act) };
        let connection = writer.leave();
        self.armed.pass(write, Moment::Before);
        match connection.busy_timeout(Duration::ZERO).and_then(|()| begin(connection)) {
            Ok(()) => Ok(self.finish(write, connection, act)),
            Err(error) if is_busy(&error) => Err(act),
            Err(error) => Ok(Err(error)),
        }
    }

    /// Appends entries that say nothing of questions: one statement, and so a transaction by itself, which is half the work for what is written most. It is written on the thread that it is
    /// asked on, which others leave meanwhile where the runtime has several.
    pub(crate) async fn append(
        self: &Arc<Self>,
        lease: Lease,
        entries: Entries,
    ) -> Result<Appended, StoreError> {
        let write = Write::Append;
        // Between a statement and its commit there is no place to die in, but for the crash matrix.
        let is_whole = self.armed.is_at(write);
        if !is_whole
            && self.sync == SyncLevel::Normal
            && let Ok(mut writer) = self.writer.try_lock()
        {
            match writer.append(Duration::ZERO, lease, &entries) {
                Err(error) if is_busy(&error) => {}
                written => return written.map_err(|error| self.failed(&error)),
            }
        }
        if is_whole || Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread {
            return self.write(write, move |t| runs::append_quietly(t, lease, &entries)).await;
        }
        let patience = self.patience;
        tokio::task::block_in_place(|| lock(&self.writer).append(patience, lease, &entries))
            .map_err(|error| self.failed(&error))
    }

    /// Leaves, if the writer stays: who asks what others have written waits for something himself, and has nothing more to append at once. Others move the log meanwhile.
    pub(crate) fn make_way(&self) {
        // Whoever has it writes.
        if let Ok(mut writer) = self.writer.try_lock() {
            writer.leave();
        }
    }

    fn finish<T>(
        &self,
        write: Write,
        connection: &Connection,
        act: impl FnOnce(&Connection) -> Act<T>,
    ) -> Act<T> {
        let done = act(connection).and_then(|done| {
            self.armed.pass(write, Moment::Written);
            connection.prepare_cached("COMMIT")?.execute([])?;
            Ok(done)
        });
        if done.is_err() {
            end_what_is_left(connection)?;
        }
        self.armed.pass(write, Moment::Committed);
        done
    }

    /// Looks at what is there, all of it at one moment.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Connection) -> Act<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let file = Arc::clone(self);
        self.joined(tokio::task::spawn_blocking(move || file.readers.look(act))).await
    }

    /// Looks at a few rows, which takes less than the way to another thread. A reader waits for no writer.
    pub(crate) async fn glance<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Connection) -> Act<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        match self.readers.try_look(act) {
            Ok(looked) => looked.map_err(|error| self.failed(&error)),
            Err(act) => self.read(act).await,
        }
    }

    async fn joined<T>(&self, task: tokio::task::JoinHandle<Act<T>>) -> Result<T, StoreError> {
        match task.await {
            Ok(done) => done.map_err(|error| self.failed(&error)),
            Err(error) => Err(StoreError::Failed { place: self.place(), why: error.to_string() }),
        }
    }

    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        store_error(&self.place(), error)
    }

    fn place(&self) -> String {
        self.path.display().to_string()
    }
}

/// What is in there is whole, whoever panicked with it.
fn lock(writer: &Mutex<Writer>) -> MutexGuard<'_, Writer> {
    writer.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One that panicked may have left a transaction.
fn begin(connection: &Connection) -> Act<()> {
    end_what_is_left(connection)?;
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    Ok(())
}

fn end_what_is_left(connection: &Connection) -> Act<()> {
    if connection.is_autocommit() { Ok(()) } else { connection.execute_batch("ROLLBACK") }
}

pub(crate) fn connect(path: &Path, options: &SqliteOptions, flags: OpenFlags) -> Act<Connection> {
    let flags = flags
        | OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(options.patience)?;
    connection.pragma_update(None, "synchronous", options.sync.pragma())?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // Else a statement is planned anew whenever a limit is bound, for it could be another.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(64);
    if let Some(pages) = options.max_pages {
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
    }
    Ok(connection)
}

/// A new store is its owner's alone: what runs are told is nobody else's business. SQLite gives the files beside it the same rights. What cannot be made is
/// complained of when it is opened.
fn make_private(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let _ = std::fs::File::options().create_new(true).write(true).mode(0o600).open(path);
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Of several processes that open an old store at the same time, one migrates.
fn migrate(connection: &mut Connection) -> Act<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    match schema::find(&transaction)? {
        Found::Nothing => schema::migrate(&transaction, 0)?,
        Found::Version(version) => schema::migrate(&transaction, version)?,
        Found::SomethingElse => {}
    }
    transaction.commit()
}
