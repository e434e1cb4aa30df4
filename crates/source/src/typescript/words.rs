//! Reading and writing single words of a text.

/// The offset of the next token: behind white space and comments.
pub(super) fn next_token(text: &str, from: u32) -> u32 {
    let mut rest = &text[from as usize..];
    loop {
        rest = rest.trim_start();
        let skipped = if rest.starts_with("//") {
            rest.find(['\n', '\r', '\u{2028}', '\u{2029}'])
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|at| at + 2)
        } else {
            return (text.len() - rest.len()) as u32;
        };
        rest = &rest[skipped.unwrap_or(rest.len())..];
    }
}

/// Whether a text has a line end (ECMA-262, 12.3).
pub(super) fn has_line_end(text: &str) -> bool {
    text.contains(['\n', '\r', '\u{2028}', '\u{2029}'])
}

/// A string literal of JavaScript.
pub(super) fn quoted(value: &str) -> String {
    let mut literal = String::with_capacity(value.len() + 2);
    literal.push('"');
    for character in value.chars() {
        match character {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\u{2028}' => literal.push_str("\\u2028"),
            '\u{2029}' => literal.push_str("\\u2029"),
            '\0' => literal.push_str("\\x00"),
            other => literal.push(other),
        }
    }
    literal.push('"');
    literal
}

/// A name that the text doesn't use: the wish, with as many `$` as it takes.
pub(crate) fn fresh_name(text: &str, wish: &str) -> String {
    let mut name = wish.to_owned();
    while text.contains(&name) {
        name.push('$');
    }
    name
}
