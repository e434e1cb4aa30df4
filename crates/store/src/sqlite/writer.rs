//! The connection that writes to a file.

use std::collections::BTreeMap;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, TransactionState};

use super::file::Act;
use super::runs;
use crate::lease::Lease;
use crate::outcomes::Appended;
use crate::rows::Entries;

/// How often it appends before it leaves for a moment. Then what is in the log can be moved into the file.
const IN_A_ROW: u32 = 64;

/// How often it appends without staying once somebody else has written. Where several stay all the time, there is no moment at which the log could be begun anew.
const WARY_FOR: u32 = 64;

/// Anything that reads.
const READS: &str = "SELECT 1 FROM sqlite_schema";

/// The connection that writes.
///
/// A transaction of one statement takes six locks of SQLite's: four to begin to read and to end it, and two to write. Between the entries of runs, one batch after another, a connection *stays*: a read
/// is left open where the last one ended. The next takes the two locks alone, and if anybody else has written since, SQLite says so. What it costs: as long as it stays, nobody can move what was
/// written since out of SQLite's log. So it leaves for whatever else is written.
#[derive(Debug)]
pub(crate) struct Writer {
    connection: Connection,
    stay: Option<Stay>,
    wary_for: u32,
}

impl Writer {
    pub(crate) const fn new(connection: Connection) -> Self {
        Self { connection, stay: None, wary_for: 0 }
    }

    /// The connection, for whatever writes more than entries. It does not stay.
    pub(crate) fn leave(&mut self) -> &Connection {
        if self.stay.take().is_some() {
            end_read(&self.connection);
        }
        &self.connection
    }

    /// Appends entries that say nothing of questions, in a transaction of their own. Waits so long for others who write.
    pub(crate) fn append(&mut self, patience: Duration, lease: Lease, entries: &Entries) -> Act<Appended> {
        if let Some(stay) = self.stay.as_mut().filter(|_| is_reading(&self.connection)) {
            match stay.append(&self.connection, lease, entries) {
                Ok(Appended::Kept) if stay.lasts() => return Ok(Appended::Kept),
                // Somebody else has written since, or writes.
                Err(error) if is_busy(&error) => self.wary_for = WARY_FOR,
                done => {
                    self.leave();
                    return done;
                }
            }
        }
        self.leave().busy_timeout(patience)?;
        let appended = runs::append_quietly(&self.connection, lease, entries)?;
        if self.wary_for > 0 {
            self.wary_for -= 1;
        } else if appended == Appended::Kept {
            // No more than a chance to be quick.
            self.stay = begin_read(&self.connection).is_ok().then(Stay::default);
        }
        Ok(appended)
    }
}

/// As long as it stays, nobody else has written: what it has found out holds.
#[derive(Debug, Default)]
struct Stay {
    appended: u32,
    /// Who has leased what, and the numbers of the runs.
    leased: BTreeMap<Lease, i64>,
}

impl Stay {
    fn append(&mut self, connection: &Connection, lease: Lease, entries: &Entries) -> Act<Appended> {
        if let Some(run) = self.leased.get(&lease) {
            runs::insert(connection, *run, entries)?;
        } else {
            let Some(run) = runs::append_leased(connection, lease, entries)? else {
                return Ok(Appended::Lost);
            };
            self.leased.insert(lease, run);
        }
        self.appended += 1;
        Ok(Appended::Kept)
    }

    const fn lasts(&self) -> bool {
        self.appended < IN_A_ROW
    }
}

fn begin_read(connection: &Connection) -> Act<()> {
    let mut statement = connection.prepare_cached(READS)?;
    let mut rows = statement.query([])?;
    rows.next()?;
    // They own nothing: all that dropping them would do is to end the read. So the statement goes back among the prepared ones as it is.
    std::mem::forget(rows);
    Ok(())
}

/// That the statement is where it was left is not said by anybody but by this.
fn is_reading(connection: &Connection) -> bool {
    connection.transaction_state(Some(rusqlite::MAIN_DB)).is_ok_and(|state| state == TransactionState::Read)
}

fn end_read(connection: &Connection) {
    // Whatever rows there are of it, these are dropped.
    let _ = connection.prepare_cached(READS).and_then(|mut statement| statement.query([]).map(drop));
}

