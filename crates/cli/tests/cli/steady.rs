//! What no two runs have in common, besides ids: moments, lengths of time, and the widths of columns that have them.

use crate::names::anonymous;

const UNITS: [&str; 5] = ["ms", "s", "min", "h", "d"];

/// The text with `[time]` for a moment and `[length]` for a length of time, ids as [`anonymous`] names them, and two blanks between columns.
pub(crate) fn steady(text: &str) -> String {
    anonymous(text).lines().map(line).collect::<Vec<_>>().join("\n")
}

fn line(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let columns: Vec<String> = line.trim_start().split("  ").map(str::trim).map(words).collect();
    let columns: Vec<_> = columns.into_iter().filter(|column| !column.is_empty()).collect();
    format!("{}{}", &line[..indent], columns.join("  "))
}

fn words(column: &str) -> String {
    let mut told: Vec<String> = Vec::new();
    for word in column.split(' ') {
        let bare = word.trim_end_matches([',', ';', ':', '.']);
        let end = &word[bare.len()..];
        let is_number = |text: &&mut String| text.trim_start_matches('+').parse::<u64>().is_ok();
        match told.last_mut().filter(is_number) {
            Some(number) if UNITS.contains(&bare) => {
                let sign = if number.starts_with('+') { "+" } else { "" };
                *number = format!("{sign}[length]{end}");
            }
            _ if is_moment(bare) => told.push(format!("[time]{end}")),
            _ => told.push(word.to_owned()),
        }
    }
    told.join(" ")
}

fn is_moment(word: &str) -> bool {
    word.len() == "2025-03-01T12:00:00.000Z".len() && word.ends_with('Z') && word.as_bytes()[10] == b'T'
}

#[test]
fn moments_and_lengths_are_named_and_columns_are_two_blanks_apart() {
    assert_eq!(
        steady("+27 ms   a, 12 s\n  until 2025-03-01T12:00:00.000Z, b"),
        "+[length]  a, [length]\n  until [time], b"
    );
}
