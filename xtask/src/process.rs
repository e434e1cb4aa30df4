//! Other programs, run to their end.

use std::process::{Child, Command, Stdio};

use crate::error::Error;

/// A program that was started and whose output is kept.
pub(crate) struct Step {
    name: String,
    remedy: &'static str,
    child: Child,
}

impl Step {
    /// Starts `command`. `name` and `remedy` are for the error, should it fail: what it was to do, and what to do then.
    pub(crate) fn start(
        name: impl Into<String>,
        remedy: &'static str,
        command: &mut Command,
    ) -> Result<Self, Error> {
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(
                |source| Error::CannotStart {
                    program: command.get_program().to_string_lossy().into_owned(),
                    remedy,
                    source,
                },
            )?;
        Ok(Self { name: name.into(), remedy, child })
    }

    /// Waits for its success.
    pub(crate) fn wait(self) -> Result<Output, Error> {
        let program = self.name.clone();
        let output = self.child.wait_with_output().map_err(|source| Error::CannotStart {
            program,
            remedy: self.remedy,
            source,
        })?;
        let errors = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        if output.status.success() {
            return Ok(Output { answer: output.stdout, remarks: errors });
        }
        let output_text = format!("{}{errors}", String::from_utf8_lossy(&output.stdout));
        Err(Error::StepFailed {
            step: self.name,
            status: output.status,
            remedy: self.remedy,
            output: output_text,
        })
    }
}

/// What a successful program wrote.
pub(crate) struct Output {
    /// Its standard output.
    pub(crate) answer: Vec<u8>,
    /// Its standard error: warnings.
    pub(crate) remarks: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_there_gives_its_name_and_the_remedy() {
        let mut command = Command::new("no-such-program-here");
        let error = Step::start("asking", "install it", &mut command).err().unwrap().to_string();
        assert!(error.starts_with("cannot start no-such-program-here ("), "{error}");
        assert!(error.ends_with("): install it"), "{error}");
    }

    #[test]
    fn a_program_that_fails_gives_one_line_and_then_its_own_output() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let error = Step::start("the step", "mend it", &mut command).unwrap().wait().err().unwrap();
        assert_eq!(error.to_string(), "the step failed (exit status: 3): mend it\nout\nerr");
    }
}
