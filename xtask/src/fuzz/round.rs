//! One target, run for a while.

use std::path::Path;
use std::process::Command;

use crate::error::Error;
use crate::process::Step;

/// Megabytes that a target may take, the corpus included.
const MOST_MEMORY: &str = "-rss_limit_mb=2048";
/// Seconds that one input may take.
const MOST_TIME: &str = "-timeout=10";

pub(super) struct Round<'a> {
    pub(super) program: &'a Path,
    /// Inputs to begin with; those that reach something new are added.
    pub(super) corpus: &'a Path,
    /// Where an input is kept that the target fails on.
    pub(super) artifacts: &'a Path,
    pub(super) seconds: u32,
}

impl Round<'_> {
    /// Runs it; the number of inputs that it was given.
    pub(super) fn run(&self) -> Result<u64, Error> {
        let name = self.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut command = Command::new(self.program);
        command
            .arg(self.corpus)
            .arg(format!("-artifact_prefix={}/", self.artifacts.display()))
            .arg(format!("-max_total_time={}", self.seconds))
            .args([MOST_MEMORY, MOST_TIME, "-verbosity=0", "-print_final_stats=1"]);
        let remedy = "the input that did it is in fuzz/artifacts; fuzz/README.md says how to go on";
        let output = Step::start(&name, remedy, &mut command)?.wait()?;
        executions(&output.remarks).ok_or(Error::NoExecutions { target: name })
    }
}

/// From libFuzzer's statistics.
fn executions(remarks: &str) -> Option<u64> {
    remarks.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_inputs_is_read_from_the_statistics() {
        let remarks = "stat::number_of_executed_units: 949917\nstat::average_exec_per_sec:     30642\n";
        assert_eq!(executions(remarks), Some(949_917));
        assert_eq!(executions("stat::average_exec_per_sec:     30642"), None);
    }

    #[test]
    fn a_target_that_fails_and_one_that_counts_nothing_are_errors() {
        let round = |program| {
            let [corpus, artifacts] = ["corpus", "artifacts"].map(Path::new);
            Round { program: Path::new(program), corpus, artifacts, seconds: 1 }
                .run()
                .unwrap_err()
                .to_string()
        };
        assert!(
            round("false")
                .starts_with("false failed (exit status: 1): the input that did it is in fuzz/artifacts")
        );
        assert_eq!(round("true"), "true ended without saying how many inputs it was given");
    }
}
