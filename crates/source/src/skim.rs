//! The marks of a text that tell how it nests, told from those in strings, comments, templates and regular expressions.
//!
//! A `/` divides or begins a regular expression, and sometimes only a parser can tell. A text must not be able to hide its nesting
//! from what guards the parser: where the two readings go apart, it is to be read both ways.

use crate::slash::{Slash, heads_statement, is_line_end, is_space, regexp_end, slash_after};

/// Which comments there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// Those of a module.
    Module,
    /// HTML-like ones (ECMA-262, B.1.1), too.
    Script,
}

/// A byte of code that means something to nesting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) at: usize,
    pub(crate) byte: u8,
}

/// The marks of a text.
pub(crate) struct Skim<'t> {
    text: &'t str,
    at: usize,
    grammar: Grammar,
    /// Open brackets, the outermost first.
    open: Vec<Bracket>,
    /// Where the last parenthesis closed, and whether a statement follows it.
    closed: (usize, bool),
    /// The last run of comments, from the end of the code before it.
    comments: (usize, usize),
    /// Where the last regular expression ended.
    regexp_end: usize,
    /// The `{` that ends the text of a template.
    substitution: Option<usize>,
    /// Which of the `/` in doubt begin regular expressions, in order; those that go beyond it divide.
    readings: &'t [bool],
    /// The `/` in doubt that have been met.
    doubts: Vec<usize>,
}

struct Bracket {
    byte: u8,
    /// Whether it is the `${` of a template.
    substitution: bool,
    /// Whether a statement follows its end: it belongs to `if`, `while`, `for`, `with`.
    heads_statement: bool,
}

impl Iterator for Skim<'_> {
    type Item = Mark;

    fn next(&mut self) -> Option<Mark> {
        loop {
            let bytes = self.text.as_bytes();
            let skipped = bytes[self.at..].iter().position(|byte| MARKS[usize::from(*byte)])?;
            let at = self.at + skipped;
            self.at = at + 1;
            if self.step(at, bytes[at]) {
                return Some(Mark { at, byte: bytes[at] });
            }
        }
    }
}

impl<'t> Skim<'t> {
    pub(crate) fn new(text: &'t str, grammar: Grammar, readings: &'t [bool]) -> Self {
        Self {
            text,
            at: 0,
            grammar,
            open: Vec::new(),
            closed: (0, false),
            comments: (0, 0),
            regexp_end: usize::MAX,
            substitution: None,
            readings,
            doubts: Vec::new(),
        }
    }

    /// The offsets of the `/` that were in doubt, so far.
    pub(crate) fn doubts(&self) -> &[usize] {
        &self.doubts
    }

