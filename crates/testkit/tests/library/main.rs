//! The corpus through the library: straight, with every resume from bytes in a fresh runner, killed after every ledger write, and kept in a store.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod durable;
mod functions;
mod killed;
mod library;
mod translate;

use std::path::Path;
use std::process::ExitCode;

use durable::Durable;
use intermission_testkit::{Case, check, read_folder};
use library::Library;
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/cases");
    let pages = read_folder(&folder).unwrap_or_else(|error| panic!("{error}"));
    let cases: Vec<Case> = pages.into_iter().flat_map(|page| page.cases).collect();
    let mut trials = Vec::new();
    for case in &cases {
        trials.push(through_the_door("straight", case, false));
        trials.push(through_the_door("fresh", case, true));
        trials.push(killed(case));
        trials.push(kept(case));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// One test; ignored, by name, where the case has to be passed over.
fn through_the_door(kind: &str, case: &Case, fresh: bool) -> Trial {
    if let Some(why) = case.passed_over(library::offers) {
        return ignored(kind, case, &why);
    }
    let case = case.clone();
    Trial::test(case.name.clone(), move || check(&mut Library::new(fresh), &case).map_err(Failed::from))
        .with_kind(kind)
}

fn kept(case: &Case) -> Trial {
    let not = case.passed_over(durable::offers).or_else(|| durable::not_for(case).map(str::to_owned));
    if let Some(why) = not {
        return ignored("durable", case, &why);
    }
    let case = case.clone();
    Trial::test(case.name.clone(), move || check(&mut Durable::new(), &case).map_err(Failed::from))
        .with_kind("durable")
}

fn killed(case: &Case) -> Trial {
    let not = case.passed_over(library::offers).or_else(|| killed::not_for(case).map(str::to_owned));
    if let Some(why) = not {
        return ignored("killed", case, &why);
    }
    let case = case.clone();
    Trial::test(case.name.clone(), move || killed::check(&case).map_err(Failed::from)).with_kind("killed")
}

fn ignored(kind: &str, case: &Case, why: &str) -> Trial {
    let why = why.to_owned();
    let name = format!("{} ({why})", case.name);
    Trial::test(name, move || Err(Failed::from(why))).with_kind(kind).with_ignored_flag(true)
}
