//! What must hold.

use super::tables::Tables;

pub(super) struct Target {
    pub(super) what: &'static str,
    measured: Row,
    /// What it is divided by; none: nothing.
    per: Option<Row>,
    bound: Bound,
}

#[derive(Clone, Copy)]
struct Row(&'static str, &'static str);

#[derive(Clone, Copy)]
enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

pub(super) const TARGETS: &[Target] = &[
    of_modebox("W1", "a trivial run, of modebox's time", 1.0 / 10.0),
    of_modebox("W3", "200 host calls one after the other, of modebox's time", 1.0 / 6.0),
    of_modebox("W11rows", "9,000 rows to a host function and back, of modebox's time", 1.0 / 3.0),
    of_modebox("W11", "1 MB to a host function and back, of modebox's time", 1.0 / 2.0),
    Target {
        what: "trivial runs a second on two cores, of modebox's",
        measured: Row("throughput-2", "intermission"),
        per: Some(Row("throughput-2", "modebox")),
        bound: Bound::AtLeast(20.0),
    },
    Target {
        what: "trivial runs a second on two cores, of those on one",
        measured: Row("throughput-2", "intermission"),
        per: Some(Row("throughput-1", "intermission")),
        bound: Bound::AtLeast(1.7),
    },
    of_unmetered("W7sum", "a loop that adds, of unmetered modebox's time"),
    of_unmetered("W7fib", "recursive calls, of unmetered modebox's time"),
    of_unmetered("W7json", "JSON, of unmetered modebox's time"),
    of_unmetered("W7sort", "sorting, of unmetered modebox's time"),
    of_unmetered("W7str", "a long string built, of unmetered modebox's time"),
    of_modebox("P200-bytes", "a token with 200 rows, of modebox's bytes", 1.0 / 8.0),
    of_modebox("P200-resume", "going on from it, of modebox's time", 1.0),
    of_modebox("P200-run", "the run to it, of modebox's time", 1.0 / 5.0),
    of_1000("P3000-run", "P1000-run", "3,000 calls and a token, of the time of 1,000"),
    Target {
        what: "going on by replay from 3,000 calls, of the time from 1,000",
        measured: Row("P3000-resume", "intermission-replaying"),
        per: Some(Row("P1000-resume", "intermission-replaying")),
        bound: Bound::AtMost(3.3),
    },
    of_1000("P3000-bytes", "P1000-bytes", "a token of 3,000 calls, of the bytes of one of 1,000"),
    Target {
        what: "ms of the 200th round of questions, from token to token, by replay",
        measured: Row("Ploop-resume", "intermission-replaying"),
        per: None,
        bound: Bound::AtMost(1.5),
    },
    Target {
        what: "the same, of npm run's time",
        measured: Row("Ploop-resume", "intermission-replaying"),
        per: Some(Row("Ploop-resume", "run")),
        bound: Bound::AtMost(1.0 / 20.0),
    },
    Target {
        what: "MB of the machine's memory that a run takes which waits, 1,000 waiting",
        measured: Row("memory-physical", "intermission (1000 runs)"),
        per: None,
        bound: Bound::AtMost(0.4),
    },
    Target {
        what: "ms from the start of the command line tool to its end",
        measured: Row("cold", "intermission run script.js"),
        per: None,
        bound: Bound::AtMost(15.0),
    },
];

const fn of_modebox(table: &'static str, what: &'static str, bound: f64) -> Target {
    Target {
        what,
        measured: Row(table, "intermission"),
        per: Some(Row(table, "modebox")),
        bound: Bound::AtMost(bound),
    }
}

const fn of_1000(table: &'static str, per: &'static str, what: &'static str) -> Target {
    Target {
        what,
        measured: Row(table, "intermission"),
        per: Some(Row(per, "intermission")),
        bound: Bound::AtMost(3.3),
    }
}

const fn of_unmetered(table: &'static str, what: &'static str) -> Target {
    Target {
        what,
        measured: Row(table, "intermission"),
        per: Some(Row(table, "modebox-unmetered")),
        bound: Bound::AtMost(1.0),
    }
}

impl Target {
    /// The quotient of the medians; none where one was not measured.
    pub(super) fn figure(&self, tables: &Tables) -> Option<f64> {
        let median = |Row(table, row): Row| tables.median(table, row);
        Some(median(self.measured)? / self.per.map_or(Some(1.0), median)?)
    }

    pub(super) fn is_met_by(&self, figure: f64) -> bool {
        match self.bound {
            Bound::AtMost(most) => figure <= most,
            Bound::AtLeast(least) => figure >= least,
        }
    }

    /// `at most 0.4`
    pub(super) fn wanted(&self) -> String {
        match self.bound {
            Bound::AtMost(most) => format!("at most {}", super::report::three_digits(most)),
            Bound::AtLeast(least) => format!("at least {}", super::report::three_digits(least)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_met_by_the_quotient_of_two_medians() {
        let mut tables = Tables::default();
        let target = of_modebox("W1", "a run", 0.1);
        tables.table("W1", "", "ms").add("intermission", Ok(vec![0.5]));
        assert_eq!(target.figure(&tables), None);
        tables.table("W1", "", "ms").add("modebox", Ok(vec![10.0]));
        assert_eq!(target.figure(&tables), Some(0.05));
        assert!(target.is_met_by(0.1) && !target.is_met_by(0.11));
        assert_eq!(target.wanted(), "at most 0.1");
    }

    #[test]
    fn a_target_without_a_divisor_is_met_by_a_median_alone() {
        let target =
            Target { what: "growth", measured: Row("t", "r"), per: None, bound: Bound::AtLeast(1.7) };
        let mut tables = Tables::default();
        tables.table("t", "", "").add("r", Ok(vec![1.0, 2.0]));
        assert_eq!(target.figure(&tables), Some(1.5));
        assert!(!target.is_met_by(1.69) && target.is_met_by(1.7));
        assert_eq!(target.wanted(), "at least 1.7");
    }
}
