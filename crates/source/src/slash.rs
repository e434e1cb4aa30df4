//! What a `/` means, told from the code before it (ECMA-262, 12: the lexical goals `InputElementDiv` and
//! `InputElementRegExp`).

/// What a `/` does that begins no comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slash {
    /// It divides.
    Divides,
    /// It begins a regular expression.
    Begins,
    /// Only a parser can tell.
    Either,
}

/// What a `/` would mean behind this code, which ends neither in white space, a comment nor a regular expression.
pub(crate) fn slash_after(code: &str) -> Slash {
    match code.chars().next_back() {
        Some(']' | '"' | '\'' | '`') => Slash::Divides,
        Some('>') if code.ends_with("=>") => Slash::Begins,
        Some('.') if !code.ends_with("...") => Slash::Divides,
        // A parenthesis that is not the last one that closed, a block or an object, type arguments or a comparison, `x!`, a comment.
        Some(')' | '}' | '>' | '!' | '/') => bang(code).unwrap_or(Slash::Either),
        Some('+') if code.ends_with("++") => Slash::Either,
        Some('-') if code.ends_with("--") => Slash::Either,
        Some(last) if is_word(last) => behind_word(code),
        None | Some(_) => Slash::Begins,
    }
}

/// A `!` where no value has just ended denies what follows.
fn bang(code: &str) -> Option<Slash> {
    let before = code.strip_suffix('!')?.trim_end_matches(is_space);
    (slash_after(before) == Slash::Begins).then_some(Slash::Begins)
}

fn behind_word(code: &str) -> Slash {
    let (before, word) = last_word(code);
    match word {
        _ if is_property(before) => Slash::Divides,
        // Names elsewhere than in async functions, generators, `for` and at a statement's beginning.
        "await" | "yield" | "of" => Slash::Either,
        "case" | "default" | "delete" | "do" | "else" | "extends" | "in" | "instanceof" | "new"
        | "return" | "throw" | "typeof" | "void" => {
            // What stands there may be a comment, and a `.` before it.
            if before.ends_with('/') { Slash::Either } else { Slash::Begins }
        }
        _ => Slash::Divides,
    }
}

/// Whether a parenthesis behind this code belongs to `if`, `while`, `for`, `with`: a statement follows its end.
pub(crate) fn heads_statement(code: &str) -> bool {
    let (before, word) = last_word(code);
    match word {
        "if" | "while" | "for" | "with" => !is_property(before),
        "await" => last_word(before).1 == "for",
        _ => false,
    }
}

/// The word that the code ends in, and the code before it.
fn last_word(code: &str) -> (&str, &str) {
    let before = code.trim_end_matches(is_word);
    (before.trim_end_matches(is_space), &code[before.len()..])
}

/// Whether a word behind this code is the name of a property.
fn is_property(code: &str) -> bool {
    code.ends_with('#') || code.ends_with('.') && !code.ends_with("...")
}

/// Behind the last `/` of the regular expression that begins here, if one does: it ends in its line.
pub(crate) fn regexp_end(text: &str, start: usize) -> Option<usize> {
    let mut is_class = false;
    let mut is_escaped = false;
    for (at, character) in text[start + 1..].char_indices() {
        match character {
            _ if is_line_end(character) => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => is_class = true,
            ']' => is_class = false,
            '/' if !is_class => return Some(start + 1 + at + 1),
            _ => {}
        }
    }
    None
}

/// White space (ECMA-262, 12.2) and line terminators.
pub(crate) fn is_space(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// Line terminators (ECMA-262, 12.3).
pub(crate) fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// What a name may be made of. Whatever is not ASCII and no white space is taken for it.
fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '_' | '$')
        || !character.is_ascii() && !is_space(character)
}
