//! The line of a place, with a caret under it.

/// How many characters of a long line are shown before and behind the place.
const BEFORE: usize = 60;
const BEHIND: usize = 40;

/// The line with the bytes `start..end`, and carets under them as far as they are on that line. Tabs stay
/// tabs in both lines, so that they align wherever a tab is how wide it is.
pub(crate) fn snippet(text: &str, start: usize, end: usize, line_number: u32) -> String {
    let start = text.floor_char_boundary(start.min(text.len()));
    let end = text.floor_char_boundary(end.clamp(start, text.len()));
    let line_start = text[..start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let line_end = text[start..].find(['\n', '\r']).map_or(text.len(), |at| start + at);
    let (before, cut_before) = last_characters(&text[line_start..start], BEFORE);
    let marked_end = end.clamp(start, line_end);
    let (behind, cut_behind) = first_characters(&text[start..line_end], BEHIND);
    let carets = text[start..marked_end].chars().count().clamp(1, behind.chars().count().max(1));

    let number = line_number.to_string();
    let gutter = " ".repeat(number.len());
    let (open, close) = (if cut_before { "…" } else { "" }, if cut_behind { "…" } else { "" });
    let indent: String = open.chars().chain(before.chars()).map(as_indent).collect();
    let marks = "^".repeat(carets);
    format!("{gutter} |\n{number} | {open}{before}{behind}{close}\n{gutter} | {indent}{marks}")
}

fn as_indent(character: char) -> char {
    if character == '\t' { '\t' } else { ' ' }
}

fn last_characters(text: &str, count: usize) -> (&str, bool) {
    match text.char_indices().rev().nth(count) {
        Some((at, character)) => (&text[at + character.len_utf8()..], true),
        None => (text, false),
    }
}

fn first_characters(text: &str, count: usize) -> (&str, bool) {
    match text.char_indices().nth(count) {
        Some((at, _)) => (&text[..at], true),
        None => (text, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caret_stands_under_each_marked_character() {
        assert_eq!(snippet("a\nlet x = éé;\n", 10, 14, 2), "  |\n2 | let x = éé;\n  |         ^^");
    }

    #[test]
    fn tabs_stay_aligned() {
        assert_eq!(snippet("\t\tx = ;", 6, 7, 1), "  |\n1 | \t\tx = ;\n  | \t\t    ^");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}!{}", "a".repeat(500), "b".repeat(500));
        let (before, behind) = ("a".repeat(60), "b".repeat(39));
        let expected = format!("  |\n1 | …{before}!{behind}…\n  | {}^", " ".repeat(61));
        assert_eq!(snippet(&text, 500, 501, 1), expected);
    }

    #[test]
    fn marks_end_with_their_line() {
        assert_eq!(snippet("`ab\ncd`", 0, 7, 1), "  |\n1 | `ab\n  | ^^^");
    }

    #[test]
    fn the_end_of_the_text_can_be_marked() {
        assert_eq!(snippet("f(", 2, 2, 12), "   |\n12 | f(\n   |   ^");
    }
}
