//! Changes to a text, collected in any order and applied in one pass.

use std::borrow::Cow;

use oxc_span::Span;

use crate::position::{Anchor, Position};

/// A list of changes to one text.
///
/// Of two changes that overlap, the one that begins first wins and the other is dropped: what lies in erased
/// text need not be known to whoever erases it.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    list: Vec<Edit>,
}

#[derive(Debug)]
struct Edit {
    start: u32,
    end: u32,
    with: With,
}

#[derive(Debug)]
enum With {
    /// White space of the same length, in bytes as in UTF-16 units; line ends stay.
    Blank,
    /// A character (`;`, `(`, `)`) in place of the first, and white space for the rest.
    First(char),
    /// White space, and a character in place of the last.
    Last(char),
    Text(Cow<'static, str>),
}

impl Edits {
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// White space instead of the text.
    pub(crate) fn blank(&mut self, start: u32, end: u32) {
        self.push(start, end, With::Blank);
    }

    /// `;` and white space instead of a whole statement or class element, so that its neighbours stay apart.
    pub(crate) fn erase(&mut self, span: Span) {
        self.push(span.start, span.end, With::First(';'));
    }

    /// White space instead of the text, its first character replaced.
    pub(crate) fn blank_after(&mut self, first: char, start: u32, end: u32) {
        self.push(start, end, With::First(first));
    }

    /// White space instead of the text, its last character replaced.
    pub(crate) fn blank_before(&mut self, last: char, start: u32, end: u32) {
        self.push(start, end, With::Last(last));
    }

    /// Other text. Line ends in the range are kept behind it.
    pub(crate) fn replace(&mut self, start: u32, end: u32, text: impl Into<Cow<'static, str>>) {
        self.list.push(Edit { start, end, with: With::Text(text.into()) });
    }

    /// More text. Of several at one place, the first stands first.
    pub(crate) fn insert(&mut self, at: u32, text: impl Into<Cow<'static, str>>) {
        self.list.push(Edit { start: at, end: at, with: With::Text(text.into()) });
    }

    fn push(&mut self, start: u32, end: u32, with: With) {
        if start < end {
            self.list.push(Edit { start, end, with });
        }
    }

    /// The changed text, and where its pieces come from.
    pub(crate) fn apply(mut self, text: &str) -> (String, Vec<Anchor>) {
        self.list.sort_by_key(|edit| (edit.start, edit.start != edit.end));
        let mut writer = Writer::new(text, self.list.len());
        for edit in &self.list {
            let (start, end) = (edit.start as usize, edit.end as usize);
            if start < writer.taken {
                continue;
            }
            writer.keep_until(start);
            match &edit.with {
                With::Blank => writer.blank(end),
                With::First(mark) => writer.blank_after(*mark, end),
                With::Last(mark) => writer.blank_before(*mark, end),
                With::Text(replacement) => writer.replace(replacement, end),
            }
        }
        writer.keep_until(text.len());
        (writer.out, writer.anchors)
    }
}

struct Writer<'t> {
    text: &'t str,
    out: String,
    /// How much of the text was read.
    taken: usize,
    anchors: Vec<Anchor>,
    /// `from` and `to` are the places of this offset of the text, in both texts.
    anchored: usize,
    from: Position,
    to: Position,
}

impl<'t> Writer<'t> {
    fn new(text: &'t str, edits: usize) -> Self {
        let out = String::with_capacity(text.len() + 32 * edits.min(64));
        let (from, to) = (Position::START, Position::START);
        Self { text, out, taken: 0, anchors: Vec::new(), anchored: 0, from, to }
    }

    fn keep_until(&mut self, end: usize) {
        self.out.push_str(&self.text[self.taken..end]);
        self.taken = end;
    }

    fn blank(&mut self, end: usize) {
        for character in self.text[self.taken..end].chars() {
            push_blank(&mut self.out, character);
        }
        self.taken = end;
    }

    fn blank_after(&mut self, mark: char, end: usize) {
        let first = self.text[self.taken..end].chars().next().unwrap_or(' ');
        push_mark(&mut self.out, mark, first);
        self.taken += first.len_utf8();
        self.blank(end);
    }

