//! Why a store could not do what it was asked to.

/// Why a store could not do what it was asked to. Nothing of the operation happened then, and nothing is lost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no room left.
    #[error("{place}: there is no room left to write: make room, and go on ({why})")]
    Full {
        /// The store.
        place: String,
        /// In its own words.
        why: String,
    },
    /// It can be read and not written.
    #[error("{place}: it cannot be written: check who may write the file and its folder ({why})")]
    ReadOnly {
        /// The store.
        place: String,
        /// In its own words.
        why: String,
    },
    /// Somebody else has held it for too long.
    #[error("{place}: another process has held it locked for too long: try again ({why})")]
    Locked {
        /// The store.
        place: String,
        /// In its own words.
        why: String,
    },
    /// What is in it is not what was written.
    #[error("{place}: it is damaged: restore it from a copy ({why})")]
    Corrupt {
        /// The store.
        place: String,
        /// What is wrong.
        why: String,
    },
    /// It is something else than a store of this project.
    #[error("{place}: this is no store of runs: give another file")]
    NotAStore {
        /// What was opened.
        place: String,
    },
    /// A newer version wrote it.
    #[error(
        "{place}: it has schema {found}, and this version knows schemas up to {known}: use a newer version"
    )]
    Newer {
        /// The store.
        place: String,
        /// Its schema.
        found: u32,
        /// The newest that is known.
        known: u32,
    },
    /// It cannot be reached.
    #[error("{place}: it cannot be opened: {why}")]
    Unreachable {
        /// The store.
        place: String,
        /// In its own words.
        why: String,
    },
    /// Anything else.
    #[error("{place}: {why}")]
    Failed {
        /// The store.
        place: String,
        /// In its own words.
        why: String,
    },
}

impl StoreError {
    /// The stable code: what a program decides by.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Full { .. } => "STORE_FULL",
            Self::ReadOnly { .. } => "STORE_READ_ONLY",
            Self::Locked { .. } => "STORE_LOCKED",
            Self::Corrupt { .. } => "STORE_CORRUPT",
            Self::NotAStore { .. } => "STORE_NOT_A_STORE",
            Self::Newer { .. } => "STORE_NEWER",
            Self::Unreachable { .. } => "STORE_UNREACHABLE",
            Self::Failed { .. } => "STORE_FAILED",
        }
    }
}
