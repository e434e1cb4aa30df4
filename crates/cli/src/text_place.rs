//! Places in a text: from bytes to lines and columns, and back. Columns count UTF-16 units, as everywhere in Intermission.

use std::ops::Range;

/// A place in a text, with the line that it is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextPlace {
    /// Of which file.
    pub(crate) file: String,
    /// From 1.
    pub(crate) line: u32,
    /// From 1.
    pub(crate) column: u32,
    /// The line.
    pub(crate) text: String,
    /// What is meant of the line, in bytes.
    pub(crate) span: Range<usize>,
}

impl TextPlace {
    /// The place of a byte range. What lies on further lines is left out.
    pub(crate) fn of_bytes(file: &str, text: &str, bytes: Range<usize>) -> Self {
        let start = text.floor_char_boundary(bytes.start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let line_text = text[line_start..].lines().next().unwrap_or_default();
        let from = (start - line_start).min(line_text.len());
        let to =
            line_text.floor_char_boundary(bytes.end.saturating_sub(line_start).clamp(from, line_text.len()));
        Self {
            file: file.to_owned(),
            line: before.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1,
            column: line_text[..from].encode_utf16().count() as u32 + 1,
            text: line_text.to_owned(),
            span: from..to,
        }
    }

    /// A line and column of a text. The word that begins there is what is meant.
    pub(crate) fn of_position(file: &str, text: &str, line: u32, column: u32) -> Self {
        // A script's lines end as JavaScript's do, with `\r` as well.
        let line_text =
            text.split_inclusive('\n').flat_map(|line| line.trim_end_matches(['\n', '\r']).split('\r'));
        let line_text = line_text.clone().nth(line.saturating_sub(1) as usize).unwrap_or_default();
        let mut units = 0;
        let from = line_text
            .char_indices()
            .find(|(_, character)| {
                let is_there = units + 1 >= column;
                units += character.len_utf16() as u32;
                is_there
            })
            .map_or(line_text.len(), |(at, _)| at);
        let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
        let word: usize = line_text[from..].chars().take_while(|c| is_word(*c)).map(char::len_utf8).sum();
        let one = line_text[from..].chars().next().map_or(0, char::len_utf8);
        Self {
            file: file.to_owned(),
            line,
            column,
            text: line_text.to_owned(),
            span: from..from + word.max(one),
        }
    }

    /// The same place, meaning all of `words` where they stand there.
    pub(crate) fn over(mut self, words: &str) -> Self {
        if self.text[self.span.start..].starts_with(words) {
            self.span.end = self.span.start + words.len();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_bytes_is_a_line_and_a_column_in_utf16_units() {
        let place = TextPlace::of_bytes("a.toml", "x\r\n😀é = 1\n", 9..10);
        assert_eq!((place.line, place.column, place.text.as_str(), place.span), (2, 4, "😀é = 1", 6..7));
    }

    #[test]
    fn a_range_over_several_lines_ends_with_its_first() {
        let place = TextPlace::of_bytes("a.toml", "ab\ncd", 1..5);
        assert_eq!((place.line, place.column, place.span), (1, 2, 1..2));
    }

    #[test]
    fn a_position_means_the_word_that_begins_there() {
        let place = TextPlace::of_position("a.js", "1\r2\n😀 total(x)", 3, 4);
        assert_eq!((place.text.as_str(), &place.text[place.span.clone()]), ("😀 total(x)", "total"));
    }

    #[test]
    fn a_path_that_stands_there_is_meant_as_a_whole() {
        let place = TextPlace::of_position("a.js", "files.read(x)", 1, 1);
        assert_eq!((place.clone().over("files.read").span, place.over("files.list").span), (0..10, 0..5));
    }

    #[test]
    fn a_position_that_is_not_in_the_text_means_nothing() {
        assert_eq!(TextPlace::of_position("a.js", "ab", 1, 9).span, 2..2);
        assert_eq!(TextPlace::of_position("a.js", "ab", 7, 1).span, 0..0);
    }
}
