//! Identities, in forms that never change.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::{Encoding, Specification};
use rand::RngCore;
use sha2::{Digest, Sha256};

/// RFC 4648 base32, lower case and without padding.
fn base32() -> Encoding {
    let mut specification = Specification::new();
    specification.symbols.push_str("abcdefghijklmnopqrstuvwxyz234567");
    specification.encoding().expect("32 different symbols")
}

/// A run: stable over every pause, resume and replay. Shown as `run_` and 26 characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId([u8; 16]);

impl RunId {
    /// A new one: a UUID of version 7 (RFC 9562), so that runs sort by the time they began.
    #[expect(clippy::disallowed_methods, reason = "an id is made where a run begins, never on replay")]
    pub(crate) fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
        let mut bytes = [0; 16];
        rand::rng().fill_bytes(&mut bytes);
        bytes[..6].copy_from_slice(&now.to_be_bytes()[2..]);
        bytes[6] = bytes[6] & 0x0f | 0x70;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        Self(bytes)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "run_{}", base32().encode(&self.0))
    }
}

impl fmt::Debug for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One pass over a run's source. Shown as `inv_` and 26 characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InvocationId([u8; 16]);

impl InvocationId {
    pub(crate) fn new() -> Self {
        Self(RunId::new().0)
    }
}

impl fmt::Display for InvocationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "inv_{}", base32().encode(&self.0))
    }
}

impl fmt::Debug for InvocationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The key under which a host call's effect happens once: SHA-256 over the canonical encoding of
/// `["intermission.key.1", run id, request index, host function, arguments]`, 26 characters of base32 behind `key_`.
pub(crate) fn idempotency_key(
    run: RunId,
    request_index: u32,
    host_function: &str,
    arguments: &[u8],
) -> String {
    let mut hash = Sha256::new();
    hash.update([0x85]);
    for text in ["intermission.key.1", &run.to_string()] {
        hash.update(intermission_value::encode(&text.into()).expect("a short text"));
    }
    hash.update(intermission_value::encode(&f64::from(request_index).into()).expect("a number"));
    hash.update(intermission_value::encode(&host_function.into()).expect("a short text"));
    hash.update(arguments);
    let digest = base32().encode(&hash.finalize());
    format!("key_{}", &digest[..26])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_never_changes_for_the_same_call() {
        let run = RunId([7; 16]);
        assert_eq!(run.to_string(), "run_a4dqobyha4dqobyha4dqobyha4");
        let key = idempotency_key(run, 3, "t.refund", &[0x81, 0x0a]);
        assert_eq!(key, idempotency_key(run, 3, "t.refund", &[0x81, 0x0a]));
        assert_ne!(key, idempotency_key(run, 4, "t.refund", &[0x81, 0x0a]));
        assert_ne!(key, idempotency_key(run, 3, "t.refund", &[0x81, 0x0b]));
        assert_ne!(key, idempotency_key(run, 3, "t.refunds", &[0x81, 0x0a]));
        assert_eq!(key.len(), 30);
    }

    #[test]
    fn runs_sort_by_the_time_they_began() {
        let (earlier, later) = (RunId([0; 16]), RunId::new());
        assert!(earlier < later);
        assert_eq!(later.0[6] >> 4, 7);
        assert_eq!(later.0[8] >> 6, 2);
    }
}
