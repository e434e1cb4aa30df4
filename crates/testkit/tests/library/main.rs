//! The corpus through the library: straight, with every resume from bytes in a fresh runner, killed after every ledger write, and kept in a store.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod durable;
mod functions;
mod killed;
mod library;
mod translate;

use std::process::ExitCode;

use durable::Durable;
use intermission_testkit::{Case, check, corpus, trial};
use library::Library;
use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let trials = corpus().iter().flat_map(all_ways).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn all_ways(case: &Case) -> [Trial; 4] {
    let library = || case.passed_over(library::offers);
    let durable = || case.passed_over(durable::offers);
    let or = |why: Option<&str>| why.map(str::to_owned);
    [
        trial("straight", case, library(), |case| check(&mut Library::new(false), case)),
        trial("fresh", case, library(), |case| check(&mut Library::new(true), case)),
        trial("killed", case, library().or_else(|| or(killed::not_for(case))), killed::check),
        trial("durable", case, durable().or_else(|| or(durable::not_for(case))), |case| {
            check(&mut Durable::new(), case)
        }),
    ]
}
