//! A child process: fed, read with bounds, and ended with everything that it has started.

use std::io;
use std::process::{ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};

/// What is kept of the standard error.
pub(crate) const MOST_COMPLAINT: usize = 8 << 10;

/// What came of a child.
pub(super) struct Finished {
    pub(super) status: ExitStatus,
    /// Its standard output; nothing where that was more than allowed.
    pub(super) output: Option<Vec<u8>>,
    /// The end of its standard error.
    pub(super) complaint: Vec<u8>,
}

/// Runs a command to its end in a process group of its own. What it leaves running in the group is killed; so is all of it when the future is dropped.
pub(super) async fn run(mut command: Command, input: &[u8], most_output: usize) -> io::Result<Finished> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    let mut child = command.spawn()?;
    let group = Group::of(&child);
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let wait = async {
        let status = child.wait().await;
        group.kill();
        status
    };
    let (status, (), output, complaint) =
        tokio::join!(wait, feed(stdin, input), read(stdout, most_output, &group), read_end(stderr));
    Ok(Finished { status: status?, output: output?, complaint: complaint? })
}

/// The process group that a child leads.
pub(crate) struct Group(Option<Pid>);

impl Group {
    pub(crate) fn of(child: &Child) -> Self {
        Self(child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw))
    }

    /// Kills what is left of it: perhaps nothing.
    pub(crate) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Asks it to end.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.0 {
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes the input. A child that does not care to read it is none of our business.
async fn feed(stdin: Option<ChildStdin>, input: &[u8]) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(input).await;
    }
}

/// Everything, or nothing when that is more than `most` bytes: then the group is killed at once.
async fn read(
    from: Option<impl AsyncRead + Unpin>,
    most: usize,
    group: &Group,
) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        from.take(most as u64 + 1).read_to_end(&mut bytes).await?;
    }
    if bytes.len() > most {
        group.kill();
        return Ok(None);
    }
    Ok(Some(bytes))
}

/// The last bytes of what comes.
async fn read_end(from: Option<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
    let mut end = Vec::new();
    if let Some(mut from) = from {
        while from.read_buf(&mut end).await? > 0 {
            if end.len() > 2 * MOST_COMPLAINT {
                end.drain(..end.len() - MOST_COMPLAINT);
            }
        }
    }
    end.drain(..end.len().saturating_sub(MOST_COMPLAINT));
    Ok(end)
}
