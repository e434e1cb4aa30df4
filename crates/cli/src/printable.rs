//! Text of scripts and commands, made safe for a terminal.

use std::borrow::Cow;

/// The text with its control characters spelled out, but for line ends and tabs: an escape sequence in a script's console or an error message
/// must not move the cursor or retitle the window. So are characters that cannot be seen, or that turn the direction of writing: what is
/// approved must be what is read.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(|character| is_harmful(character) || is_joiner(character)) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek().copied();
        let joins = || joins_something(before, character, after);
        if is_harmful(character) || is_joiner(character) && !joins() {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
        before = Some(character);
    }
    Cow::Owned(shown)
}

/// The same on one line.
pub(crate) fn on_one_line(text: &str) -> String {
    printable(text).replace('\n', "\\n")
}

/// What emoji and scripts are joined and varied by, and what cannot be seen elsewhere.
fn is_joiner(character: char) -> bool {
    matches!(character, '\u{34f}' | '\u{200c}' | '\u{200d}') || is_selector(character)
}

fn is_selector(character: char) -> bool {
    matches!(character, '\u{fe00}'..='\u{fe0f}')
}

/// Whether a joiner stands where writing needs it: between two characters that are not of ASCII, or, if it selects a variant, behind one.
fn joins_something(before: Option<char>, joiner: char, after: Option<char>) -> bool {
    let is_seen = |character: char| !character.is_ascii() && !is_joiner(character) && !is_harmful(character);
    // An emoji's variant may be joined as well.
    let begins = before.is_some_and(|before| is_seen(before) || !is_selector(joiner) && is_selector(before));
    begins && (is_selector(joiner) || after.is_some_and(is_seen))
}

fn is_harmful(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        // Soft hyphen, fillers, zero width, directions, invisible operators, tags.
        '\u{ad}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        _ => character.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::{on_one_line, printable};

    #[test]
    fn escape_sequences_are_spelled_out_and_lines_stay() {
        assert_eq!(printable("a\tb\r\n\u{1b}[31mred\u{9b}0m"), "a\tb\n\\u{1b}[31mred\\u{9b}0m");
    }

    #[test]
    fn what_hides_or_turns_text_is_spelled_out_and_languages_stay() {
        assert_eq!(printable("to: \u{202e}moc.live\u{2066}"), "to: \\u{202e}moc.live\\u{2066}");
        assert_eq!(printable("a\u{200b}b\u{e0041}"), "a\\u{200b}b\\u{e0041}");
        assert_eq!(printable("שלום, 👩\u{200d}🚀, naïve"), "שלום, 👩\u{200d}🚀, naïve");
    }

    #[test]
    fn joiners_are_spelled_out_where_they_join_nothing() {
        assert_eq!(printable("pay\u{200d}pal \u{34f}x\u{200c}"), "pay\\u{200d}pal \\u{34f}x\\u{200c}");
        assert_eq!(printable("a\u{fe00}b, é\u{200d}\u{200d}é"), "a\\u{fe00}b, é\\u{200d}\\u{200d}é");
        let written = "می\u{200c}خواهم, ❤\u{fe0f}\u{200d}🔥, ⚠\u{fe0f} careful";
        assert_eq!(printable(written), written);
    }

    #[test]
    fn what_is_on_one_line_stays_there() {
        assert_eq!(on_one_line("a\nb\r\n\u{1b}"), "a\\nb\\n\\u{1b}");
    }
}
