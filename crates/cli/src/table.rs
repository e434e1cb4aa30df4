//! Tables for people: columns under their names, as wide as what is in them.

use crate::printable::on_one_line;

/// Rows of cells. Scripts and programs write some of them: nothing in them moves the cursor or breaks a line.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn with(columns: &[&str]) -> Self {
        Self { rows: vec![columns.iter().map(|name| (*name).to_owned()).collect()] }
    }

    /// Adds a row, of as many cells as there are columns.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        let cells = cells.map(|cell| on_one_line(&cell).replace('\t', "\\t"));
        self.rows.push(cells.into());
    }

    /// The lines, without blanks at their ends.
    pub(crate) fn to_text(&self) -> String {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or_default()).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        self.rows.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// So many characters of a text, at most.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_is_in_them_and_no_cell_breaks_its_line() {
        let mut table = Table::with(&["RUN", "SCRIPT"]);
        table.row(["run_abc".to_owned(), "a\nb\u{1b}[31m".to_owned()]);
        table.row(["ü".to_owned(), String::new()]);
        assert_eq!(table.to_text(), "RUN      SCRIPT\nrun_abc  a\\nb\\u{1b}[31m\nü");
    }

    #[test]
    fn what_is_long_is_cut() {
        assert_eq!(shorten("naïve", 3), "naï…");
        assert_eq!(shorten("naïve", 5), "naïve");
    }
}