pub(crate) fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use intermission::RunId;

    use super::*;
    use crate::lease::WorkerId;
    use crate::outcomes::Created;
    use crate::rows::{Leasing, NewRun, Wanted};
    use crate::sqlite::columns::natural;
    use crate::sqlite::{file, schema};
    use crate::{SqliteOptions, SyncLevel};

    const PATIENCE: Duration = Duration::from_secs(5);

    /// How many pages SQLite moves at a time.
    const MOVED: u64 = 1_000;

    fn connect(path: &Path) -> Connection {
        let options = SqliteOptions::default().sync(SyncLevel::Normal);
        file::connect(path, &options, rusqlite::OpenFlags::SQLITE_OPEN_CREATE).unwrap()
    }

    /// A store in which a run is leased, until 10.
    struct Bed {
        _folder: tempfile::TempDir,
        path: PathBuf,
        writer: Writer,
        lease: Lease,
        appended: usize,
    }

    impl Bed {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("runs.db");
            let connection = connect(&path);
            connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).unwrap();
            schema::migrate(&connection, 0).unwrap();
            let run = NewRun {
                run_id: RunId::from_bytes([7; 16]),
                key: None,
                name: "script.js".to_owned(),
                format: 1,
                forked_from: None,
                entries: Entries { from: 0, count: 1, bytes: vec![0; 100] },
                asked: Vec::new(),
                now: 1,
            };
            let leasing = Leasing { worker: WorkerId::from_bytes([1; 16]), now: 1, until: 10 };
            let created = runs::create(&connection, &run, Some(leasing)).unwrap();
            let Created::New(Some(lease)) = created else { panic!("{created:?}") };
            Self { _folder: folder, path, writer: Writer::new(connection), lease, appended: 0 }
        }

        fn append_with(&mut self, patience: Duration) -> Act<Appended> {
            let entries = Entries { from: 1 + self.appended, count: 1, bytes: vec![1; 100] };
            let appended = self.writer.append(patience, self.lease, &entries);
            self.appended += usize::from(matches!(appended, Ok(Appended::Kept)));
            appended
        }

        fn append(&mut self) -> Act<Appended> {
            self.append_with(PATIENCE)
        }

        /// Whether all that was written can be moved out of the log, and the log be begun anew.
        fn is_in_nobodys_way(&self) -> bool {
            let connection = connect(&self.path);
            connection.busy_timeout(Duration::ZERO).unwrap();
            let checkpoint = "PRAGMA wal_checkpoint(RESTART)";
            let busy: i64 = connection.query_row(checkpoint, [], |row| row.get(0)).unwrap();
            busy == 0
        }

        /// How many batches of entries others see.
        fn kept(&self) -> usize {
            let count = "SELECT count(*) FROM entries";
            connect(&self.path).query_row(count, [], |row| natural(row, 0)).unwrap() as usize
        }

        /// How many pages the log has had at most.
        fn log(&self) -> u64 {
            std::fs::metadata(self.path.with_file_name("runs.db-wal")).unwrap().len() / 4096
        }

        /// Somebody else has the run from now on.
        fn take_over(&self) {
            let leasing = Leasing { worker: WorkerId::from_bytes([2; 16]), now: 20, until: 30 };
            let taken = runs::claim(&connect(&self.path), leasing, &Wanted::Run(self.lease.run_id));
            assert_eq!(taken.unwrap().len(), 1);
        }
    }

    #[test]
    fn it_stays_between_entries_and_leaves_for_anything_else() {
        let mut bed = Bed::new();
        for batches in 2..6 {
            assert_eq!(bed.append(), Ok(Appended::Kept));
            assert!(!bed.is_in_nobodys_way());
            assert_eq!(bed.kept(), batches, "it is committed nevertheless");
        }
        bed.writer.leave();
        assert!(bed.is_in_nobodys_way());
    }

    #[test]
    fn what_others_have_written_meanwhile_is_no_obstacle() {
        let mut bed = Bed::new();
        let other = connect(&bed.path);
        for batches in 2..6 {
            assert_eq!(bed.append(), Ok(Appended::Kept));
            other.execute("UPDATE run SET updated = updated + 1", []).unwrap();
            assert_eq!(bed.kept(), batches);
        }
    }

    #[test]
    fn another_who_writes_is_waited_for_as_long_as_there_is_patience() {
        let mut bed = Bed::new();
        bed.append().unwrap();
        let other = connect(&bed.path);
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        assert!(is_busy(&bed.append_with(Duration::ZERO).unwrap_err()));
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| bed.append());
            other.execute_batch("COMMIT").unwrap();
            assert_eq!(waits.join().unwrap(), Ok(Appended::Kept));
        });
        assert_eq!(bed.kept(), 3);
    }

    #[test]
    fn whoever_has_lost_the_lease_appends_nothing_however_long_he_has_stayed() {
        for before in 0..4 {
            let mut bed = Bed::new();
            for _ in 0..before {
                assert_eq!(bed.append(), Ok(Appended::Kept));
            }
            bed.take_over();
            assert_eq!(bed.append(), Ok(Appended::Lost));
            assert_eq!(bed.kept(), 1 + before);
            assert!(bed.is_in_nobodys_way());
        }
    }

    #[test]
    fn what_held_before_it_stays_is_found_out_again() {
        let mut bed = Bed::new();
        bed.append().unwrap();
        // Between its commit and its read somebody else can write.
        bed.writer.leave();
        bed.take_over();
        begin_read(&bed.writer.connection).unwrap();
        bed.writer.stay = Some(Stay::default());
        assert_eq!(bed.append(), Ok(Appended::Lost));
        assert_eq!(bed.kept(), 2);
    }

    #[test]
    fn a_statement_that_fails_has_it_leave() {
        let mut bed = Bed::new();
        bed.append().unwrap();
        bed.append().unwrap();
        bed.appended = 0;
        assert!(bed.append().is_err(), "these entries are there already");
        assert!(bed.is_in_nobodys_way());
        bed.appended = 2;
        assert_eq!(bed.append(), Ok(Appended::Kept));
    }

    #[test]
    fn the_log_is_moved_into_the_file_however_long_it_goes_on() {
        let mut bed = Bed::new();
        for _ in 0..3_000 {
            bed.append().unwrap();
        }
        assert!(bed.log() < MOVED + 5 * u64::from(IN_A_ROW), "{} pages", bed.log());
        assert_eq!(bed.kept(), 3_001);
    }

    #[test]
    fn the_log_is_moved_into_the_file_however_many_write_in_turns() {
        let mut bed = Bed::new();
        let mut others = [(); 2].map(|()| Writer::new(connect(&bed.path)));
        for _ in 0..2_000 {
            bed.append().unwrap();
            for other in &mut others {
                std::mem::swap(&mut bed.writer, other);
                assert_eq!(bed.append(), Ok(Appended::Kept));
                std::mem::swap(&mut bed.writer, other);
            }
        }
        assert!(bed.log() < MOVED + 10 * u64::from(WARY_FOR), "{} pages", bed.log());
        assert_eq!(bed.kept(), 6_001);
    }
}
