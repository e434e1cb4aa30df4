//! Samples and what is said of them.

use serde_json::{Value, json};

/// All that was measured.
#[derive(Default)]
pub(super) struct Tables(Vec<Table>);

/// One thing, measured of several.
pub(super) struct Table {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) unit: &'static str,
    pub(super) rows: Vec<Row>,
}

pub(super) struct Row {
    pub(super) name: String,
    samples: Vec<f64>,
    /// Why it could not be measured, the last time that it could not.
    pub(super) failure: Option<String>,
}

/// A sample's order statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Summary {
    pub(super) count: usize,
    pub(super) least: f64,
    pub(super) p10: f64,
    pub(super) median: f64,
    pub(super) p90: f64,
}

impl Tables {
    /// The table of that name, made if need be.
    pub(super) fn table(&mut self, name: &str, title: &str, unit: &'static str) -> &mut Table {
        let at = self.0.iter().position(|table| table.name == name).unwrap_or_else(|| {
            self.0.push(Table { name: name.to_owned(), title: title.to_owned(), unit, rows: Vec::new() });
            self.0.len() - 1
        });
        &mut self.0[at]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Table> {
        self.0.iter()
    }

    /// The median of a row, if it was measured.
    pub(super) fn median(&self, table: &str, row: &str) -> Option<f64> {
        let table = self.0.iter().find(|candidate| candidate.name == table)?;
        Some(table.rows.iter().find(|candidate| candidate.name == row)?.summary()?.median)
    }
}

impl Table {
    /// Adds samples to a row, or the reason why there are none.
    pub(super) fn add(&mut self, row: &str, samples: Result<Vec<f64>, String>) {
        let at = self.rows.iter().position(|candidate| candidate.name == row).unwrap_or_else(|| {
            self.rows.push(Row { name: row.to_owned(), samples: Vec::new(), failure: None });
            self.rows.len() - 1
        });
        match samples {
            Ok(samples) => self.rows[at].samples.extend(samples),
            Err(failure) => self.rows[at].failure = Some(failure),
        }
    }

    pub(super) fn in_json(&self) -> Value {
        let row = |row: &Row| match (row.summary(), &row.failure) {
            (Some(summary), None) => {
                let Summary { count, least, p10, median, p90 } = summary;
                json!({ "name": row.name, "count": count, "least": least, "p10": p10, "median": median, "p90": p90 })
            }
            (_, failure) => json!({ "name": row.name, "failure": failure }),
        };
        json!({ "name": self.name, "title": self.title, "unit": self.unit, "rows": self.rows.iter().map(row).collect::<Vec<_>>() })
    }
}

impl Row {
    /// None where something went wrong: half a row compares with nothing.
    pub(super) fn summary(&self) -> Option<Summary> {
        if self.failure.is_some() { None } else { Summary::of(&self.samples) }
    }
}

impl Summary {
    /// None of no samples.
    fn of(samples: &[f64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let least = *sorted.first()?;
        let at = |share| quantile(&sorted, share);
        Some(Self { count: sorted.len(), least, p10: at(0.1), median: at(0.5), p90: at(0.9) })
    }
}

/// Between the two nearest samples, in proportion.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = (sorted.len() - 1) as f64 * share;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    low + (high - low) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_the_nearest_samples() {
        let samples: Vec<f64> = (0..=20).rev().map(f64::from).collect();
        let summary = Summary { count: 21, least: 0.0, p10: 2.0, median: 10.0, p90: 18.0 };
        assert_eq!(Summary::of(&samples), Some(summary));
        assert_eq!(Summary::of(&[1.0, 2.0]).unwrap().median, 1.5);
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn a_row_that_failed_once_has_no_figures() {
        let mut tables = Tables::default();
        tables.table("W1", "a run", "ms").add("one", Ok(vec![1.0, 3.0]));
        tables.table("W1", "a run", "ms").add("other", Ok(vec![1.0]));
        tables.table("W1", "a run", "ms").add("other", Err("it died".to_owned()));
        assert_eq!(tables.median("W1", "one"), Some(2.0));
        assert_eq!(tables.median("W1", "other"), None);
        assert_eq!(tables.median("W2", "one"), None);
        assert_eq!(
            tables.iter().next().unwrap().in_json()["rows"][1],
            json!({ "name": "other", "failure": "it died" })
        );
    }
}
