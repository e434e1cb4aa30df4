//! What becomes of a source, construct by construct.

mod analysis;
mod decorators;
mod entry;
mod erasure;
mod errors;
mod hostile;
mod javascript;
mod positions;
mod rewriting;

use intermission_source::{Kind, Options, Prepared, SourceError, SourceKind, prepare};

/// Prepares a source as it is handed in.
fn prepared(text: &str) -> Prepared {
    match prepare(text, &Options::default()) {
        Ok(prepared) => prepared,
        Err(error) => panic!("{}: {error}\n{text}", error.code()),
    }
}

/// The error of a source.
fn refused(text: &str) -> SourceError {
    prepare(text, &Options::default()).expect_err(text)
}

/// What is left of a module that a source imports: nothing but TypeScript is rewritten.
fn imported(text: &str) -> String {
    let options = Options { kind: SourceKind::Imported, ..Options::default() };
    match prepare(text, &options) {
        Ok(prepared) => {
            assert_eq!(prepared.kind, Kind::Module);
            prepared.text
        }
        Err(error) => panic!("{}: {error}\n{text}", error.code()),
    }
}
