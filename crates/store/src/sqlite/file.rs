//! A database file and the ways into it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use super::crash::{Armed, Moment, Write};
use super::error::store_error;
use super::schema::{self, Found};
use super::{SqliteOptions, SyncLevel};
use crate::StoreError;

/// What an act inside of a transaction gives.
pub(crate) type Act<T> = rusqlite::Result<T>;

/// One connection that writes, and one that reads meanwhile.
#[derive(Debug)]
pub(crate) struct File {
    path: PathBuf,
    writer: Mutex<Connection>,
    reader: Mutex<Connection>,
    sync: SyncLevel,
    patience: Duration,
    armed: Armed,
}

impl File {
    pub(crate) fn open(path: &Path, options: &SqliteOptions) -> Result<Self, StoreError> {
        let failed = |error| store_error(&path.display().to_string(), &error);
        let mut writer = connect(path, options).map_err(failed)?;
        match schema::find(&writer).map_err(failed)? {
            Found::Version(found) if found == schema::NEWEST => {}
            Found::Version(found) if found > schema::NEWEST => {
                let place = path.display().to_string();
                return Err(StoreError::Newer { place, found, known: schema::NEWEST });
            }
            Found::SomethingElse => return Err(StoreError::NotAStore { place: path.display().to_string() }),
            Found::Nothing | Found::Version(_) => migrate(&mut writer).map_err(failed)?,
        }
        let reader = connect(path, options).map_err(failed)?;
        reader.pragma_update(None, "query_only", true).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            writer: Mutex::new(writer),
            reader: Mutex::new(reader),
            sync: options.sync,
            patience: options.patience,
            armed: options.armed(),
        })
    }

    /// Does something in one transaction.
    pub(crate) async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        write: Write,
        act: impl FnOnce(&Transaction<'_>) -> Act<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let act = match self.write_at_once(write, act) {
            Ok(written) => return written.map_err(|error| self.failed(&error)),
            Err(act) => act,
        };
        let file = Arc::clone(self);
        let task = tokio::task::spawn_blocking(move || {
            let mut connection = lock(&file.writer);
            connection.busy_timeout(file.patience)?;
            let transaction = file.begin(write, &mut connection)?;
            file.finish(write, transaction, act)
        });
        self.joined(task).await
    }

    /// Where nothing waits for the disk, a thread of its own costs more than the transaction. Gives the act back where it would have to wait.
    fn write_at_once<T, A: FnOnce(&Transaction<'_>) -> Act<T>>(
        &self,
        write: Write,
        act: A,
    ) -> Result<Act<T>, A> {
        if self.sync == SyncLevel::Full {
            return Err(act);
        }
        let Ok(mut connection) = self.writer.try_lock() else { return Err(act) };
        match connection.busy_timeout(Duration::ZERO).and_then(|()| self.begin(write, &mut connection)) {
            Ok(transaction) => Ok(self.finish(write, transaction, act)),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Err(act),
            Err(error) => Ok(Err(error)),
        }
    }

    fn begin<'c>(&self, write: Write, connection: &'c mut Connection) -> Act<Transaction<'c>> {
        self.armed.pass(write, Moment::Before);
        connection.transaction_with_behavior(TransactionBehavior::Immediate)
    }

    fn finish<T>(
        &self,
        write: Write,
        transaction: Transaction<'_>,
        act: impl FnOnce(&Transaction<'_>) -> Act<T>,
    ) -> Act<T> {
        let done = act(&transaction)?;
        self.armed.pass(write, Moment::Written);
        transaction.commit()?;
        self.armed.pass(write, Moment::Committed);
        Ok(done)
    }

    /// Looks at what is there, all of it at one moment.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Transaction<'_>) -> Act<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let file = Arc::clone(self);
        let task = tokio::task::spawn_blocking(move || act(&lock(&file.reader).transaction()?));
        self.joined(task).await
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

/// What is in there is whole, whoever panicked with it: a transaction that is dropped is rolled back.
fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

fn connect(path: &Path, options: &SqliteOptions) -> Act<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(options.patience)?;
    // Of something that is no store nothing is changed.
    if schema::find(&connection)? != Found::SomethingElse {
        connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    }
    connection.pragma_update(None, "synchronous", options.sync.pragma())?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_prepared_statement_cache_capacity(64);
    if let Some(pages) = options.max_pages {
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
    }
    Ok(connection)
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
