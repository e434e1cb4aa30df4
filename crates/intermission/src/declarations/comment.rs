//! Descriptions as comments (`JSDoc`).

/// A comment of its own lines: the text, then the tags.
pub(super) fn comment(text: &str, tags: &[String], indent: usize) -> String {
    let safe = |line: &str| line.trim_end().replace("*/", "*\\/");
    let lines: Vec<String> = text.trim().lines().map(safe).chain(tags.iter().map(|tag| safe(tag))).collect();
    let margin = "  ".repeat(indent);
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("{margin}/** {line} */\n"),
        lines => {
            let body: String =
                lines.iter().map(|line| format!("{margin} * {line}").trim_end().to_owned() + "\n").collect();
            format!("{margin}/**\n{body}{margin} */\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::comment;

    #[test]
    fn one_line_stays_one_line() {
        assert_eq!(comment(" Reads a file. ", &[], 1), "  /** Reads a file. */\n");
    }

    #[test]
    fn more_lines_stand_under_each_other_with_the_tags_last() {
        let expected = "/**\n * One.\n *\n * Two.\n * @default 3\n */\n";
        assert_eq!(comment("One.\n\nTwo.", &["@default 3".to_owned()], 0), expected);
    }

    #[test]
    fn a_text_cannot_end_its_comment() {
        assert_eq!(comment("a */ b", &[], 0), "/** a *\\/ b */\n");
    }

    #[test]
    fn nothing_to_say_is_no_comment() {
        assert_eq!(comment("  \n", &[], 3), "");
    }
}