    fn blank_before(&mut self, mark: char, end: usize) {
        let last = self.text[self.taken..end].chars().next_back().unwrap_or(' ');
        self.blank(end - last.len_utf8());
        push_mark(&mut self.out, mark, last);
        self.taken = end;
    }

    fn replace(&mut self, replacement: &str, end: usize) {
        self.catch_up();
        let replaced = &self.text[self.taken..end];
        self.anchors.push(Anchor { to: self.to, from: self.from, inserted: true });
        self.out.push_str(replacement);
        self.to.advance(replacement);
        self.out.extend(replaced.chars().filter(|character| is_line_end(*character)));
        let lines = self.from.line;
        self.from.advance(replaced);
        if self.from.line > lines {
            self.to.line += self.from.line - lines;
            self.to.column = 1;
            // Behind the last line end of the replaced text nothing was written.
        }
        self.anchors.push(Anchor { to: self.to, from: self.from, inserted: false });
        self.taken = end;
        self.anchored = end;
    }

    /// Moves both places over what was kept since the last replacement.
    fn catch_up(&mut self) {
        let kept = &self.text[self.anchored..self.taken];
        let line = self.from.line;
        let column = self.from.column;
        self.from.advance(kept);
        if self.from.line == line {
            self.to.column += self.from.column - column;
        } else {
            self.to.line += self.from.line - line;
            self.to.column = self.from.column;
        }
        self.anchored = self.taken;
    }
}

/// A mark as wide as a character, in UTF-16 units.
fn push_mark(out: &mut String, mark: char, character: char) {
    out.push(mark);
    out.extend((1..character.len_utf16()).map(|_| ' '));
}

/// White space as wide as a character, both in bytes and in UTF-16 units, whichever a reader of positions
/// counts.
fn push_blank(out: &mut String, character: char) {
    if is_line_end(character) {
        return out.push(character);
    }
    match character.len_utf8() {
        1 => out.push(' '),
        2 => out.push('\u{a0}'),
        3 => out.push('\u{3000}'),
        _ => out.push_str("\u{a0}\u{a0}"),
    }
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::utf16_len;

    #[test]
    fn blanks_keep_lines_bytes_and_utf16_units() {
        let mut edits = Edits::default();
        let text = "a: é字😀\n\u{2028}b";
        edits.blank(1, text.len() as u32 - 1);
        let (out, anchors) = edits.apply(text);
        assert_eq!(out, "a  \u{a0}\u{3000}\u{a0}\u{a0}\n\u{2028}b");
        assert_eq!(out.len(), text.len());
        assert_eq!(utf16_len(&out), utf16_len(text));
        assert_eq!(anchors, []);
    }

    #[test]
    fn a_mark_takes_the_place_of_the_first_or_last_character() {
        let mut edits = Edits::default();
        edits.erase(Span::new(0, 3));
        edits.blank_before(')', 4, 8);
        assert_eq!(edits.apply("éa bcé").0, ";    )");
    }

    #[test]
    fn what_lies_in_an_edit_is_dropped() {
        let mut edits = Edits::default();
        edits.blank(2, 4);
        edits.erase(Span::new(0, 6));
        assert_eq!(edits.apply("abcdef;g").0, ";     ;g");
    }

    #[test]
    fn places_behind_inserted_text_lead_back() {
        let mut edits = Edits::default();
        edits.insert(2, "1234");
        edits.replace(4, 7, "x");
        let (out, anchors) = edits.apply("abcde\nf\ng");
        assert_eq!(out, "ab1234cdx\n\ng");
        let mut map = crate::PositionMap::default();
        map.push(anchors);
        let back = |line, column| {
            let place = map.original(line, column);
            (place.line, place.column)
        };
        assert_eq!(back(1, 2), (1, 2));
        assert_eq!(back(1, 3), (1, 3));
        assert_eq!(back(1, 5), (1, 3));
        assert_eq!(back(1, 7), (1, 3));
        assert_eq!(back(1, 8), (1, 4));
        assert_eq!(back(1, 9), (1, 5));
        assert_eq!(back(3, 1), (3, 1));
    }
}
