//! Whether the module is still the one that its sources give.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::repository::Repository;

/// Everything that decides the module's bytes, this recipe included: folders (with the name endings that count) and files.
const FOLDERS: &[(&str, &[&str])] = &[("guest/c", &[".c", ".h"]), ("xtask/src/guest", &[".rs"])];
const FILES: &[&str] = &[super::toolchain::REQUIREMENTS, "guest/quickjs/Cargo.lock"];

/// The digest of all inputs.
#[derive(PartialEq)]
pub(super) struct Stamp(String);

impl Stamp {
    pub(super) fn of_inputs(repository: &Repository) -> Result<Self, Error> {
        let mut inputs: Vec<PathBuf> = FILES.iter().map(PathBuf::from).collect();
        for (folder, endings) in FOLDERS {
            inputs.extend(repository.files(folder, endings)?);
        }
        let mut digest = Sha256::new();
        for input in inputs {
            let text = repository.read(&input)?;
            digest.update(format!("{}\0{}\0{text}", input.display(), text.len()));
        }
        Ok(Self(hex(digest)))
    }

    /// Whether `module` was made from these inputs and has not been touched since.
    pub(super) fn is_beside(&self, module: &Path) -> bool {
        let recorded = std::fs::read_to_string(beside(module));
        let bytes = std::fs::read(module);
        matches!((recorded, bytes), (Ok(recorded), Ok(bytes)) if recorded == self.line(&bytes))
    }

    pub(super) fn put_beside(&self, module: &Path, bytes: &[u8]) -> Result<(), Error> {
        let path = beside(module);
        std::fs::write(&path, self.line(bytes)).map_err(Error::at(&path))
    }

    fn line(&self, module: &[u8]) -> String {
        format!("inputs {} module {}\n", self.0, hex(Sha256::new().chain_update(module)))
    }
}

fn beside(module: &Path) -> PathBuf {
    module.with_extension("wasm.stamp")
}

fn hex(digest: Sha256) -> String {
    format!("{:x}", digest.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::tests::repository_of;

    const INPUTS: &[(&str, &str)] = &[
        ("guest/c/guest.c", "int main;"),
        ("guest/c/README.md", "words"),
        ("guest/requirements.txt", "zig"),
        ("guest/quickjs/Cargo.lock", "lock"),
        ("xtask/src/guest/compile.rs", "-O2"),
    ];

    #[test]
    fn a_stamp_holds_until_an_input_changes() {
        let (_folder, repository) = repository_of(INPUTS);
        let module = repository.path("guest/guest.wasm");
        let stamp = Stamp::of_inputs(&repository).unwrap();
        assert!(!stamp.is_beside(&module), "before there is a module");
        std::fs::write(&module, "wasm").unwrap();
        stamp.put_beside(&module, b"wasm").unwrap();
        assert!(stamp.is_beside(&module));
        for (path, old) in INPUTS {
            std::fs::write(repository.path(path), "other").unwrap();
            let still = Stamp::of_inputs(&repository).unwrap().is_beside(&module);
            assert_eq!(still, *path == "guest/c/README.md", "{path}");
            std::fs::write(repository.path(path), old).unwrap();
        }
        std::fs::write(repository.path("guest/c/added.h"), "").unwrap();
        assert!(!Stamp::of_inputs(&repository).unwrap().is_beside(&module), "a new file");
    }

    #[test]
    fn a_module_that_was_touched_is_not_trusted() {
        let (_folder, repository) = repository_of(INPUTS);
        let module = repository.path("guest/guest.wasm");
        let stamp = Stamp::of_inputs(&repository).unwrap();
        std::fs::write(&module, "wasm").unwrap();
        stamp.put_beside(&module, b"wasm").unwrap();
        std::fs::write(&module, "another").unwrap();
        assert!(!stamp.is_beside(&module));
    }
}
