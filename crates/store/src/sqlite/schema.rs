//! The schema's versions, and the way from each to the next.

use rusqlite::Connection;

/// `IMTR`: this file is a store of runs, whatever tells files by their first bytes.
pub(crate) const APPLICATION_ID: u32 = 0x494d_5452;

/// What leads from each version to the next, the first from nothing. Released steps are never changed: a new one is added.
const STEPS: &[&str] = &[include_str!("schema/1.sql"), include_str!("schema/2.sql")];

/// The newest version.
pub(crate) const NEWEST: u32 = STEPS.len() as u32;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Empty.
    Nothing,
    /// A store of this version.
    Version(u32),
    /// Something else.
    SomethingElse,
}

/// Looks at a file.
pub(crate) fn find(connection: &Connection) -> rusqlite::Result<Found> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, u32>(0));
    let (application, version) = (pragma("application_id")?, pragma("user_version")?);
    if application == APPLICATION_ID {
        return Ok(Found::Version(version));
    }
    let is_empty: bool =
        connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| row.get(0))?;
    let is_new = application == 0 && version == 0 && is_empty;
    Ok(if is_new { Found::Nothing } else { Found::SomethingElse })
}

/// Takes the remaining steps. To be called in a transaction.
pub(crate) fn migrate(connection: &Connection, from: u32) -> rusqlite::Result<()> {
    for (done, step) in STEPS.iter().enumerate().skip(from as usize) {
        connection.execute_batch(step)?;
        connection.pragma_update(None, "user_version", done as u32 + 1)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)
}
