//! Identities that are made here, where there is a clock and randomness.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use intermission_ledger::RunId;
use rand::Rng;

/// A new run: a UUID of version 7 (RFC 9562), so that runs sort by the time they began.
#[expect(clippy::disallowed_methods, reason = "an id is made where a run begins, never on replay")]
pub(crate) fn new_run_id() -> RunId {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
    let mut bytes = [0; 16];
    rand::rng().fill_bytes(&mut bytes);
    bytes[..6].copy_from_slice(&now.to_be_bytes()[2..]);
    bytes[6] = bytes[6] & 0x0f | 0x70;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    RunId::from_bytes(bytes)
}

/// One pass over a run's source. Shown as `inv_` and 26 characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InvocationId(RunId);

impl InvocationId {
    pub(crate) fn new() -> Self {
        Self(new_run_id())
    }
}

impl fmt::Display for InvocationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = self.0.to_string();
        write!(f, "inv_{}", run.trim_start_matches("run_"))
    }
}

impl fmt::Debug for InvocationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_sort_by_the_time_they_began() {
        let (earlier, later) = (RunId::from_bytes([0; 16]), new_run_id());
        assert!(earlier < later);
        assert_eq!(later.bytes()[6] >> 4, 7);
        assert_eq!(later.bytes()[8] >> 6, 2);
    }
}
