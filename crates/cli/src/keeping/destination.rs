//! Where a continuation goes.

use std::io;
use std::path::{Path, PathBuf};

use intermission::Continuation;
use serde_json::{Value as Json, json};

use super::error::KeepError;
use super::{Keeper, file};
use crate::diagnostic::Diagnostic;
use crate::operand::Whence;

/// Where a continuation goes.
#[derive(Clone, Debug)]
pub(crate) enum Destination {
    /// To the standard output.
    Output,
    /// Into a file that is not there yet.
    New(PathBuf),
    /// Back into the file that it came from.
    Back(PathBuf),
    /// Into a file that is named after the run, in the working directory.
    Named,
}

/// Where a continuation is now.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) file: Option<PathBuf>,
    pub(crate) token: Option<String>,
    /// Whether it is sealed.
    pub(crate) is_protected: bool,
}

impl Destination {
    /// As the arguments say of a run that came from `from`, if it is no new one.
    ///
    /// # Errors
    /// When it cannot be kept there: before anything runs.
    pub(crate) fn choose(
        given: Option<&Path>,
        from: Option<&Whence>,
        keeper: &Keeper,
    ) -> Result<Self, KeepError> {
        let chosen = match (given, from.and_then(Whence::file)) {
            (Some(path), _) if path == Path::new("-") => Self::Output,
            (Some(path), Some(from)) if is_same(path, from) => Self::Back(from.to_owned()),
            (Some(path), _) => Self::New(path.to_owned()),
            (None, Some(from)) => Self::Back(from.to_owned()),
            (None, None) => Self::Named,
        };
        match &chosen {
            Self::Output if keeper.sealed.is_none() && !keeper.unprotected => {
                return Err(KeepError::UnprotectedOutput);
            }
            Self::New(path) if path.symlink_metadata().is_ok() => {
                return Err(KeepError::Exists { path: path.clone() });
            }
            Self::New(path) | Self::Back(path) => check_folder(path)?,
            Self::Output | Self::Named => {}
        }
        Ok(chosen)
    }

    /// That what a run has done can go back to the file that it came from, where its value is printed alone.
    ///
    /// # Errors
    /// When it cannot be written there.
    pub(crate) fn check_way_back(&self, origin: Option<&Path>) -> Result<(), KeepError> {
        match (self, origin) {
            (Self::Output, Some(path)) => check_folder(path),
            _ => Ok(()),
        }
    }

    /// Puts a continuation there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep(&self, continuation: &Continuation, keeper: &Keeper) -> Result<Kept, KeepError> {
        let text = keeper.seal(continuation)?;
        let file = match self {
            Self::Output => None,
            Self::New(path) => {
                file::create(path, &text).map_err(|error| unwritable(path, error))?;
                Some(path.clone())
            }
            Self::Back(path) => {
                file::replace(path, &text).map_err(|error| unwritable(path, error))?;
                Some(path.clone())
            }
            Self::Named => Some(named(continuation, &text, keeper)?),
        };
        let token = file.is_none().then_some(text);
        Ok(Kept { file, token, is_protected: keeper.sealed.is_some() })
    }
}

fn check_folder(path: &Path) -> Result<(), KeepError> {
    file::check_folder(path).map_err(|error| unwritable(path, error))
}

fn unwritable(path: &Path, error: io::Error) -> KeepError {
    KeepError::Unwritable { path: path.to_owned(), error }
}

/// In the working directory, or where that cannot be written, in that of temporary files: what a run has done must not be lost.
fn named(continuation: &Continuation, text: &str, keeper: &Keeper) -> Result<PathBuf, KeepError> {
    let here = PathBuf::from(format!("{}.imt", continuation.run_id()));
    let mut error = match put_by_name(&here, continuation, text, keeper) {
        Ok(()) => return Ok(here),
        Err(error) => error,
    };
    // The run went on from the same place before, and did something else: that is kept as well.
    for number in 2..100 {
        if error.kind() != io::ErrorKind::AlreadyExists {
            break;
        }
        let beside = here.with_extension(format!("{number}.imt"));
        match put_by_name(&beside, continuation, text, keeper) {
            Ok(()) => return Ok(beside),
            Err(failed) => error = failed,
        }
    }
    let elsewhere = std::env::temp_dir().join(&here);
    match file::create(&elsewhere, text) {
        Ok(()) => Ok(elsewhere),
        Err(_) => Err(unwritable(&here, error)),
    }
}

/// Over a file only where that has the beginning of the same.
fn put_by_name(path: &Path, continuation: &Continuation, text: &str, keeper: &Keeper) -> io::Result<()> {
    let goes_on =
        |there: &Continuation| continuation.record().entries().starts_with(there.record().entries());
    if path.exists() && keeper.take_file(path).is_ok_and(|there| goes_on(&there)) {
        file::replace(path, text)
    } else {
        file::create(path, text)
    }
}

/// One word of a shell's command (POSIX, Shell Command Language, 2.2.2).
pub(crate) fn shell_word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._-/+:,=@%".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A path as a shell takes it.
pub(crate) fn shell_path(path: &Path) -> String {
    shell_word(&path.display().to_string())
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

impl Kept {
    /// Where it is, for programs.
    pub(crate) fn to_json(&self) -> Json {
        json!({
            "file": self.file.as_ref().map(|file| file.display().to_string()),
            "token": self.token,
            "protected": self.is_protected,
        })
    }

    /// What commands go on from, as a shell reads it. A token is a secret: it stands in the output, and nowhere else.
    pub(crate) fn operand(&self) -> String {
        self.file.as_ref().map_or_else(|| "TOKEN".to_owned(), |file| shell_path(file))
    }

    /// What there is to say of a continuation without a key.
    pub(crate) fn warning(&self) -> Option<Diagnostic> {
        if self.is_protected {
            return None;
        }
        let message = match &self.file {
            Some(file) => {
                format!("there is no key: {} is readable and can be changed by its owner", file.display())
            }
            None => {
                "there is no key: whoever sees the continuation can read it, and change what the run has done"
                    .to_owned()
            }
        };
        Some(Diagnostic::warning("CONTINUATION_UNPROTECTED", message).hint(
            "to seal continuations, put a secret into INTERMISSION_KEY, or into the `key_file` of the configuration",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_of_a_shells_command() {
        let words = ["a.imt", "../run_a-1.imt", "my run.imt", "it's", "$HOME", ""].map(shell_word);
        assert_eq!(words, ["a.imt", "../run_a-1.imt", "'my run.imt'", r"'it'\''s'", "'$HOME'", "''"]);
    }
}
