//! `cargo xtask check-arrows`: which crate may depend on which. `ARCHITECTURE.md` draws the same picture.

mod metadata;

use crate::error::Error;
use crate::repository::Repository;
use metadata::{Kind, Package};

/// A crate of the house and what it may depend on, of ours.
struct Room {
    package: &'static str,
    code: &'static [&'static str],
    build_script: &'static [&'static str],
    /// For its tests, beyond what its code may use.
    tests: &'static [&'static str],
    /// Pure rooms know neither the sandbox's host nor an executor, however indirectly.
    pure: bool,
}

const NOTHING: &[&str] = &[];

const HOUSE: &[Room] = &[
    Room { package: "intermission-value", code: NOTHING, build_script: NOTHING, tests: NOTHING, pure: true },
    Room { package: "intermission-source", code: NOTHING, build_script: NOTHING, tests: NOTHING, pure: true },
    Room { package: "intermission-token", code: NOTHING, build_script: NOTHING, tests: NOTHING, pure: true },
    Room {
        package: "intermission-ledger",
        code: &["intermission-value"],
        build_script: NOTHING,
        tests: NOTHING,
        pure: true,
    },
    Room { package: "intermission-guest", code: NOTHING, build_script: NOTHING, tests: NOTHING, pure: false },
    Room {
        package: "intermission-engine",
        code: &["intermission-value"],
        build_script: &["intermission-guest"],
        tests: NOTHING,
        pure: false,
    },
    Room {
        package: "intermission",
        code: &[
            "intermission-engine",
            "intermission-ledger",
            "intermission-source",
            "intermission-token",
            "intermission-value",
        ],
        build_script: NOTHING,
        tests: NOTHING,
        pure: false,
    },
    Room {
        package: "intermission-config",
        code: &["intermission"],
        build_script: NOTHING,
        tests: &["intermission-testkit"],
        pure: false,
    },
    Room {
        package: "intermission-store",
        code: &["intermission"],
        build_script: NOTHING,
        // Itself, with its crash points.
        tests: &["intermission-store"],
        pure: false,
    },
    Room {
        package: "intermission-mcp",
        code: &["intermission", "intermission-store"],
        build_script: NOTHING,
        tests: NOTHING,
        pure: false,
    },
    Room {
        package: "intermission-cli",
        code: &[
            "intermission",
            "intermission-config",
            "intermission-mcp",
            "intermission-source",
            "intermission-store",
            "intermission-value",
        ],
        build_script: NOTHING,
        tests: &["intermission-testkit"],
        pure: false,
    },
    Room {
        package: "intermission-driver",
        code: &["intermission"],
        build_script: NOTHING,
        tests: NOTHING,
        pure: false,
    },
    Room {
        package: "intermission-node",
        code: &["intermission", "intermission-driver", "intermission-store"],
        build_script: NOTHING,
        tests: &["intermission-testkit"],
        pure: false,
    },
    Room {
        package: "intermission-python",
        code: &["intermission", "intermission-driver", "intermission-store"],
        build_script: NOTHING,
        tests: &["intermission-testkit"],
        pure: false,
    },
    Room {
        package: "intermission-testkit",
        code: NOTHING,
        build_script: NOTHING,
        tests: &["intermission", "intermission-store"],
        pure: false,
    },
    Room {
        package: "intermission-benches",
        code: &["intermission", "intermission-bench-protocol", "intermission-store"],
        build_script: NOTHING,
        tests: &["intermission-engine", "intermission-source", "intermission-value"],
        pure: false,
    },
    Room {
        package: "intermission-bench-protocol",
        code: NOTHING,
        build_script: NOTHING,
        tests: NOTHING,
        pure: false,
    },
    Room { package: "xtask", code: NOTHING, build_script: NOTHING, tests: NOTHING, pure: false },
];

/// What a pure room must not have in its tree.
const IMPURE: &[&str] = &["tokio", "wasmtime"];

pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<(), Error> {
    crate::no_arguments(arguments)?;
    let packages = metadata::read(repository)?;
    crate::report("check-arrows", &findings(HOUSE, &packages))
}

fn findings(house: &[Room], packages: &[Package]) -> Vec<String> {
    let mut findings = Vec::new();
    for package in packages.iter().filter(|package| package.ours) {
        let Some(room) = house.iter().find(|room| room.package == package.name) else {
            findings.push(format!(
                "{}: not on the list of rooms; write in xtask/src/arrows.rs what it may depend on",
                package.name
            ));
            continue;
        };
        findings.extend(forbidden_arrows(room, package, packages));
        if room.pure {
            findings.extend(impurities(package, packages));
        }
    }
    findings
}

