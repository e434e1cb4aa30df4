//! A program that answers calls: the argument as JSON on its standard input, the answer as JSON on its standard output.

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::time::Duration;

use intermission::HostCall;

use super::answer::{AnswerError, Said, argument, end_of};
use super::child::{self, Finished};
use super::context;
use crate::secret_text::Secrets;

/// The exit status of a program that asks: `EX_TEMPFAIL` of sysexits.h.
const ASKS: i32 = 75;

/// A program and what it is started with.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    /// A path, or a name that is looked for in `PATH`.
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// The variables that it gets of our own environment, besides `PATH`.
    pub(crate) environment: Vec<String>,
    /// Its working directory.
    pub(crate) folder: PathBuf,
}

impl Command {
    /// The answer to a call.
    pub(super) async fn answer(
        &self,
        call: &HostCall,
        timeout: Option<Duration>,
        most_output: usize,
    ) -> Result<Said, AnswerError> {
        let input = argument(call)?;
        let mut command = self.to_start();
        command.envs(context::of(call)?.into_iter().map(|(name, text)| (context::variable(name), text)));
        let running = child::run(command, &input, most_output);
        let finished = match timeout {
            None => running.await,
            Some(timeout) => {
                tokio::time::timeout(timeout, running).await.map_err(|_| AnswerError::TimedOut(timeout))?
            }
        };
        let Finished { status, output, complaint } = finished.map_err(|error| AnswerError::NotStarted {
            program: self.program.display().to_string(),
            error,
        })?;
        let Some(output) = output else { return Err(AnswerError::TooMuch(most_output)) };
        let complaint =
            || end_of(Secrets::of_variables(&self.environment).hide_in_bytes(&complaint).as_bytes());
        if status.signal().is_some() {
            Err(AnswerError::Killed { signal: status.to_string(), complaint: complaint() })
        } else if status.code() == Some(ASKS) && !output.trim_ascii().is_empty() {
            Ok(Said::Interrupt(output))
        } else if !status.success() {
            Err(AnswerError::Failed { status: status.to_string(), complaint: complaint() })
        } else {
            Ok(Said::Answer(output))
        }
    }

    /// The program, ready to be started.
    #[expect(
        clippy::disallowed_methods,
        reason = "a child gets the variables that the configuration names, from here"
    )]
    pub(crate) fn to_start(&self) -> tokio::process::Command {
        let passed = self.environment.iter().map(String::as_str).chain(["PATH"]);
        let mut command = tokio::process::Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.folder).env_clear();
        command.envs(passed.filter_map(|name| Some((name, std::env::var_os(name)?))));
        command
    }
}
