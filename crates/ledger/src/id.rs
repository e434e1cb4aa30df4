//! Identities, in forms that never change.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use data_encoding::{Encoding, Specification};
use minicbor::{Decode, Encode};
use sha2::{Digest, Sha256};

/// RFC 4648 base32, lower case and without padding.
static BASE32: LazyLock<Encoding> = LazyLock::new(|| {
    let mut specification = Specification::new();
    specification.symbols.push_str("abcdefghijklmnopqrstuvwxyz234567");
    specification.encoding().expect("32 different symbols")
});

/// A run: stable over every pause, resume and replay. Shown as `run_` and 26 characters of base32.
///
/// ```
/// use intermission_ledger::RunId;
///
/// let run = RunId::from_bytes([7; 16]);
/// assert_eq!(run.to_string(), "run_a4dqobyha4dqobyha4dqobyha4");
/// assert_eq!("run_a4dqobyha4dqobyha4dqobyha4".parse(), Ok(run));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(transparent)]
pub struct RunId(#[cbor(n(0), with = "minicbor::bytes")] [u8; 16]);

impl RunId {
    /// Of the bytes of a UUID of version 7 (RFC 9562), so that runs sort by the time they began.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub const fn bytes(self) -> [u8; 16] {
        self.0
    }

    /// The host call's identity: `<run id>.<request index>`.
    pub fn request_id(self, request_index: u32) -> String {
        format!("{self}.{request_index}")
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "run_{}", BASE32.encode(&self.0))
    }
}

impl fmt::Debug for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no identity of the kind asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an id: {0} and 26 characters of a-z and 2-7 are expected")]
pub struct NotAnId(&'static str);

impl FromStr for RunId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let refused = NotAnId("run_");
        let digits = text.strip_prefix("run_").ok_or(refused)?;
        let bytes = BASE32.decode(digits.as_bytes()).map_err(|_| refused)?;
        Ok(Self(bytes.try_into().map_err(|_| refused)?))
    }
}

/// One question of one host call: `int_` and 26 characters of base32 of SHA-256 over the canonical encoding of
/// `[run id, request index, ordinal of the question]`. The same in every replay; another for the next question of the same call.
///
/// ```
/// use intermission_ledger::{InterruptionId, RunId};
///
/// let first = InterruptionId::new(RunId::from_bytes([7; 16]), 3, 1);
/// assert_eq!(first.as_str().len(), 30);
/// assert_ne!(first, InterruptionId::new(RunId::from_bytes([7; 16]), 3, 2));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InterruptionId(String);

impl InterruptionId {
    /// Of the question number `ordinal`, from 1, of the call `request_index`.
    pub fn new(run: RunId, request_index: u32, ordinal: u32) -> Self {
        let mut hash = Sha256::new();
        hash.update([0x83]);
        hash.update(text(&run.to_string()));
        hash.update(number(request_index));
        hash.update(number(ordinal));
        Self(format!("int_{}", short(hash)))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for InterruptionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for InterruptionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for InterruptionId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let digits = text.strip_prefix("int_").unwrap_or_default();
        let fits = digits.len() == 26 && digits.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'));
        if fits { Ok(Self(text.to_owned())) } else { Err(NotAnId("int_")) }
    }
}

/// The key under which a host call's effect happens once: `key_` and 26 characters of base32 of SHA-256 over the canonical encoding of
/// `["intermission.key.1", run id, request index, host function, arguments]`, the arguments being those that the function really gets.
pub fn idempotency_key(run: RunId, request_index: u32, host_function: &str, arguments: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update([0x85]);
    hash.update(text("intermission.key.1"));
    hash.update(text(&run.to_string()));
    hash.update(number(request_index));
    hash.update(text(host_function));
    hash.update(arguments);
    format!("key_{}", short(hash))
}

/// What stands for arguments where they are too long: `sha256:` and base32 of their hash.
pub fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", BASE32.encode(&Sha256::digest(bytes)))
}

fn short(hash: Sha256) -> String {
    let mut text = BASE32.encode(&hash.finalize());
    text.truncate(26);
    text
}

fn text(text: &str) -> Vec<u8> {
    intermission_value::encode(&text.into()).expect("a short text can be encoded")
}

fn number(number: u32) -> Vec<u8> {
    intermission_value::encode(&f64::from(number).into()).expect("a number can be encoded")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_keys_never_change() {
        let run = RunId([7; 16]);
        assert_eq!(InterruptionId::new(run, 3, 1).as_str(), "int_64fjibbtwa2jdea2y3jw4sp7ug");
        assert_eq!(idempotency_key(run, 3, "t.refund", &[0x81, 0x0a]), "key_dpga3t4sjxtcwj2mdcgsshrn7s");
    }

    #[test]
    fn a_key_is_that_of_one_call_with_its_arguments() {
        let run = RunId([7; 16]);
        let key = idempotency_key(run, 3, "t.refund", &[0x81, 0x0a]);
        assert_ne!(key, idempotency_key(RunId([8; 16]), 3, "t.refund", &[0x81, 0x0a]));
        assert_ne!(key, idempotency_key(run, 4, "t.refund", &[0x81, 0x0a]));
        assert_ne!(key, idempotency_key(run, 3, "t.refunds", &[0x81, 0x0a]));
        assert_ne!(key, idempotency_key(run, 3, "t.refund", &[0x81, 0x0b]));
    }

    #[test]
    fn only_ids_are_read_as_ids() {
        for text in ["", "run_", "int_a", "run_A4DQOBYHA4DQOBYHA4DQOBYHA4", "int_a4dqobyha4dqobyha4dqobyha1"]
        {
            assert!(text.parse::<RunId>().is_err(), "{text}");
            assert!(text.parse::<InterruptionId>().is_err(), "{text}");
        }
    }
}
