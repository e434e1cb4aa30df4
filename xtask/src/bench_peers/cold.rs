//! From the start of a process to the first result.
#![expect(clippy::disallowed_methods, reason = "the time to the result is what is measured")]

use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::install::Installed;
use super::tables::Tables;
use crate::error::Error;

const TITLE: &str = "from the start of a process to the result of a trivial run, and its end";

/// Commands that print 2.
pub(super) struct Cold {
    commands: Vec<(String, Vec<OsString>)>,
    /// Of the script; removed with it.
    _script: tempfile::NamedTempFile,
}

impl Cold {
    pub(super) fn new(installed: &Installed) -> Result<Self, Error> {
        let failed = |error: std::io::Error| Error::at(&std::env::temp_dir())(error);
        let mut script = tempfile::Builder::new().suffix(".js").tempfile().map_err(failed)?;
        script.write_all(b"return 1+1").map_err(failed)?;
        let cli = installed.cli.iter().map(|cli| {
            let words = [cli.into(), "run".into(), script.path().into()];
            ("intermission run script.js".to_owned(), words.to_vec())
        });
        let peers = installed.peers.iter().map(|peer| {
            let mut words = peer.command.clone();
            words.push("--cold".into());
            (format!("{}, the peer", peer.name), words)
        });
        let commands = cli.chain(peers).collect();
        Ok(Self { commands, _script: script })
    }

    /// Each once.
    pub(super) fn measure(&self, tables: &mut Tables) {
        for (name, words) in &self.commands {
            tables.table("cold", TITLE, "ms").add(name, time(words).map(|time| vec![time]));
        }
    }
}

fn time(words: &[OsString]) -> Result<f64, String> {
    let (program, arguments) = words.split_first().ok_or("no command")?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    let began = Instant::now();
    let output = command.output().map_err(|error| error.to_string())?;
    let time = began.elapsed().as_secs_f64() * 1e3;
    if output.stdout.trim_ascii() == b"2" {
        Ok(time)
    } else {
        let said = String::from_utf8_lossy(&output.stdout);
        Err(format!("it prints {:?}, not 2", said.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_does_not_print_2_has_no_time() {
        let timed = |script: &str| time(&["sh", "-c", script].map(OsString::from));
        assert!(timed("echo 2").unwrap() > 0.0);
        assert_eq!(timed("echo 3").unwrap_err(), "it prints \"3\", not 2");
    }
}
