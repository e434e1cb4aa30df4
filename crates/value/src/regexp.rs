//! Regular expressions, as text: nothing here compiles them.

use crate::JsString;

/// A regular expression as its `source` and `flags` accessors give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegExp(Box<Parts>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    source: JsString,
    flags: String,
}

impl RegExp {
    /// `None` where no RegExp has this source and these flags: the source is empty (`(?:)` is the empty pattern), a `/`
    /// outside of a class or a line break in it is not escaped, or the flags are not some of `dgimsuvy` in this order.
    /// Whether the pattern compiles is only known in the sandbox.
    ///
    /// ```
    /// use intermission_value::RegExp;
    ///
    /// assert!(RegExp::new("a+[/]", "gi").is_some());
    /// assert!(RegExp::new("a/b", "").is_none());
    /// assert!(RegExp::new("a", "ig").is_none());
    /// ```
    pub fn new(source: impl Into<JsString>, flags: &str) -> Option<Self> {
        let source = source.into();
        (is_source(source.as_bytes()) && are_flags(flags.as_bytes()))
            .then(|| Self(Box::new(Parts { source, flags: flags.to_owned() })))
    }

    /// The pattern, escaped: the text between the slashes of a literal.
    pub fn source(&self) -> &JsString {
        &self.0.source
    }

    /// Some of `dgimsuvy`, in this order.
    pub fn flags(&self) -> &str {
        &self.0.flags
    }

    /// `/source/flags` in WTF-8.
    pub(crate) fn to_literal(&self) -> JsString {
        let literal = [b"/", self.0.source.as_bytes(), b"/", self.0.flags.as_bytes()].concat();
        JsString::from_checked_wtf8(literal)
    }

    /// For the parts that [`split`] gives.
    pub(crate) fn from_checked(source: &[u8], flags: &str) -> Self {
        let source = JsString::from_checked_wtf8(source.to_vec());
        Self(Box::new(Parts { source, flags: flags.to_owned() }))
    }
}

/// Source and flags of a literal, if it is one that a RegExp gives.
pub(crate) fn split(literal: &[u8]) -> Option<(&[u8], &str)> {
    let body = literal.strip_prefix(b"/")?;
    let slash = body.iter().rposition(|byte| *byte == b'/')?;
    let (source, flags) = (body.get(..slash)?, body.get(slash + 1..)?);
    if !is_source(source) || !are_flags(flags) {
        return None;
    }
    Some((source, std::str::from_utf8(flags).ok()?))
}

/// Whether the engine's `source` accessor would give these bytes: escaping them again (ECMA-262, 22.2.6.13.1) changes nothing.
/// As in the engine, a `]` right behind the `[` of a class does not end the class.
fn is_source(source: &[u8]) -> bool {
    let mut in_class = false;
    let mut bytes = source.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if bytes.next().is_none() => return false,
            b'[' if !in_class => {
                in_class = true;
                bytes.next_if_eq(&b']');
            }
            b']' => in_class = false,
            b'/' if !in_class => return false,
            b'\n' | b'\r' => return false,
            _ => {}
        }
    }
    !source.is_empty()
}

fn are_flags(flags: &[u8]) -> bool {
    let mut left = b"dgimsuvy".iter();
    let ordered = flags.iter().all(|flag| left.any(|known| known == flag));
    ordered && !(flags.contains(&b'u') && flags.contains(&b'v'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_splits_at_its_last_slash() {
        assert_eq!(split(br"/a\/b[/]/gi"), Some((&br"a\/b[/]"[..], "gi")));
        assert_eq!(split(b"/[]/]/"), Some((&b"[]/]"[..], "")));
    }

    #[test]
    fn what_no_accessor_gives_is_no_literal() {
        for text in [
            "", "/", "//", "//g", "a/", "/a/b/", "/a", "/a/gg", "/a/ig", "/a/x", "/a/uv", "/a\n/", "/[\r]/",
            "/a\\/",
        ] {
            assert_eq!(split(text.as_bytes()), None, "{text}");
        }
    }
}
