//! What only writer and reader know.

use std::fmt;

use data_encoding::{BASE64_NOPAD, BASE64URL_NOPAD, Encoding, HEXLOWER_PERMISSIVE};
use zeroize::Zeroizing;

use crate::error::KeyError;

/// The fewest bytes of a secret: as many as the keys that are derived from it.
pub(crate) const LEAST: usize = 32;

/// At least 32 random bytes, from which the key of each token is derived.
///
/// `Debug` prints nothing of it; its memory is cleared when it is dropped.
#[derive(Clone)]
pub struct Secret(Zeroizing<Vec<u8>>);

impl Secret {
    /// A secret of these bytes.
    ///
    /// # Errors
    ///
    /// [`KeyError::SecretTooShort`] for fewer than 32.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        Self::checked(Zeroizing::new(bytes.to_vec()))
    }

    /// A secret written in hexadecimal, base64 or base64url (RFC 4648, padded or not).
    ///
    /// A text of hexadecimal digits alone is taken for hexadecimal.
    ///
    /// ```
    /// use intermission_token::Secret;
    ///
    /// assert!(Secret::parse("ZG9jdW1lbnRhdGlvbiBvbmx5LCBuZXZlciBmb3IgdXM=").is_ok());
    /// assert_eq!(Secret::parse("hunter2!").unwrap_err().code(), "KEY_SECRET_MALFORMED");
    /// assert_eq!(Secret::parse("c2hvcnQ").unwrap_err().code(), "KEY_SECRET_TOO_SHORT");
    /// ```
    ///
    /// # Errors
    ///
    /// [`KeyError::SecretMalformed`] for a text of another kind, [`KeyError::SecretTooShort`] for fewer than 32 bytes.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let digits = text.trim_end_matches('=');
        let mut bytes = Zeroizing::new(vec![0; digits.len()]);
        let length =
            decode(&encoding(digits), digits.as_bytes(), &mut bytes).ok_or(KeyError::SecretMalformed)?;
        bytes.truncate(length);
        Self::checked(bytes)
    }

    fn checked(bytes: Zeroizing<Vec<u8>>) -> Result<Self, KeyError> {
        if bytes.len() < LEAST {
            Err(KeyError::SecretTooShort { used: bytes.len() })
        } else {
            Ok(Self(bytes))
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

fn encoding(digits: &str) -> Encoding {
    if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        HEXLOWER_PERMISSIVE
    } else if digits.contains(['-', '_']) {
        BASE64URL_NOPAD
    } else {
        BASE64_NOPAD
    }
}

/// Into memory that will be cleared, whose length is at least that of `digits`.
fn decode(encoding: &Encoding, digits: &[u8], bytes: &mut [u8]) -> Option<usize> {
    let length = encoding.decode_len(digits.len()).ok()?;
    encoding.decode_mut(digits, bytes.get_mut(..length)?).ok()
}
