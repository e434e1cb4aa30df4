//! A command at a terminal, and somebody who types.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command};

use nix::pty::{OpenptyResult, openpty};

/// A command whose three streams are one terminal.
pub(crate) struct Terminal {
    child: Child,
    screen: File,
    transcript: String,
}

impl Terminal {
    pub(crate) fn of(mut command: Command) -> Self {
        let OpenptyResult { master, slave } = openpty(None, None).unwrap();
        let line = || slave.try_clone().unwrap();
        let child = command.stdin(line()).stdout(line()).stderr(line()).env("NO_COLOR", "1").spawn().unwrap();
        Self { child, screen: master.into(), transcript: String::new() }
    }

    /// Waits until the screen ends with this prompt, and types a line.
    pub(crate) fn answer(&mut self, prompt: &str, line: &str) {
        self.wait_for(prompt);
        let before = self.transcript.len();
        self.screen.write_all(line.as_bytes()).unwrap();
        // A line is echoed before anything comes of it; the end of the input is not.
        while line.ends_with('\n') && self.transcript.len() == before {
            assert!(self.read(), "it ended before it read {line:?}:\n{}", self.transcript);
        }
    }

    /// Waits until the screen ends with this prompt, and sends a signal.
    pub(crate) fn signal_at(&mut self, prompt: &str, signal: &str) {
        self.wait_for(prompt);
        Command::new("kill").args(["-s", signal, &self.child.id().to_string()]).status().unwrap();
    }

    /// What was on the screen, when the command has ended, and its exit code.
    pub(crate) fn finish(mut self) -> String {
        while self.read() {}
        let status = self.child.wait().unwrap();
        format!("{}exit {}", self.transcript, status.code().unwrap())
    }

    /// Waits until the screen ends with this prompt.
    pub(crate) fn wait_for(&mut self, prompt: &str) {
        while !self.transcript.ends_with(prompt) {
            assert!(self.read(), "it never prompted {prompt:?}:\n{}", self.transcript);
        }
    }

    /// Whether anything came.
    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        // At the end Linux says EIO.
        let count = self.screen.read(&mut bytes).unwrap_or(0);
        self.transcript.push_str(&String::from_utf8_lossy(&bytes[..count]).replace('\r', ""));
        count > 0
    }
}