fn forbidden_arrows(room: &Room, package: &Package, packages: &[Package]) -> Vec<String> {
    let ours = |name: &str| packages.iter().any(|package| package.ours && package.name == name);
    let arrows = package.declared.iter().filter(|(name, _)| ours(name));
    let forbidden = arrows.filter(|(name, kind)| {
        let allowed = |list: &[&str]| list.contains(&name.as_str());
        !match kind {
            Kind::Code => allowed(room.code),
            Kind::BuildScript => allowed(room.build_script),
            Kind::Tests => allowed(room.tests) || allowed(room.code),
        }
    });
    forbidden
        .map(|(name, kind)| {
            format!(
                "{} -> {name} ({}): no such arrow; either turn it round or draw it in ARCHITECTURE.md and xtask/src/arrows.rs",
                package.name,
                kind.as_in_a_manifest()
            )
        })
        .collect()
}

fn impurities(package: &Package, packages: &[Package]) -> Vec<String> {
    let by_id = |id: &str| packages.iter().find(|package| package.id == id);
    // The way from `package` to each package that its code is built on.
    let mut ways: Vec<Vec<&Package>> = vec![vec![package]];
    let mut findings = Vec::new();
    let mut next = 0;
    while let Some(way) = ways.get(next).cloned() {
        next += 1;
        for id in way.last().map_or(&[][..], |end| &end.built_on) {
            let Some(reached) = by_id(id) else { continue };
            if ways.iter().flatten().any(|seen| seen.id == reached.id) {
                continue;
            }
            let mut longer = way.clone();
            longer.push(reached);
            if IMPURE.contains(&reached.name.as_str()) {
                let names: Vec<_> = longer.iter().map(|package| package.name.as_str()).collect();
                findings.push(format!("{}: must stay free of {}", names.join(" -> "), reached.name));
            }
            ways.push(longer);
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &[Room] = &[
        Room { package: "base", code: NOTHING, build_script: NOTHING, tests: NOTHING, pure: true },
        Room { package: "tool", code: NOTHING, build_script: NOTHING, tests: NOTHING, pure: false },
        Room { package: "top", code: &["base"], build_script: &["tool"], tests: &["kit"], pure: false },
        Room { package: "kit", code: &["top"], build_script: NOTHING, tests: NOTHING, pure: false },
    ];

    fn package(name: &str, ours: bool, declared: &[(&str, Kind)], built_on: &[&str]) -> Package {
        Package {
            id: name.to_owned(),
            name: name.to_owned(),
            ours,
            declared: declared.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect(),
            built_on: built_on.iter().map(|id| (*id).to_owned()).collect(),
        }
    }

    #[test]
    fn the_arrows_of_the_plan_pass() {
        let packages = [
            package("base", true, &[("serde", Kind::Code)], &["serde"]),
            package("tool", true, &[], &[]),
            package(
                "top",
                true,
                &[("base", Kind::Code), ("tool", Kind::BuildScript), ("kit", Kind::Tests)],
                &[],
            ),
            package("kit", true, &[("top", Kind::Code)], &[]),
            package("serde", false, &[], &[]),
        ];
        assert_eq!(findings(PLAN, &packages), [""; 0]);
    }

    #[test]
    fn an_arrow_up_or_of_the_wrong_kind_is_found() {
        let packages = [
            package("base", true, &[("top", Kind::Tests)], &[]),
            package("tool", true, &[], &[]),
            package("top", true, &[("tool", Kind::Code), ("kit", Kind::Code)], &[]),
            package("kit", true, &[], &[]),
        ];
        let advice =
            "no such arrow; either turn it round or draw it in ARCHITECTURE.md and xtask/src/arrows.rs";
        assert_eq!(
            findings(PLAN, &packages),
            [
                format!("base -> top (dev-dependencies): {advice}"),
                format!("top -> tool (dependencies): {advice}"),
                format!("top -> kit (dependencies): {advice}"),
            ]
        );
    }

    #[test]
    fn a_room_that_is_not_on_the_list_is_found() {
        let found = findings(PLAN, &[package("attic", true, &[], &[])]);
        assert_eq!(
            found,
            ["attic: not on the list of rooms; write in xtask/src/arrows.rs what it may depend on"]
        );
    }

    #[test]
    fn a_pure_room_with_an_executor_far_down_its_tree_is_found_with_the_way_there() {
        let packages = [
            package("base", true, &[], &["serde", "http"]),
            package("serde", false, &[], &[]),
            package("http", false, &[], &["serde", "tokio"]),
            package("tokio", false, &[], &["http"]),
        ];
        assert_eq!(findings(PLAN, &packages), ["base -> http -> tokio: must stay free of tokio"]);
    }
}
