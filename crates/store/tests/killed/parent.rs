//! Children of a test, and what they leave.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

use libtest_mimic::Failed;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// A child, which can be talked to line by line.
pub(crate) struct Running {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Running {
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg("child")
            .arg(folder)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id().cast_signed()), signal).unwrap();
    }

    /// Stops it. A signal alone is no more than a wish: threads of its on other cores go on for a moment.
    pub(crate) fn stop(&self) {
        self.signal(Signal::SIGSTOP);
        let pid = Pid::from_raw(self.child.id().cast_signed());
        let stopped = waitpid(pid, Some(WaitPidFlag::WUNTRACED)).unwrap();
        assert_eq!(stopped, WaitStatus::Stopped(pid, Signal::SIGSTOP));
    }

    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The next line; empty when there is none.
    pub(crate) fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Waits for its end; it is told nothing more.
    pub(crate) fn end(mut self) -> ExitStatus {
        drop(self.input.take());
        self.child.wait().unwrap()
    }
}

/// Runs a child to its end.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> ExitStatus {
    Running::start(folder, arguments).end()
}

pub(crate) fn must(is: bool, why: impl FnOnce() -> String) -> Result<(), Failed> {
    if is { Ok(()) } else { Err(why().into()) }
}

pub(crate) fn was_aborted(status: ExitStatus) -> bool {
    status.signal() == Some(Signal::SIGABRT as i32)
}
