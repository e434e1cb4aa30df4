//! Which texts are names in JavaScript.

/// Whether `text` is a plain identifier: letters, digits, `_` and `$` of ASCII.
pub(crate) fn is_identifier(text: &str) -> bool {
    let is_start = |letter: char| letter.is_ascii_alphabetic() || letter == '_' || letter == '$';
    text.starts_with(is_start) && text.chars().all(|letter| is_start(letter) || letter.is_ascii_digit())
}

/// Whether nothing can be declared under this name: a word that ECMA-262 (12.7.2) or strict mode keeps.
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

const RESERVED: &[&str] = &[
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
    "yield",
];
