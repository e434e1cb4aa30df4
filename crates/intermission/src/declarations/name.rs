//! Names as TypeScript takes them.

use crate::word::is_identifier;

/// A property's key: plain where it is an identifier, else quoted.
pub(super) fn key(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quoted(name) }
}

/// A string literal.
pub(super) fn quoted(text: &str) -> String {
    // What JSON escapes, and how, JavaScript understands (ECMA-262, 25.5).
    serde_json::Value::from(text).to_string()
}

/// `a-b_c` as `ABC`: a name for a type.
pub(super) fn pascal_case(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut pascal = String::new();
    for word in words {
        let (first, rest) = word.split_at(1);
        pascal.push_str(&first.to_ascii_uppercase());
        pascal.push_str(rest);
    }
    if pascal.starts_with(|first: char| first.is_ascii_alphabetic()) { pascal } else { format!("T{pascal}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_quoted_only_where_they_must_be() {
        assert_eq!(key("user_id$2"), "user_id$2");
        assert_eq!(key("2nd"), "\"2nd\"");
        assert_eq!(key("a-b"), "\"a-b\"");
        assert_eq!(key(""), "\"\"");
        assert_eq!(key("a\"\n\\"), r#""a\"\n\\""#);
    }

    #[test]
    fn type_names_are_in_pascal_case_and_begin_with_a_letter() {
        assert_eq!(pascal_case("postal-address_line"), "PostalAddressLine");
        assert_eq!(pascal_case("2nd"), "T2nd");
        assert_eq!(pascal_case("é"), "T");
    }
}
