//! The corpus through the command line: each step is a process of its own. With runs in continuations' files, and with runs in the store.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod command_line;
mod report;

use std::process::ExitCode;

use command_line::{CommandLine, Keeps, not_for_the_store, offers};
use intermission_testkit::{Case, check, corpus, trial};
use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let trials = corpus().iter().flat_map(both_ways).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn both_ways(case: &Case) -> [Trial; 2] {
    let not_offered = |keeps| case.passed_over(move |need| offers(keeps, need));
    let not_durable = || not_for_the_store(case).map(str::to_owned);
    [
        trial("ephemeral", case, not_offered(Keeps::Files), |case| {
            check(&mut CommandLine::new(Keeps::Files), case)
        }),
        trial("durable", case, not_offered(Keeps::Store).or_else(not_durable), |case| {
            check(&mut CommandLine::new(Keeps::Store), case)
        }),
    ]
}
