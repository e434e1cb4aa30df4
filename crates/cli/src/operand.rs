//! What names a run on the command line: its form says what it is.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use intermission::codec::PREFIX;

use crate::run_name::RunName;

/// `run_...` and `latest` are runs of the store, everything else is a continuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Run(RunName),
    Continuation(Whence),
}

/// Where a continuation comes from: `imt1_...` is a token, `-` the standard input, everything else a file.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Whence {
    Token(String),
    StandardInput,
    File(PathBuf),
}

impl Operand {
    pub(crate) fn is_standard_input(&self) -> bool {
        *self == Self::Continuation(Whence::StandardInput)
    }
}

impl Whence {
    /// The file, where it is one that can be read again and written: no pipe.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path.as_path()).filter(|path| path.is_file()),
            Self::Token(_) | Self::StandardInput => None,
        }
    }
}

impl FromStr for Operand {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.parse() {
            Ok(run) => Self::Run(run),
            Err(_) if text.starts_with(PREFIX) => Self::Continuation(Whence::Token(text.to_owned())),
            Err(_) if text == "-" => Self::Continuation(Whence::StandardInput),
            Err(_) => Self::Continuation(Whence::File(PathBuf::from(text))),
        })
    }
}

/// A token is a secret.
impl std::fmt::Debug for Whence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_string())
    }
}

/// What errors call it.
impl std::fmt::Display for Whence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
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
        let file = |name: &str| Ok(Operand::Continuation(Whence::File(PathBuf::from(name))));
        let run = "run_a4dqobyha4dqobyha4dqobyha4";
        assert_eq!(run.parse(), Ok(Operand::Run(RunName::Beginning(run.to_owned()))));
        assert_eq!("latest".parse(), Ok(Operand::Run(RunName::Latest)));
        assert_eq!(format!("{run}.imt").parse(), file(&format!("{run}.imt")));
        assert_eq!("./latest".parse(), file("./latest"));
        assert_eq!("./imt1_file".parse(), file("./imt1_file"));
        let token: Operand = "imt1_secret".parse().unwrap();
        assert_eq!(format!("{token:?}"), "Continuation(the token)");
        assert!("-".parse::<Operand>().unwrap().is_standard_input());
    }
}
