//! Places in a value.

use std::fmt::{self, Write};

use unicode_ident::{is_xid_continue, is_xid_start};

use crate::JsString;

/// The way from a value to a place in it, written like the JavaScript that leads there; empty for the value itself.
///
/// ```
/// use intermission_value::{Path, Segment};
///
/// let path = Path::from_iter([Segment::Index(3), Segment::Key("to".into()), Segment::Key("e-mail".into())]);
/// assert_eq!(path.to_string(), r#"[3].to["e-mail"]"#);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Path(Vec<Segment>);

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// An element of an array: `[3]`.
    Index(usize),
    /// A property of an object, or of an error: `.name`, or `["any text"]` where it is no identifier.
    Key(JsString),
    /// The key of a Map's entry, counted from 0: `<key 3>`.
    MapKey(usize),
    /// The value of a Map's entry, counted from 0: `<value 3>`.
    MapValue(usize),
    /// A member of a Set, counted from 0: `<member 3>`.
    Member(usize),
}

impl Path {
    /// The steps, outermost first.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Whether it is the value itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The path that goes one step further.
    #[must_use]
    pub fn then(mut self, segment: Segment) -> Self {
        self.0.push(segment);
        self
    }

    /// The path that makes a step first.
    #[must_use]
    pub(crate) fn behind(mut self, segment: Segment) -> Self {
        self.0.insert(0, segment);
        self
    }
}

impl FromIterator<Segment> for Path {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self(segments.into_iter().collect())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|segment| write!(f, "{segment}"))
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Key(key) if is_identifier(key) => write!(f, ".{key}"),
            Self::Key(key) => write!(f, "[{key:?}]"),
            Self::MapKey(index) => write!(f, "<key {index}>"),
            Self::MapValue(index) => write!(f, "<value {index}>"),
            Self::Member(index) => write!(f, "<member {index}>"),
        }
    }
}

/// For messages: ` at [3].to`, and nothing for the value itself.
pub(crate) struct At<'a>(pub(crate) &'a Path);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_root() { Ok(()) } else { write!(f, " at {}", self.0) }
    }
}

/// An object's key as a program would write it: bare where it can be.
pub(crate) fn write_key(out: &mut impl Write, key: &JsString) -> fmt::Result {
    if is_identifier(key) { write!(out, "{key}") } else { write!(out, "{key:?}") }
}

fn is_identifier(key: &JsString) -> bool {
    let mut characters = key.as_str().unwrap_or_default().chars();
    characters.next().is_some_and(|first| is_xid_start(first) || matches!(first, '_' | '$'))
        && characters.all(|next| is_xid_continue(next) || next == '$')
}
