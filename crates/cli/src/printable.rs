//! Text of scripts and commands, made safe for a terminal.

use std::borrow::Cow;

/// The text with its control characters spelled out, but for line ends and tabs: an escape sequence in a script's console or an error message
/// must not move the cursor or retitle the window.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let is_harmful = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let spelled = |character: char| {
        if is_harmful(character) { character.escape_unicode().to_string() } else { character.to_string() }
    };
    Cow::Owned(text.replace("\r\n", "\n").chars().map(spelled).collect())
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn escape_sequences_are_spelled_out_and_lines_stay() {
        assert_eq!(printable("a\tb\r\n\u{1b}[31mred\u{9b}0m"), "a\tb\n\\u{1b}[31mred\\u{9b}0m");
    }
}
