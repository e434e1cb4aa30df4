//! Names of tools as identifiers.

/// The name that a tool has in scripts: what no identifier has becomes `_`, and what is none, or what no script could reach, gets one at an end. So `read-file` is
/// `read_file`, `2nd` is `_2nd` and `then` is `then_`.
pub(super) fn identifier(tool: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let name: String = tool.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{name}")
    } else if UNREACHABLE.contains(&name.as_str()) {
        format!("{name}_")
    } else {
        name
    }
}

/// Names that no group of functions can have in it: the language looks for them itself.
const UNREACHABLE: &[&str] = &["__proto__", "constructor", "prototype", "then"];

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn names_become_identifiers_in_one_way() {
        for (tool, name) in [
            ("read_file", "read_file"),
            ("read-file", "read_file"),
            ("repo/issues.list", "repo_issues_list"),
            ("2nd", "_2nd"),
            ("", "_"),
            ("délai", "d_lai"),
            ("delete", "delete"),
            ("then", "then_"),
            ("constructor", "constructor_"),
        ] {
            assert_eq!(identifier(tool), name, "{tool}");
        }
    }
}
