//! The repository's folder and its files.

use std::path::{Path, PathBuf};

use crate::error::Error;

/// Folders that no check looks into: built, downloaded or not ours.
const PASSED_BY: &[&str] = &["target", "node_modules", ".git", ".tools", ".venv"];

pub(crate) struct Repository {
    root: PathBuf,
}

impl Repository {
    /// The one that `folder` lies in.
    pub(crate) fn around(folder: &Path) -> Result<Self, Error> {
        let root = folder
            .ancestors()
            .find(|ancestor| ancestor.join("xtask/Cargo.toml").exists())
            .ok_or_else(|| Error::OutsideRepository { folder: folder.to_owned() })?;
        Ok(Self { root: root.to_owned() })
    }

    #[cfg(test)]
    pub(crate) fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path inside, given as it is written in the documentation: `guest/c`.
    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        self.root.join(inside)
    }

    /// All files under `folder` (`""` for all) with one of the name endings, as sorted paths relative to the root.
    pub(crate) fn files(&self, folder: &str, endings: &[&str]) -> Result<Vec<PathBuf>, Error> {
        let mut found = Vec::new();
        let mut folders = vec![self.path(folder)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).map_err(Error::at(&folder))? {
                let entry = entry.map_err(Error::at(&folder))?;
                let name = entry.file_name();
                let name = name.to_string_lossy();
                if entry.file_type().map_err(Error::at(&folder))?.is_dir() {
                    if !PASSED_BY.contains(&name.as_ref()) {
                        folders.push(entry.path());
                    }
                } else if endings.iter().any(|ending| name.ends_with(ending)) {
                    let path = entry.path();
                    found.push(path.strip_prefix(&self.root).unwrap_or(&path).to_owned());
                }
            }
        }
        found.sort();
        Ok(found)
    }

    pub(crate) fn read(&self, inside: &Path) -> Result<String, Error> {
        let path = self.root.join(inside);
        std::fs::read_to_string(&path).map_err(Error::at(&path))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A repository in a temporary folder that holds `files` (path, text).
    pub(crate) fn repository_of(files: &[(&str, &str)]) -> (tempfile::TempDir, Repository) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let repository = Repository::at(folder.path());
        (folder, repository)
    }

    #[test]
    fn the_root_is_found_from_any_folder_inside() {
        let (folder, repository) = repository_of(&[("xtask/Cargo.toml", ""), ("guest/c/guest.c", "")]);
        let found = Repository::around(&folder.path().join("guest/c")).unwrap();
        assert_eq!(found.root(), repository.root());
        let error = Repository::around(folder.path().parent().unwrap()).err().unwrap();
        assert!(matches!(error, Error::OutsideRepository { .. }), "{error}");
    }

    #[test]
    fn files_are_found_in_order_and_built_folders_are_passed_by() {
        let (_folder, repository) = repository_of(&[
            ("b/c.rs", ""),
            ("a.rs", ""),
            ("a.md", ""),
            ("target/debug/x.rs", ""),
            ("fuzz/target/y.rs", ""),
            (".ci/z.rs", ""),
        ]);
        let found = repository.files("", &[".rs"]).unwrap();
        assert_eq!(found, [".ci/z.rs", "a.rs", "b/c.rs"].map(PathBuf::from));
        assert_eq!(repository.files("b", &[".rs"]).unwrap(), [PathBuf::from("b/c.rs")]);
    }
}
