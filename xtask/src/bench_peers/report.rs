//! The results as Markdown and JSON: printed, and kept under `benches/results`.

use std::fmt::Write;

use serde_json::{Value, json};

use super::machine::Machine;
use super::tables::{Row, Summary, Table, Tables};
use super::targets::TARGETS;
use crate::error::Error;
use crate::repository::Repository;

/// The page whose middle is the newest table.
const PAGE: &str = "docs/benchmarks.md";
const BEGINS: &str = "<!-- the newest results begin -->\n";
const ENDS: &str = "<!-- the newest results end -->";

pub(super) struct Report {
    pub(super) machine: Machine,
    pub(super) rounds: u32,
    pub(super) tables: Tables,
}

impl Report {
    pub(super) fn in_markdown(&self) -> String {
        let tables = self.tables.iter().map(|table| format!("\n{}", table_in_markdown(table)));
        format!(
            "{}, {} rounds.\n\n{}{}",
            self.machine,
            self.rounds,
            self.targets_in_markdown(),
            tables.collect::<String>()
        )
    }

    /// Writes the files of the day and the newest table into the documentation.
    pub(super) fn keep(&self, repository: &Repository) -> Result<(), Error> {
        let file = format!("benches/results/{}", self.machine.date);
        let markdown = self.in_markdown();
        write(repository, &format!("{file}.md"), &format!("# Benchmarks\n\n{markdown}"))?;
        write(repository, &format!("{file}.json"), &format!("{:#}\n", self.in_json()))?;
        let page = repository.read(PAGE.as_ref())?;
        let newest = format!("{}, {} rounds.\n\n{}", self.machine, self.rounds, self.targets_in_markdown());
        let page = with_newest(&page, &newest).ok_or_else(|| Error::Missing {
            path: repository.path(PAGE),
            remedy: "it must have the two comments between which the newest results go",
        })?;
        write(repository, PAGE, &page)?;
        println!("kept as {file}.md, {file}.json and in {PAGE}");
        Ok(())
    }

    fn targets_in_markdown(&self) -> String {
        let mut text = "| target | wanted | measured | |\n|---|---|---:|---|\n".to_owned();
        for target in TARGETS {
            let (measured, verdict) = match target.figure(&self.tables) {
                Some(figure) => {
                    (three_digits(figure), if target.is_met_by(figure) { "pass" } else { "FAIL" })
                }
                None => ("-".to_owned(), "not measured"),
            };
            let _ = writeln!(text, "| {} | {} | {measured} | {verdict} |", target.what, target.wanted());
        }
        text
    }

    fn in_json(&self) -> Value {
        let targets = TARGETS.iter().map(|target| {
            let figure = target.figure(&self.tables);
            let met = figure.map(|figure| target.is_met_by(figure));
            json!({ "what": target.what, "wanted": target.wanted(), "measured": figure, "met": met })
        });
        json!({
            "date": self.machine.date,
            "machine": self.machine.in_json(),
            "rounds": self.rounds,
            "targets": targets.collect::<Vec<_>>(),
            "tables": self.tables.iter().map(Table::in_json).collect::<Vec<_>>(),
        })
    }
}

fn write(repository: &Repository, inside: &str, text: &str) -> Result<(), Error> {
    let path = repository.path(inside);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(Error::at(folder))?;
    }
    std::fs::write(&path, text).map_err(Error::at(&path))
}

fn table_in_markdown(table: &Table) -> String {
    let mut text = format!(
        "## {}: {}\n\n| {} | samples | median | 10 % | 90 % | least |\n|---|---:|---:|---:|---:|---:|\n",
        table.name, table.title, table.unit
    );
    for row in &table.rows {
        let _ = writeln!(text, "{}", row_in_markdown(row));
    }
    text
}

fn row_in_markdown(row: &Row) -> String {
    if let Some(Summary { count, least, p10, median, p90 }) = row.summary() {
        let [median, p10, p90, least] = [median, p10, p90, least].map(three_digits);
        format!("| {} | {count} | {median} | {p10} | {p90} | {least} |", row.name)
    } else {
        let failure = row.failure.as_deref().unwrap_or("not measured");
        format!("| {} | {} | | | | |", row.name, failure.replace('|', "\\|"))
    }
}

/// A page with its middle exchanged; none where it has no middle.
fn with_newest(page: &str, newest: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGINS)?;
    let (_, after) = rest.split_once(ENDS)?;
    Some(format!("{before}{BEGINS}{newest}{ENDS}{after}"))
}

/// 0.0123, 1.23, 12.3, 123, 1234: no more digits than mean something, no zeros behind them.
pub(super) fn three_digits(number: f64) -> String {
    let magnitude = number.abs().max(f64::MIN_POSITIVE).log10().floor() as i32;
    let decimals = usize::try_from(2 - magnitude).unwrap_or(0).min(6);
    let text = format!("{number:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_that_mean_something() {
        let shown = [0.0, 0.012_345, 0.1, 1.0 / 6.0, 1.7, 12.34, 123.4, 123_456.7].map(three_digits);
        assert_eq!(shown, ["0", "0.0123", "0.1", "0.167", "1.7", "12.3", "123", "123457"]);
    }

    #[test]
    fn the_middle_of_a_page_is_exchanged_and_the_rest_stays() {
        let page = format!("# A\n\n{BEGINS}old\n{ENDS}\n\n# B\n");
        let changed = with_newest(&page, "new\n").unwrap();
        assert_eq!(changed, format!("# A\n\n{BEGINS}new\n{ENDS}\n\n# B\n"));
        assert_eq!(with_newest("no middle", "new"), None);
    }

    #[test]
    fn a_table_shows_what_was_measured_and_why_something_was_not() {
        let mut tables = Tables::default();
        tables.table("W1", "a run", "ms").add("one", Ok(vec![1.0, 2.0, 3.0]));
        tables.table("W1", "a run", "ms").add("other", Err("it ended".to_owned()));
        let shown = table_in_markdown(tables.iter().next().unwrap());
        assert_eq!(
            shown.lines().skip(4).collect::<Vec<_>>(),
            ["| one | 3 | 2 | 1.2 | 2.8 | 1 |", "| other | it ended | | | | |"]
        );
    }
}
