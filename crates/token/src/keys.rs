//! Keys, and their rotation.

use std::fmt;

use crate::error::KeyError;
use crate::lock;
use crate::secret::Secret;

/// The public name of a key: it stands readable in every token made with it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(String);

impl KeyId {
    const LONGEST: usize = 32;

    /// The id `text`.
    ///
    /// # Errors
    ///
    /// [`KeyError::IdMalformed`] unless it is 1 to 32 of the characters `A-Z a-z 0-9 . _ -`.
    pub fn new(text: impl Into<String>) -> Result<Self, KeyError> {
        let text = text.into();
        let well_formed = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
        if well_formed && (1..=Self::LONGEST).contains(&text.len()) {
            Ok(Self(text))
        } else {
            Err(KeyError::IdMalformed)
        }
    }

    /// The id of a secret that has no other: derived from it, and always the same.
    pub fn of(secret: &Secret) -> Self {
        Self(lock::fingerprint(secret))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A secret and its public name. The same secret serves sealed and signed tokens.
#[derive(Debug, Clone)]
pub struct Key {
    /// Written into tokens, so that the reader knows which secret to try.
    pub id: KeyId,
    /// Never written anywhere.
    pub secret: Secret,
}

/// One key or more, with distinct ids: tokens are written with the first and read with any.
///
/// To rotate, put the new key in front; drop the old one when the tokens made with it have expired.
#[derive(Debug, Clone)]
pub struct Keys(Vec<Key>);

impl Keys {
    /// These keys, the one to write with first.
    ///
    /// # Errors
    ///
    /// [`KeyError::Missing`] for none, [`KeyError::IdRepeated`] for two of one id.
    pub fn new(keys: impl IntoIterator<Item = Key>) -> Result<Self, KeyError> {
        let keys: Vec<Key> = keys.into_iter().collect();
        if keys.is_empty() {
            return Err(KeyError::Missing);
        }
        let repeated =
            keys.iter().enumerate().find(|(at, key)| keys[..*at].iter().any(|other| other.id == key.id));
        match repeated {
            Some((_, key)) => Err(KeyError::IdRepeated { id: key.id.to_string() }),
            None => Ok(Self(keys)),
        }
    }

    /// A list as in a configuration or the variable `INTERMISSION_KEY`: `id:secret` or a bare `secret`, with commas between.
    ///
    /// Secrets are written as [`Secret::parse`] has it; a bare one gets the id [`KeyId::of`].
    ///
    /// ```
    /// use intermission_token::Keys;
    ///
    /// let new = "bmV3OiBmb3IgZG9jdW1lbnRhdGlvbiwgbm90IGZvciB1c2U";
    /// let old = "b2xkOiBmb3IgZG9jdW1lbnRhdGlvbiwgbm90IGZvciB1c2U";
    /// let keys = Keys::parse(&format!("k2:{new},k1:{old}"))?;
    /// assert_eq!(keys.ids().map(|id| id.as_str()).collect::<Vec<_>>(), ["k2", "k1"]);
    /// # Ok::<(), intermission_token::KeyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Keys::new`]; [`KeyError::InList`] for a key that is wrong by itself.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        if text.trim().is_empty() {
            return Err(KeyError::Missing);
        }
        let keys = text.split(',').enumerate().map(|(index, item)| {
            parse_one(item.trim())
                .map_err(|error| KeyError::InList { number: index + 1, error: Box::new(error) })
        });
        Self::new(keys.collect::<Result<Vec<_>, _>>()?)
    }

    /// The keys' ids, in their order.
    pub fn ids(&self) -> impl Iterator<Item = &KeyId> {
        self.0.iter().map(|key| &key.id)
    }

    pub(crate) fn first(&self) -> &Key {
        &self.0[0]
    }

    pub(crate) fn get(&self, id: &[u8]) -> Option<&Key> {
        self.0.iter().find(|key| key.id.0.as_bytes() == id)
    }
}

fn parse_one(item: &str) -> Result<Key, KeyError> {
    if let Some((id, secret)) = item.split_once(':') {
        return Ok(Key { id: KeyId::new(id)?, secret: Secret::parse(secret)? });
    }
    let secret = Secret::parse(item)?;
    Ok(Key { id: KeyId::of(&secret), secret })
}
