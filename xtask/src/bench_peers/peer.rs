//! A program that speaks the protocol of `docs/benchmarks.md`.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

pub(super) struct Peer {
    pub(super) name: &'static str,
    /// Program and arguments.
    pub(super) command: Vec<OsString>,
    pub(super) measured: Measured,
}

/// What is measured of a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measured {
    /// All there is; its memory with so many runs that wait.
    Everything { waiting_runs: u32 },
    /// How it pauses and goes on: it differs from another in nothing else.
    Pauses,
}

impl Peer {
    /// The command, on those CPUs only if any are named: `0,1`.
    pub(super) fn command(&self, workloads: &Path, cpus: Option<&str>) -> Command {
        let pinning: Vec<OsString> =
            cpus.map(|cpus| ["taskset".into(), "-c".into(), cpus.into()].into()).unwrap_or_default();
        let mut words = pinning.iter().chain(&self.command);
        let mut command = Command::new(words.next().map_or_else(OsString::new, Clone::clone));
        command.args(words).env("BENCH_WORKLOADS", workloads);
        command
    }

    /// Starts it, and waits until it is ready.
    pub(super) fn converse(&self, workloads: &Path, cpus: Option<&str>) -> Result<Conversation, String> {
        let mut command = self.command(workloads, cpus);
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child =
            started.map_err(|error| format!("cannot start {}: {error}", command.get_program().display()))?;
        let (Some(questions), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("it has no pipes".to_owned());
        };
        let mut conversation = Conversation { child, questions, answers: BufReader::new(answers) };
        conversation.answer()?;
        Ok(conversation)
    }

    /// Has it answer one question by its command line, `--rss 1000`.
    pub(super) fn ask_once(&self, workloads: &Path, arguments: &[&str]) -> Result<Value, String> {
        let mut command = self.command(workloads, None);
        let output =
            command.args(arguments).stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
        if output.status.success() {
            serde_json::from_slice(&output.stdout).map_err(|error| format!("its answer is not JSON: {error}"))
        } else {
            let errors = String::from_utf8_lossy(&output.stderr);
            Err(errors.lines().next_back().unwrap_or("it failed and said nothing").to_owned())
        }
    }
}

/// A peer that takes commands. Ends with its owner.
pub(super) struct Conversation {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Conversation {
    pub(super) fn ask(&mut self, command: &Value) -> Result<Value, String> {
        writeln!(self.questions, "{command}").map_err(|error| format!("it takes no command: {error}"))?;
        let answer = self.answer()?;
        match answer["error"].as_str() {
            None => Ok(answer),
            Some(error) => Err(error.to_owned()),
        }
    }

    fn answer(&mut self) -> Result<Value, String> {
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(|error| error.to_string())?;
        if line.is_empty() {
            return Err("it ended without an answer".to_owned());
        }
        serde_json::from_str(&line).map_err(|error| format!("its answer is not JSON: {error}"))
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shell(script: &str) -> Peer {
        Peer {
            name: "shell",
            command: ["sh", "-c", script].map(OsString::from).into(),
            measured: Measured::Pauses,
        }
    }

    #[test]
    fn a_peer_answers_each_command_with_a_line() {
        let peer = shell(r#"echo '{"ready": true}'; read line; echo "{\"heard\": $line}""#);
        let mut conversation = peer.converse(Path::new("w.json"), None).unwrap();
        assert_eq!(conversation.ask(&json!({ "cmd": "rss" })).unwrap(), json!({ "heard": { "cmd": "rss" } }));
    }

    #[test]
    fn a_peer_that_errs_or_ends_or_babbles_is_an_error() {
        let ask = |script: &str| {
            let mut conversation = shell(script).converse(Path::new("w.json"), None)?;
            conversation.ask(&json!({ "cmd": "rss" }))
        };
        assert_eq!(ask("exit 0").unwrap_err(), "it ended without an answer");
        assert_eq!(ask("echo '{}'; read line; echo '{\"error\": \"no\"}'").unwrap_err(), "no");
        assert!(ask("echo hello").unwrap_err().starts_with("its answer is not JSON"));
    }

    #[test]
    fn a_question_by_the_command_line_is_answered_or_the_last_line_of_its_errors_is() {
        let ask = |script: &str| shell(script).ask_once(Path::new("w.json"), &[]);
        assert_eq!(ask(r#"echo "\"$BENCH_WORKLOADS\"""#).unwrap(), json!("w.json"));
        assert_eq!(ask("echo one >&2; echo two >&2; exit 1").unwrap_err(), "two");
    }
}
