//! Text of scripts and commands, made safe for a terminal.

use std::borrow::Cow;

/// The text with its control characters spelled out, but for line ends and tabs: an escape sequence in a script's console or an error message
/// must not move the cursor or retitle the window. So are characters that cannot be seen, or that turn the direction of writing: what is
/// approved must be what is read.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let spelled = |character: char| {
        if is_harmful(character) { character.escape_unicode().to_string() } else { character.to_string() }
    };
    Cow::Owned(text.replace("\r\n", "\n").chars().map(spelled).collect())
}

fn is_harmful(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        // Soft hyphen, fillers, zero width (but for the joiners of emoji and scripts), directions, invisible operators, tags.
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
    use super::printable;

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
}
