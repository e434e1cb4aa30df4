//! The corpus through the Node package, which `crates/node/build.sh` has to have built: every step has a runner of its own.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod node;
mod reply;

use std::path::Path;
use std::process::ExitCode;

use intermission_testkit::{Case, check, read_folder};
use libtest_mimic::{Arguments, Failed, Trial};
use node::Node;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/cases");
    let pages = read_folder(&folder).unwrap_or_else(|error| panic!("{error}"));
    let trials = pages.into_iter().flat_map(|page| page.cases).map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// One test; ignored, by name, where the case has to be passed over.
fn trial(case: Case) -> Trial {
    match case.passed_over(node::offers) {
        Some(why) => {
            let name = format!("{} ({why})", case.name);
            Trial::test(name, move || Err(Failed::from(why))).with_ignored_flag(true)
        }
        None => {
            Trial::test(case.name.clone(), move || check(&mut Node::start(), &case).map_err(Failed::from))
        }
    }
    .with_kind("node")
}
