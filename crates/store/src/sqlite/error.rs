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
