//! What names a run on the command line: its form says what it is.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use intermission::RunId;
use intermission::codec::PREFIX;

/// `run_...` is a durable run, `imt1_...` a token, `-` the standard input, everything else a file.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Operand {
    Run(RunId),
    Token(String),
    StandardInput,
    File(PathBuf),
}

impl Operand {
    /// The file, where it is one that can be read again and written: no pipe.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path.as_path()).filter(|path| path.is_file()),
            Self::Run(_) | Self::Token(_) | Self::StandardInput => None,
        }
    }
}

impl FromStr for Operand {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.parse() {
            Ok(run) => Self::Run(run),
            Err(_) if text.starts_with(PREFIX) => Self::Token(text.to_owned()),
            Err(_) if text == "-" => Self::StandardInput,
            Err(_) => Self::File(PathBuf::from(text)),
        })
    }
}

/// A token is a secret.
impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_string())
    }
}

/// What errors call it.
impl std::fmt::Display for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Run(run) => run.fmt(f),
            Self::Token(_) => f.write_str("the token"),
            Self::StandardInput => f.write_str("the standard input"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_says_what_it_is() {
        let shown = |text: &str| text.parse::<Operand>().unwrap().to_string();
        let run = "run_a4dqobyha4dqobyha4dqobyha4";
        assert_eq!(run.parse(), Ok(Operand::Run(RunId::from_bytes([7; 16]))));
        assert_eq!(format!("{run}.imt").parse(), Ok(Operand::File(PathBuf::from(format!("{run}.imt")))));
        assert_eq!(shown("imt1_secret"), "the token");
        assert_eq!(shown("-"), "the standard input");
        assert_eq!(shown("./imt1_file"), "./imt1_file");
    }
}
