//! What `cargo metadata` tells of packages and their dependencies.

use std::process::Command;

use serde_json::Value;

use crate::error::Error;
use crate::process::Step;
use crate::repository::Repository;

/// A package of the workspace or of a registry.
pub(super) struct Package {
    pub(super) id: String,
    pub(super) name: String,
    /// A member of the workspace.
    pub(super) ours: bool,
    /// What its manifest names.
    pub(super) declared: Vec<(String, Kind)>,
    /// The ids of the packages that its code is linked with; neither its build script's nor its tests'.
    pub(super) built_on: Vec<String>,
}

/// What a dependency is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Code,
    BuildScript,
    Tests,
}

impl Kind {
    pub(super) fn as_in_a_manifest(self) -> &'static str {
        match self {
            Self::Code => "dependencies",
            Self::BuildScript => "build-dependencies",
            Self::Tests => "dev-dependencies",
        }
    }

    fn of(kind: &Value) -> Self {
        match kind.as_str() {
            Some("build") => Self::BuildScript,
            Some("dev") => Self::Tests,
            _ => Self::Code,
        }
    }
}

/// All packages of the workspace's tree, with all features on.
pub(super) fn read(repository: &Repository) -> Result<Vec<Package>, Error> {
    let mut command = Command::new("cargo");
    command.args(["metadata", "--quiet", "--all-features", "--format-version", "1"]);
    command.current_dir(repository.root());
    let output = Step::start("cargo metadata", "cargo says why", &mut command)?.wait()?;
    Ok(packages(&serde_json::from_slice(&output.answer).map_err(Error::Metadata)?))
}

fn packages(metadata: &Value) -> Vec<Package> {
    let members = &metadata["workspace_members"];
    let nodes = &metadata["resolve"]["nodes"];
    list(&metadata["packages"])
        .map(|package| {
            let id = text(&package["id"]);
            Package {
                ours: list(members).any(|member| *member == package["id"]),
                name: text(&package["name"]),
                declared: list(&package["dependencies"])
                    .map(|dependency| (text(&dependency["name"]), Kind::of(&dependency["kind"])))
                    .collect(),
                built_on: list(nodes)
                    .filter(|node| node["id"] == package["id"])
                    .flat_map(|node| list(&node["deps"]))
                    .filter(|dep| list(&dep["dep_kinds"]).any(|kind| Kind::of(&kind["kind"]) == Kind::Code))
                    .map(|dep| text(&dep["pkg"]))
                    .collect(),
                id,
            }
        })
        .collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_declarations_and_the_tree_are_read_from_the_answer() {
        let metadata = json!({
            "workspace_members": ["path+top"],
            "packages": [
                { "id": "path+top", "name": "top", "dependencies": [
                    { "name": "serde", "kind": null }, { "name": "cc", "kind": "build" }, { "name": "kit", "kind": "dev" },
                ] },
                { "id": "registry+serde", "name": "serde", "dependencies": [] },
            ],
            "resolve": { "nodes": [
                { "id": "path+top", "deps": [
                    { "pkg": "registry+serde", "dep_kinds": [{ "kind": "dev" }, { "kind": null }] },
                    { "pkg": "registry+cc", "dep_kinds": [{ "kind": "build" }] },
                ] },
                { "id": "registry+serde", "deps": [] },
            ] },
        });
        let packages = packages(&metadata);
        assert_eq!(packages.iter().map(|package| package.ours).collect::<Vec<_>>(), [true, false]);
        assert_eq!(
            packages[0].declared,
            [
                ("serde".to_owned(), Kind::Code),
                ("cc".to_owned(), Kind::BuildScript),
                ("kit".to_owned(), Kind::Tests)
            ]
        );
        assert_eq!(packages[0].built_on, ["registry+serde"]);
        assert_eq!(packages[1].name, "serde");
    }
}
