//! Strings as JavaScript has them: sequences of UTF-16 units, lone surrogates included.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};

use indexmap::Equivalent;

use crate::wtf8::{self, Chunk};

/// A JavaScript string. Nearly always UTF-8 text; with a lone surrogate, which UTF-8 can't hold, WTF-8.
///
/// ```
/// use intermission_value::JsString;
///
/// let plain = JsString::from("grüezi");
/// assert_eq!(plain.as_str(), Some("grüezi"));
///
/// let half = JsString::from_utf16(&[0x61, 0xd83d]);
/// assert_eq!(half.as_str(), None);
/// assert_eq!(half.to_string_lossy(), "a\u{fffd}");
/// assert_eq!(half.to_utf16(), [0x61, 0xd83d]);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct JsString(Text);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Text {
    Utf8(String),
    /// Well-formed, with one lone surrogate or more.
    Wtf8(Vec<u8>),
}

impl JsString {
    /// The text, unless there is a lone surrogate in it.
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Text::Utf8(text) => Some(text),
            Text::Wtf8(_) => None,
        }
    }

    /// The text, with U+FFFD in the place of each lone surrogate.
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        match &self.0 {
            Text::Utf8(text) => Cow::Borrowed(text),
            Text::Wtf8(_) => Cow::Owned(self.to_string()),
        }
    }

    /// The text, unless there is a lone surrogate in it.
    pub fn into_string(self) -> Option<String> {
        match self.0 {
            Text::Utf8(text) => Some(text),
            Text::Wtf8(_) => None,
        }
    }

    /// The bytes: UTF-8, or WTF-8 where there is a lone surrogate.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Text::Utf8(text) => text.as_bytes(),
            Text::Wtf8(bytes) => bytes,
        }
    }

    /// A string of WTF-8 bytes. `None` where they are not WTF-8; a surrogate pair written as two halves is not.
    pub fn from_wtf8(bytes: Vec<u8>) -> Option<Self> {
        match String::from_utf8(bytes) {
            Ok(text) => Some(Self(Text::Utf8(text))),
            Err(error) => {
                let bytes = error.into_bytes();
                wtf8::has_surrogate(&bytes)?;
                Some(Self(Text::Wtf8(bytes)))
            }
        }
    }

    /// The string of these UTF-16 units: any sequence is one.
    pub fn from_utf16(units: &[u16]) -> Self {
        let mut bytes = Vec::with_capacity(units.len());
        for unit in char::decode_utf16(units.iter().copied()) {
            match unit {
                Ok(character) => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                Err(lone) => wtf8::push_surrogate(&mut bytes, lone.unpaired_surrogate()),
            }
        }
        Self::from_checked_wtf8(bytes)
    }

    /// The UTF-16 units; their number is the string's `length` in JavaScript.
    pub fn to_utf16(&self) -> Vec<u16> {
        let mut units = Vec::with_capacity(self.as_bytes().len());
        for chunk in wtf8::chunks(self.as_bytes()) {
            match chunk {
                Chunk::Text(text) => units.extend(text.encode_utf16()),
                Chunk::Surrogate(unit) => units.push(unit),
                Chunk::Invalid => {}
            }
        }
        units
    }

    /// The array index that this string is as a property key: `0` to `4294967294` in decimal (ECMA-262, 6.1.7).
    pub fn as_array_index(&self) -> Option<u32> {
        array_index(self.as_bytes())
    }

    /// For bytes that are known to be WTF-8.
    pub(crate) fn from_checked_wtf8(bytes: Vec<u8>) -> Self {
        Self(String::from_utf8(bytes).map_or_else(|error| Text::Wtf8(error.into_bytes()), Text::Utf8))
    }
}

/// See [`JsString::as_array_index`].
pub(crate) fn array_index(key: &[u8]) -> Option<u32> {
    let canonical = match key {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.len() < 10 && rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    if !canonical {
        return None;
    }
    let index = key.iter().fold(0, |index, digit| index * 10 + u64::from(digit - b'0'));
    u32::try_from(index).ok().filter(|index| *index != u32::MAX)
}

impl Default for JsString {
    fn default() -> Self {
        Self(Text::Utf8(String::new()))
    }
}

impl From<&str> for JsString {
    fn from(text: &str) -> Self {
        Self(Text::Utf8(text.to_owned()))
    }
}

impl From<String> for JsString {
    fn from(text: String) -> Self {
        Self(Text::Utf8(text))
    }
}

impl PartialEq<str> for JsString {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialEq<&str> for JsString {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

/// As `str` does, so that a `str` finds its key (`Equivalent`).
impl Hash for JsString {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Text::Utf8(text) => text.hash(state),
            Text::Wtf8(bytes) => bytes.hash(state),
        }
    }
}

impl Equivalent<JsString> for str {
    fn equivalent(&self, key: &JsString) -> bool {
        key == self
    }
}

/// The text, with U+FFFD in the place of each lone surrogate.
impl fmt::Display for JsString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in wtf8::chunks(self.as_bytes()) {
            match chunk {
                Chunk::Text(text) => f.write_str(text)?,
                Chunk::Surrogate(_) | Chunk::Invalid => f.write_char(char::REPLACEMENT_CHARACTER)?,
            }
        }
        Ok(())
    }
}

/// Quoted, lone surrogates as `\u{d83d}`.
impl fmt::Debug for JsString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for chunk in wtf8::chunks(self.as_bytes()) {
            match chunk {
                Chunk::Text(text) => write!(f, "{}", text.escape_debug())?,
                Chunk::Surrogate(unit) => write!(f, "\\u{{{unit:x}}}")?,
                Chunk::Invalid => {}
            }
        }
        f.write_char('"')
    }
}
