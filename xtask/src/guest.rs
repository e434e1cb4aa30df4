//! `cargo xtask guest`: the C of the guest, compiled to `guest/guest.wasm`.

mod compile;
pub(crate) mod module;
mod sources;
mod stamp;
mod toolchain;

use std::path::Path;

use crate::error::Error;
use crate::repository::Repository;
use compile::{Build, Warnings};
use sources::Sources;
use stamp::Stamp;

/// Where the module lies, for the Rust crate `intermission-guest` to pick up.
const MODULE: &str = "guest/guest.wasm";

pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<(), Error> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => build_if_changed(repository),
        ["--check"] => check(repository),
        ["--check", other, ..] | [other, ..] => Err(Error::UnknownArgument { argument: other.to_owned() }),
    }
}

fn build_if_changed(repository: &Repository) -> Result<(), Error> {
    let _one_at_a_time = toolchain::lock(repository)?;
    let module = repository.path(MODULE);
    let stamp = Stamp::of_inputs(repository)?;
    if stamp.is_beside(&module) {
        println!("{MODULE}: nothing changed");
        return Ok(());
    }
    let sources = Sources::locate(repository)?;
    let python = toolchain::python(repository)?;
    println!("{MODULE}: compiling (about half a minute)");
    let objects = tempfile::tempdir_in(toolchain::folder(repository)).map_err(Error::at(&module))?;
    let cache = toolchain::folder(repository).join("zig-cache");
    let build = Build {
        sources: &sources,
        python: &python,
        cache: &cache,
        folder: objects.path(),
        warnings: Warnings::Show,
    };
    let bytes = module::finish(&build.run()?)?;
    keep(&module, &bytes)?;
    stamp.put_beside(&module, &bytes)?;
    println!("{MODULE}: {} bytes", bytes.len());
    Ok(())
}

/// A module that came out the same keeps its time of change, so that nothing that is built on it is built again.
fn keep(module: &Path, bytes: &[u8]) -> Result<(), Error> {
    if std::fs::read(module).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    std::fs::write(module, bytes).map_err(Error::at(module))
}

/// Builds twice with nothing in common, every warning an error, and compares the bytes.
fn check(repository: &Repository) -> Result<(), Error> {
    let _one_at_a_time = toolchain::lock(repository)?;
    let stamp = Stamp::of_inputs(repository)?;
    let sources = Sources::locate(repository)?;
    let python = toolchain::python(repository)?;
    let one = build_apart("one-", &sources, &python)?;
    let other = build_apart("the-other-", &sources, &python)?;
    if Stamp::of_inputs(repository)? != stamp {
        return Err(Error::ChangedMeanwhile);
    }
    same(&one, &other)?;
    println!("{MODULE}: two builds gave the same {} bytes", one.len());
    Ok(())
}

/// The module, built in a temporary folder with a cache of its own.
fn build_apart(place: &str, sources: &Sources, python: &Path) -> Result<Vec<u8>, Error> {
    println!("{MODULE}: compiling in a folder of its own (about a minute)");
    let folder = tempfile::Builder::new().prefix(place).tempdir().map_err(Error::at(Path::new(place)))?;
    let cache = folder.path().join("cache");
    let objects = folder.path().join("objects");
    std::fs::create_dir(&objects).map_err(Error::at(&objects))?;
    let build = Build { sources, python, cache: &cache, folder: &objects, warnings: Warnings::Refuse };
    Ok(module::finish(&build.run()?)?)
}

fn same(one: &[u8], other: &[u8]) -> Result<(), Error> {
    if one == other {
        return Ok(());
    }
    let first_difference = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    Err(Error::NotReproducible { lengths: (one.len(), other.len()), first_difference })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_that_differ_are_told_with_the_place() {
        assert!(same(b"abc", b"abc").is_ok());
        let error = same(b"abcd", b"abX").unwrap_err();
        assert_eq!(error.to_string(), "two builds of the guest differ: 4 and 3 bytes, first at offset 2");
    }

    #[test]
    fn a_module_that_came_out_the_same_is_not_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let module = folder.path().join("guest.wasm");
        keep(&module, b"one").unwrap();
        let changed_at = || std::fs::metadata(&module).unwrap().modified().unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH;
        std::fs::File::options().write(true).open(&module).unwrap().set_modified(long_ago).unwrap();
        keep(&module, b"one").unwrap();
        assert_eq!(changed_at(), long_ago);
        keep(&module, b"two").unwrap();
        assert_ne!(changed_at(), long_ago);
    }
}
