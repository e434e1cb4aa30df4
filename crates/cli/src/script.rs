//! The script and other files that the command line names.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use intermission::{Continuation, SourceError};
use intermission_config::{FileError, MOST_BYTES, read_file};
use intermission_source::{Options, prepare_bytes};

use crate::failure::Failure;
use crate::text_place::TextPlace;

/// A script as its author wrote it.
#[derive(Debug)]
pub(crate) struct Script {
    /// The file as it was named.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl Script {
    /// The script in a file; `-` is the standard input.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = if path == Path::new("-") { read_standard_input()? } else { read_file(path)? };
        let path = path.to_owned();
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self { path, text }),
            Err(error) => {
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Err(not_utf8(&Self { path, text }, error.as_bytes()))
            }
        }
    }

    /// The script of a run that was put away.
    pub(crate) fn of(continuation: &Continuation) -> Self {
        let path = PathBuf::from(&continuation.record().started().name);
        Self { path, text: continuation.source().to_owned() }
    }

    /// What errors call it.
    pub(crate) fn shown(&self) -> String {
        if self.is_standard_input() { "<stdin>".to_owned() } else { self.path.display().to_string() }
    }

    /// What stack traces call it, and what its imports are relative to: the path within the folder of modules, or else the file's name.
    pub(crate) fn name(&self, modules: Option<&Path>) -> String {
        if self.is_standard_input() {
            return "script.ts".to_owned();
        }
        let within = modules.and_then(|folder| {
            let (folder, path) = (folder.canonicalize().ok()?, self.path.canonicalize().ok()?);
            path.strip_prefix(folder).ok().map(Path::to_owned)
        });
        let name = within.or_else(|| self.path.file_name().map(PathBuf::from));
        name.unwrap_or_else(|| self.path.clone()).to_string_lossy().into_owned()
    }

    /// A place in it.
    pub(crate) fn place(&self, line: u32, column: u32) -> TextPlace {
        TextPlace::of_position(&self.shown(), &self.text, line, column)
    }

    fn is_standard_input(&self) -> bool {
        self.path == Path::new("-")
    }
}

/// The bytes of the standard input.
pub(crate) fn read_standard_input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes);
    let path = PathBuf::from("<stdin>");
    match read {
        Ok(_) if bytes.len() as u64 > MOST_BYTES => Err(FileError::TooLarge { path }.into()),
        Ok(_) => Ok(bytes),
        Err(error) => Err(Failure::unreadable(path, error)),
    }
}

fn not_utf8(script: &Script, bytes: &[u8]) -> Failure {
    match prepare_bytes(bytes, &Options::default()) {
        Err(error @ SourceError::NotUtf8 { position, .. }) => {
            Failure::NotUtf8 { place: script.place(position.line, position.column), error }
        }
        _ => unreachable!("these bytes were refused as UTF-8 before"),
    }
}
