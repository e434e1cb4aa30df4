//! What was measured on, and what was measured.

use std::fmt;
use std::process::Command;

use serde_json::{Value, json};

use crate::error::Error;
use crate::process::Step;
use crate::repository::Repository;

pub(super) struct Machine {
    /// UTC, `2025-01-31`.
    pub(super) date: String,
    cpu: String,
    cores: usize,
    memory_gib: u64,
    kernel: String,
    rust: String,
    node: String,
    commit: String,
}

impl Machine {
    pub(super) fn look(repository: &Repository) -> Result<Self, Error> {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let kib = field(&read("/proc/meminfo"), "MemTotal")
            .and_then(|size| size.trim_end_matches(" kB").parse::<u64>().ok());
        let unknown = || "unknown".to_owned();
        let root = repository.root().to_string_lossy();
        Ok(Self {
            date: say("date", &["-u", "+%F"])?,
            cpu: field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(unknown),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get),
            memory_gib: kib.unwrap_or_default().div_ceil(1 << 20),
            kernel: say("uname", &["-sr"])?,
            rust: say("rustc", &["--version"])?,
            node: say("node", &["--version"]).unwrap_or_else(|_| unknown()),
            commit: say("git", &["-C", &root, "describe", "--always", "--dirty"])
                .unwrap_or_else(|_| unknown()),
        })
    }

    pub(super) fn in_json(&self) -> Value {
        json!({
            "cpu": self.cpu, "cores": self.cores, "memory_gib": self.memory_gib, "kernel": self.kernel,
            "rust": self.rust, "node": self.node, "commit": self.commit,
        })
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { date, cpu, cores, memory_gib, kernel, rust, node, commit } = self;
        write!(
            f,
            "{date}, commit {commit}: {cpu}, {cores} cores, {memory_gib} GiB, {kernel}, {rust}, Node {node}"
        )
    }
}

fn say(program: &str, arguments: &[&str]) -> Result<String, Error> {
    let mut command = Command::new(program);
    let said = Step::start(program, "it must be on the path", command.args(arguments))?.wait()?;
    Ok(String::from_utf8_lossy(&said.answer).trim().to_owned())
}

/// `name : value` of a file under `/proc`.
fn field(text: &str, name: &str) -> Option<String> {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    lines.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_proc_is_the_first_of_its_name() {
        let text = "processor\t: 0\nmodel name\t: One\nmodel name\t: Two\n";
        assert_eq!(field(text, "model name"), Some("One".to_owned()));
        assert_eq!(field(text, "model"), None);
    }
}