    /// Whether it is a mark of code.
    fn step(&mut self, at: usize, byte: u8) -> bool {
        match byte {
            b'(' | b'[' | b'{' => {
                let heads_statement = byte == b'(' && heads_statement(&self.text[..self.code_end(at)]);
                let substitution = self.substitution == Some(at);
                self.open.push(Bracket { byte, substitution, heads_statement });
            }
            b')' => return self.close(b'('),
            b']' => return self.close(b'['),
            b'}' => return self.close(b'{'),
            b'/' => return self.slash(at),
            b'`' => self.template(),
            b'"' | b'\'' => self.string(byte),
            b'<' if self.rest().starts_with("!--") && self.begins_html_comment(at) => self.line_comment(at),
            b'>' if self.text[..at].ends_with("--") && self.ends_html_comment(at - 2) => {
                self.line_comment(at - 2);
            }
            _ => return true,
        }
        matches!(byte, b'(' | b'[' | b'{')
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Where the code before a place ends: in front of white space and comments.
    fn code_end(&self, before: usize) -> usize {
        let mut end = before;
        loop {
            end = self.text[..end].trim_end_matches(is_space).len();
            if end != self.comments.1 || end == self.comments.0 {
                return end;
            }
            end = self.comments.0;
        }
    }

    fn comment(&mut self, start: usize, end: usize) {
        self.comments = (self.code_end(start), end);
        self.at = end;
    }

    fn line_comment(&mut self, start: usize) {
        let end = self.rest().find(is_line_end).map_or(self.text.len(), |length| self.at + length);
        self.comment(start, end);
    }

    /// In a module `<!--` is an error where it stands first in its line, and skipped like a comment.
    fn begins_html_comment(&self, at: usize) -> bool {
        self.grammar == Grammar::Script || self.is_first(at)
    }

    fn ends_html_comment(&self, at: usize) -> bool {
        self.grammar == Grammar::Script && self.is_first(at)
    }

    /// Whether no code stands before a place in its line.
    fn is_first(&self, at: usize) -> bool {
        let end = self.code_end(at);
        end == 0 || self.text[end..at].contains(is_line_end)
    }

    /// Whether it divides.
    fn slash(&mut self, at: usize) -> bool {
        match self.text.as_bytes().get(self.at) {
            Some(b'/') => {
                self.line_comment(at);
                return false;
            }
            Some(b'*') => {
                let end =
                    self.text[at + 2..].find("*/").map_or(self.text.len(), |length| at + 2 + length + 2);
                self.comment(at, end);
                return false;
            }
            _ => {}
        }
        let code_end = self.code_end(at);
        let is_new_line = self.text[code_end..at].contains(is_line_end);
        let end = regexp_end(self.text, at);
        let begins = match (self.meaning(code_end, is_new_line), end) {
            (Slash::Divides, _) | (Slash::Either, None) => false,
            (Slash::Begins, _) => true,
            (Slash::Either, Some(end)) => self.differs(at, end) && self.doubt(at),
        };
        if begins {
            self.at = end.unwrap_or(self.text.len());
            self.regexp_end = self.at;
        }
        !begins
    }

    fn meaning(&self, end: usize, is_new_line: bool) -> Slash {
        let meaning = match self.closed {
            (closed, heads_statement) if closed == end && end > 0 => {
                if heads_statement {
                    Slash::Begins
                } else {
                    Slash::Divides
                }
            }
            _ if end == self.regexp_end => Slash::Divides,
            _ => slash_after(&self.text[..end]),
        };
        // A line may end a statement where division would have gone on: `let a: T[]`, `import 'x'`.
        if is_new_line && meaning == Slash::Divides { Slash::Either } else { meaning }
    }

    /// Whether it matters if this is a regular expression.
    fn differs(&self, at: usize, end: usize) -> bool {
        let body = &self.text[at + 1..end - 1];
        body.contains(['\'', '"', '`', '(', ')', '[', ']', '{', '}', '<', '>', '/'])
            || self.text[end..].starts_with(['/', '*'])
            || slash_after(body.trim_end_matches(is_space)) != Slash::Divides
    }

    /// Notes a `/` in doubt. Whether it is to be read as the beginning of a regular expression.
    fn doubt(&mut self, at: usize) -> bool {
        let begins = self.readings.get(self.doubts.len()).copied().unwrap_or_default();
        self.doubts.push(at);
        begins
    }

    /// Closes the innermost such bracket. Whether there was one to close.
    fn close(&mut self, byte: u8) -> bool {
        let Some(index) = self.open.iter().rposition(|bracket| bracket.byte == byte) else { return false };
        let bracket = self.open.drain(index..).next();
        let Some(Bracket { substitution, heads_statement, .. }) = bracket else { return false };
        if byte == b'(' {
            self.closed = (self.at, heads_statement);
        }
        if substitution {
            self.template();
        }
        true
    }

    /// From behind a backtick, or the `}` of a substitution, to behind the next backtick or into the next `${`.
    fn template(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'`' => return,
                // The `{` is a mark, found next.
                b'$' if bytes.get(self.at) == Some(&b'{') => {
                    self.substitution = Some(self.at);
                    return;
                }
                _ => {}
            }
        }
        self.at = bytes.len();
    }

    /// From behind a quote to behind the next one, or to the end of the line.
    fn string(&mut self, quote: u8) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' if bytes[self.at..].starts_with(b"\r\n") => self.at += 2,
                b'\\' => self.at += 1,
                b'\n' | b'\r' => return,
                _ if byte == quote => return,
                _ => {}
            }
        }
        self.at = bytes.len();
    }
}

/// The bytes that may be marks, or hide some.
const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let bytes = b"()[]{}<>=;,+%^~&|`\"'/@?:";
    let mut index = 0;
    while index < bytes.len() {
        marks[bytes[index] as usize] = true;
        index += 1;
    }
    marks
};
