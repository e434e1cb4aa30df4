//! Who may go on with a run.

use std::fmt;

use intermission::RunId;
use rand::Rng;

/// Somebody who goes on with runs: a process, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId([u8; 16]);

impl WorkerId {
    /// A new one.
    pub fn new_random() -> Self {
        let mut bytes = [0; 16];
        rand::rng().fill_bytes(&mut bytes);
        Self(bytes)
    }

    /// Of bytes that were kept.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub const fn bytes(self) -> [u8; 16] {
        self.0
    }
}

impl fmt::Debug for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "worker_{:032x}", u128::from_be_bytes(self.0))
    }
}

/// The right to go on with a run, until somebody else has it.
///
/// Every time that a run is leased its fence grows by one. What is written under a lease is written only while the run's fence is still the lease's: whoever was held up for longer than
/// his lease, and lost it, writes nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lease {
    /// Of which run.
    pub run_id: RunId,
    /// The fencing token.
    pub fence: u64,
}
