//! Processes that are killed, and others that go on. Each test runs this very program again, as its child.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "a child talks to its parent so, and a test tells its figures")]

mod child;
mod fight;
mod kills;
mod matrix;
mod parent;
mod rivals;
mod scenario;
mod world;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|first| first == "child") {
        return child::main(&arguments[2..]);
    }
    let trials = vec![
        Trial::test("a_process_may_die_at_every_point_of_every_write", matrix::check),
        Trial::test("five_hundred_kills_lose_nothing_and_do_nothing_twice", kills::check),
        Trial::test("twenty_answers_from_four_processes_are_one_execution", rivals::check),
        Trial::test("a_process_that_was_stopped_past_its_leases_writes_nothing_more", fight::check),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
