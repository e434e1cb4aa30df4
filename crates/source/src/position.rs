//! Places in a text, and the way from a place in the prepared text back to the author's.

/// A place in a text.
///
/// Lines count from 1 and end with `\n`, `\r\n` or `\r`. Columns count from 1 in UTF-16 code units, as
/// JavaScript's strings and source maps do: `é` is one column wide, an emoji usually two, a tab one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in UTF-16 code units.
    pub column: u32,
}

impl Position {
    /// The first place of every text.
    pub const START: Self = Self { line: 1, column: 1 };

    /// The place of a byte offset; an offset behind the end is the end.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        let mut position = Self::START;
        position.advance(&text[..text.floor_char_boundary(offset.min(text.len()))]);
        // Between the two bytes of `\r\n` the line has not ended yet.
        if offset > 0 && text.as_bytes().get(offset - 1..=offset) == Some(b"\r\n") {
            return Self::of(text, offset - 1);
        }
        position
    }

    /// The byte offset of the place, if the text has it.
    pub(crate) fn offset_in(self, text: &str) -> Option<usize> {
        let (mut line, mut start) = (1, 0);
        let bytes = text.as_bytes();
        while line < self.line {
            let rest = bytes.get(start..)?;
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'))? + start;
            start = end + if bytes.get(end..end + 2) == Some(b"\r\n") { 2 } else { 1 };
            line += 1;
        }
        let mut left = self.column.checked_sub(1)? as usize;
        for (at, letter) in text.get(start..)?.char_indices() {
            if left == 0 {
                return Some(start + at);
            }
            left = left.checked_sub(letter.len_utf16())?;
        }
        (left == 0).then_some(text.len())
    }

    /// Moves over a piece of text. A piece must not begin between `\r` and `\n`.
    pub(crate) fn advance(&mut self, piece: &str) {
        let bytes = piece.as_bytes();
        let mut line_start = 0;
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                self.line += 1;
                self.column = 1;
                line_start = at + 1;
            }
        }
        self.column += utf16_len(&piece[line_start..]);
    }
}

/// The length of a text in UTF-16 code units.
pub(crate) fn utf16_len(text: &str) -> u32 {
    if text.is_ascii() { text.len() as u32 } else { text.chars().map(char::len_utf16).sum::<usize>() as u32 }
}

/// The way from a place in a prepared text back to the author's text.
///
/// A prepared text differs from the author's in few places; between them everything keeps its line and, but
/// for the rest of a line behind a change, its column.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PositionMap {
    /// One list per rewriting, the last first: each leads one text further back.
    stages: Vec<Vec<Anchor>>,
}

impl PositionMap {
    /// Whether every place is where the author put it.
    pub fn is_identity(&self) -> bool {
        self.stages.is_empty()
    }

    /// The place in the author's text of a place in the prepared text. A place inside of code that was put in
    /// belongs to the place where it was put in; a place before line 1 is the start.
    ///
    /// ```
    /// use intermission_source::{Options, Position, prepare};
    ///
    /// let prepared = prepare("const x: number = 1\nx + 1", &Options::default())?;
    /// assert_eq!(prepared.text, "const x         = 1\nreturn x + 1");
    /// let place = prepared.map.original(2, 8);
    /// assert_eq!(place, Position { line: 2, column: 1 });
    /// # Ok::<(), intermission_source::SourceError>(())
    /// ```
    pub fn original(&self, line: u32, column: u32) -> Position {
        if line == 0 {
            return Position::START;
        }
        let prepared = Position { line, column: column.max(1) };
        self.stages.iter().fold(prepared, |position, anchors| lead_back(anchors, position))
    }

    /// Adds a rewriting that happened after the others.
    pub(crate) fn push(&mut self, anchors: Vec<Anchor>) {
        if !anchors.is_empty() {
            self.stages.insert(0, anchors);
        }
    }

    /// Adds a rewriting that happened before the others.
    pub(crate) fn push_first(&mut self, anchors: Vec<Anchor>) {
        if !anchors.is_empty() {
            self.stages.push(anchors);
        }
    }
}

/// From `to` on (up to the next anchor) the text is that from `from` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Anchor {
    /// The place after the rewriting.
    pub(crate) to: Position,
    /// The place before the rewriting.
    pub(crate) from: Position,
    /// Whether what begins here was put in, so that all of it belongs to `from`.
    pub(crate) inserted: bool,
}

fn lead_back(anchors: &[Anchor], position: Position) -> Position {
    let Some(index) = anchors.partition_point(|anchor| anchor.to <= position).checked_sub(1) else {
        return position;
    };
    let Anchor { to, from, inserted } = anchors[index];
    if inserted {
        from
    } else if position.line == to.line {
        Position { line: from.line, column: from.column + (position.column - to.column) }
    } else {
        Position { line: from.line + (position.line - to.line), column: position.column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32) -> Position {
        Position { line, column }
    }

    #[test]
    fn columns_count_utf16_units() {
        let text = "é😀x";
        assert_eq!(Position::of(text, 0), at(1, 1));
        assert_eq!(Position::of(text, 2), at(1, 2));
        assert_eq!(Position::of(text, 6), at(1, 4));
    }

    #[test]
    fn every_kind_of_line_end_counts_once() {
        let text = "a\nb\r\nc\rd";
        assert_eq!(Position::of(text, 2), at(2, 1));
        assert_eq!(Position::of(text, 5), at(3, 1));
        assert_eq!(Position::of(text, 7), at(4, 1));
    }

    #[test]
    fn an_offset_inside_a_line_end_is_still_on_its_line() {
        assert_eq!(Position::of("ab\r\nc", 3), at(1, 3));
    }

    #[test]
    fn an_offset_behind_the_end_is_the_end() {
        assert_eq!(Position::of("ab", 99), at(1, 3));
    }

    #[test]
    fn a_map_without_stages_leads_nowhere_else() {
        let map = PositionMap::default();
        assert!(map.is_identity());
        assert_eq!(map.original(7, 9), at(7, 9));
        assert_eq!(map.original(0, 9), at(1, 1));
    }

    #[test]
    fn stages_are_walked_from_the_last_to_the_first() {
        let mut map = PositionMap::default();
        map.push(vec![Anchor { to: at(1, 3), from: at(1, 1), inserted: false }]);
        map.push(vec![Anchor { to: at(1, 8), from: at(1, 4), inserted: false }]);
        assert_eq!(map.original(1, 9), at(1, 3));
    }
}
