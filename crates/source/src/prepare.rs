//! The way of a source from the author's text to the guest's.

use std::borrow::Cow;

use oxc_allocator::Allocator;
use oxc_span::Span;

use crate::base;
use crate::edits::Edits;
use crate::entry;
use crate::error::SourceError;
use crate::parse::{self, Language, Parsed};
use crate::position::{Position, PositionMap, utf16_len};
use crate::skim::Grammar;
use crate::stack::with_room_for;
use crate::typescript;

/// How a source is to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SourceKind {
    /// A module where it imports or exports something (types don't count) or says `import.meta`, else a
    /// function body.
    #[default]
    Auto,
    /// The body of an async function, in sloppy mode.
    FunctionBody,
    /// A module, which is the script.
    Module,
    /// A module that the script imports: types are removed, its exports stay what they are, nothing is called.
    Imported,
}

/// How a prepared source is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// As the body of an async function, in sloppy mode: `(async()=>{\n` before it, `\n})` behind it. Its
    /// value is what it returns.
    FunctionBody,
    /// As a module. Its value is its export `default`.
    Module,
}

/// What a caller may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How the source is to be run; `Auto` by default.
    pub kind: SourceKind,
    /// The longest source allowed, in bytes; 256 KiB by default, and never more than [`Options::HARD_LIMIT`].
    pub max_bytes: usize,
}

impl Options {
    /// The longest source that any caller may allow, in bytes: 1 MiB. Parsing takes stack by the length of
    /// the text, half a GiB of address space for this much; and what is longer is no script.
    pub const HARD_LIMIT: usize = 1 << 20;
}

impl Default for Options {
    fn default() -> Self {
        Self { kind: SourceKind::Auto, max_bytes: 256 << 10 }
    }
}

/// A source, ready for the guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// What the guest runs.
    pub text: String,
    /// How the guest runs it.
    pub kind: Kind,
    /// What the author wrote it in.
    pub language: Language,
    /// The way from a place in `text` back to the author's.
    pub map: PositionMap,
    /// Where each line of `text` begins, in bytes.
    lines: Vec<usize>,
}

impl Prepared {
    fn new(text: String, kind: Kind, language: Language, map: PositionMap) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Self { text, kind, language, map, lines }
    }

    /// A line, from 1, without its end.
    fn line(&self, number: u32) -> Option<&str> {
        let number = number as usize;
        let begin = *self.lines.get(number.checked_sub(1)?).filter(|begin| **begin < self.text.len())?;
        let end = self.lines.get(number).map_or(self.text.len(), |next| next - 1);
        let line = &self.text[begin..end];
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// As [`PositionMap::original`], for an engine that counts columns in bytes of UTF-8 (QuickJS does).
    pub fn original_of_bytes(&self, line: u32, byte_column: u32) -> Position {
        let column = match self.line(line) {
            Some(content) => {
                let before = (byte_column as usize).saturating_sub(1).min(content.len());
                utf16_len(&content[..content.floor_char_boundary(before)]) + 1
            }
            None => byte_column,
        };
        self.map.original(line, column)
    }
}

/// Prepares a source.
///
/// ```
/// use intermission_source::{Kind, Options, prepare};
///
/// let prepared = prepare("async (input: { n: number }) => input.n + 1", &Options::default())?;
/// assert_eq!(prepared.kind, Kind::FunctionBody);
/// assert_eq!(prepared.text, "return (async (input               ) => input.n + 1)(input)");
/// # Ok::<(), intermission_source::SourceError>(())
/// ```
///
/// # Errors
///
/// A [`SourceError`] where the text is neither JavaScript nor TypeScript, has no meaning here, or is longer
/// or deeper than allowed.
pub fn prepare(text: &str, options: &Options) -> Result<Prepared, SourceError> {
    with_code(text, options, |code| prepare_code(code, options))
}

/// Prepares a source that is still bytes.
///
/// # Errors
///
/// As [`prepare`], and [`SourceError::NotUtf8`].
pub fn prepare_bytes(bytes: &[u8], options: &Options) -> Result<Prepared, SourceError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => prepare(text, options),
        Err(error) => {
            let offset = error.valid_up_to();
            let valid = String::from_utf8_lossy(&bytes[..offset]);
            Err(SourceError::NotUtf8 { offset, position: Position::of(&valid, offset) })
        }
    }
}

/// Hands on the code of a text that keeps the limits, on a stack that suffices to parse it.
pub(crate) fn with_code<R>(
    text: &str,
    options: &Options,
    run: impl FnOnce(&str) -> Result<R, SourceError>,
) -> Result<R, SourceError> {
    let limit = options.max_bytes.min(Options::HARD_LIMIT);
    if text.len() > limit {
        return Err(SourceError::TooLarge { bytes: text.len(), limit });
    }
    let text = base::without_mark(text);
    let markdown = if options.kind == SourceKind::Imported { None } else { base::code_in_markdown(text)? };
    let code = base::without_hashbang(markdown.map_or(Cow::Borrowed(text), Cow::Owned));
    let code = match options.kind {
        SourceKind::Auto | SourceKind::FunctionBody => base::without_html_comments(code),
        SourceKind::Module | SourceKind::Imported => code,
    };
    with_room_for(&code, Grammar::Module, || run(&code))?
}

fn prepare_code(text: &str, options: &Options) -> Result<Prepared, SourceError> {
    let allocator = Allocator::default();
    match parse::parse(&allocator, text) {
        Ok(parsed) => rewrite(text, &parsed, options),
        Err(failure) => match parse::lone_function(&allocator, text) {
            Some(function) => prepare_function(text, function, options),
            None => Err(failure.into_error(text)),
        },
    }
}

/// Puts a function without a name, which is no statement, into parentheses.
fn prepare_function(text: &str, function: Span, options: &Options) -> Result<Prepared, SourceError> {
    let mut edits = Edits::default();
    edits.insert(function.start, "(");
    edits.insert(function.end, ")");
    let (text, anchors) = edits.apply(text);
    let allocator = Allocator::default();
    let parsed = parse::parse(&allocator, &text).map_err(|failure| failure.into_error(&text))?;
    let mut prepared = rewrite(&text, &parsed, options)?;
    prepared.map.push_first(anchors);
    Ok(prepared)
}

fn rewrite(text: &str, parsed: &Parsed<'_>, options: &Options) -> Result<Prepared, SourceError> {
    let mut edits = Edits::default();
    if parsed.language == Language::TypeScript || typescript::may_need_rewriting(text) {
        typescript::rewrite(text, &parsed.program, &mut edits)?;
    }
    let kind = entry::enter(text, parsed, options.kind, &mut edits)?;
    let mut map = PositionMap::default();
    let text = if edits.is_empty() {
        text.to_owned()
    } else {
        let (text, anchors) = edits.apply(text);
        map.push(anchors);
        text
    };
    Ok(Prepared::new(text, kind, parsed.language, map))
}
