//! The corpus through the command line: each step is a process of its own.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod command_line;
mod report;

use std::path::Path;
use std::process::ExitCode;

use command_line::CommandLine;
use intermission_testkit::{Case, check, read_folder};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/cases");
    let pages = read_folder(&folder).unwrap_or_else(|error| panic!("{error}"));
    let trials = pages.into_iter().flat_map(|page| page.cases).map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// One test; ignored, by name, where the case has to be passed over.
fn trial(case: Case) -> Trial {
    match case.passed_over(command_line::offers) {
        Some(why) => {
            let name = format!("{} ({why})", case.name);
            Trial::test(name, move || Err(Failed::from(why))).with_ignored_flag(true)
        }
        None => Trial::test(case.name.clone(), move || {
            check(&mut CommandLine::new(), &case).map_err(Failed::from)
        }),
    }
    .with_kind("command line")
}
