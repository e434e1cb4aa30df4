//! SQLite's errors as a store's.

use rusqlite::{Error, ErrorCode};

use crate::StoreError;

/// What an error means. `place` is the file.
pub(crate) fn store_error(place: &str, error: &Error) -> StoreError {
    let (place, why) = (place.to_owned(), error.to_string());
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full { place, why },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreError::ReadOnly { place, why },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked { place, why },
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Corrupt { place, why },
        Some(ErrorCode::NotADatabase) => StoreError::NotAStore { place },
        Some(ErrorCode::CannotOpen) => StoreError::Unreachable { place, why },
        _ => match error {
            // A row that says what no row says.
            Error::FromSqlConversionFailure(..)
            | Error::InvalidColumnType(..)
            | Error::IntegralValueOutOfRange(..) => StoreError::Corrupt { place, why },
            _ => StoreError::Failed { place, why },
        },
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::{Connection, OpenFlags};

    use super::*;

    fn code(error: &Error) -> &'static str {
        store_error("here", error).code()
    }

    fn file() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE a (b)").unwrap();
        (folder, path)
    }

    #[test]
    fn a_file_that_cannot_be_written_is_told_from_one_that_is_full() {
        let (_folder, path) = file();
        let only_read = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        assert_eq!(code(&only_read.execute("INSERT INTO a VALUES (1)", []).unwrap_err()), "STORE_READ_ONLY");
        let full = Connection::open(&path).unwrap();
        full.pragma_update_and_check(None, "max_page_count", 2, |_| Ok(())).unwrap();
        let error = full.execute("INSERT INTO a VALUES (zeroblob(100000))", []).unwrap_err();
        assert_eq!(code(&error), "STORE_FULL");
        assert_eq!(
            store_error("here", &error).to_string(),
            "here: there is no room left to write: make room, and go on (database or disk is full)"
        );
    }

    #[test]
    fn what_no_row_can_say_is_damage() {
        let (_folder, path) = file();
        let connection = Connection::open(&path).unwrap();
        let is_text = connection.query_row("SELECT 'text'", [], |row| row.get::<_, i64>(0)).unwrap_err();
        assert_eq!(code(&is_text), "STORE_CORRUPT");
        assert_eq!(code(&connection.execute("no SQL", []).unwrap_err()), "STORE_FAILED");
    }
}
