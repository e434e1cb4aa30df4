//! The corpus as tests of a test program without Rust's own harness.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::{Case, Door, Need, check, read_folder};

/// The cases of `conformance/cases`.
///
/// # Panics
/// When a page cannot be read.
pub fn corpus() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/cases");
    let pages = read_folder(&folder).unwrap_or_else(|error| panic!("{error}"));
    pages.into_iter().flat_map(|page| page.cases).collect()
}

/// A case as one test; ignored, with the reason in its name, where it has to be passed over.
pub fn trial<E: Display>(
    kind: &str,
    case: &Case,
    passed_over: Option<String>,
    test: impl FnOnce(&Case) -> Result<(), E> + Send + 'static,
) -> Trial {
    let trial = if let Some(why) = passed_over {
        let name = format!("{} ({why})", case.name);
        Trial::test(name, move || Err(Failed::from(why))).with_ignored_flag(true)
    } else {
        let case = case.clone();
        Trial::test(case.name.clone(), move || test(&case).map_err(Failed::from))
    };
    trial.with_kind(kind)
}

/// Takes the corpus through doors that `open` makes, one for each case.
pub fn run_corpus<D: Door + 'static>(kind: &str, offers: fn(Need) -> bool, open: fn() -> D) -> ExitCode {
    let one = |case: &Case| trial(kind, case, case.passed_over(offers), move |case| check(&mut open(), case));
    libtest_mimic::run(&Arguments::from_args(), corpus().iter().map(one).collect()).exit_code()
}
