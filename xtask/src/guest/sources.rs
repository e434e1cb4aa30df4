//! Where the C sources are: ours, and QuickJS-ng's in an unpacked package of the Rust registry.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::error::Error;
use crate::process::Step;
use crate::repository::Repository;

/// The manifest that pins the package; its lock file has the checksum.
const PIN: &str = "guest/quickjs/Cargo.toml";
const PACKAGE: &str = "libquickjs-ng-sys";

pub(super) struct Sources {
    /// `guest` of this repository.
    pub(super) guest: PathBuf,
    /// QuickJS-ng.
    pub(super) quickjs: PathBuf,
}

impl Sources {
    pub(super) fn locate(repository: &Repository) -> Result<Self, Error> {
        let guest = repository.path("guest");
        let main = guest.join("c/guest.c");
        if !main.exists() {
            return Err(Error::Missing {
                path: main,
                remedy: "it is the file that all others are included from",
            });
        }
        Ok(Self { guest, quickjs: quickjs(&repository.path(PIN))? })
    }
}

fn quickjs(pin: &Path) -> Result<PathBuf, Error> {
    let mut command = Command::new("cargo");
    command.args(["metadata", "--quiet", "--locked", "--format-version", "1", "--manifest-path"]).arg(pin);
    let output = Step::start(
        "cargo metadata for guest/quickjs",
        "it needs the Rust registry, or its packages in cargo's cache",
        &mut command,
    )?
    .wait()?;
    let metadata = serde_json::from_slice(&output.answer).map_err(Error::Metadata)?;
    let folder = folder_of(PACKAGE, &metadata)
        .ok_or_else(|| Error::NoPackage { package: PACKAGE, manifest: pin.to_owned() })?;
    Ok(folder.join("embed/quickjs"))
}

fn folder_of(package: &str, metadata: &Value) -> Option<PathBuf> {
    let packages = metadata["packages"].as_array()?;
    let found = packages.iter().find(|candidate| candidate["name"] == package)?;
    Path::new(found["manifest_path"].as_str()?).parent().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_folder_of_a_package_is_its_manifests() {
        let metadata = json!({ "packages": [
            { "name": "other", "manifest_path": "/registry/other-1/Cargo.toml" },
            { "name": "wanted", "manifest_path": "/registry/wanted-2/Cargo.toml" },
        ] });
        assert_eq!(folder_of("wanted", &metadata), Some(PathBuf::from("/registry/wanted-2")));
        assert_eq!(folder_of("absent", &metadata), None);
    }
}
