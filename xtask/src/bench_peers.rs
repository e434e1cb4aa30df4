//! `cargo xtask bench-peers`: Intermission beside other sandboxes, on one machine, in the same minutes. `docs/benchmarks.md` says what is measured.

mod cold;
mod cores;
mod install;
mod machine;
mod memory;
mod options;
mod peer;
mod report;
mod rounds;
mod tables;
mod targets;
mod throughput;
mod workloads;

use crate::error::Error;
use crate::repository::Repository;
use install::Installed;
use machine::Machine;
use options::Options;
use report::Report;
use workloads::Workloads;

pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<(), Error> {
    let options = Options::parse(arguments)?;
    let machine = Machine::look(repository)?;
    println!("{machine}");
    println!("a spin loop on two threads does {:.2} times the work of one", cores::growth());
    let workloads = Workloads::read(repository)?;
    let installed = Installed::install(repository, &options)?;
    let tables = rounds::measure(&installed, &workloads, options.rounds)?;
    let report = Report { machine, rounds: options.rounds, tables };
    println!("\n{}", report.in_markdown());
    if options.everything() { report.keep(repository) } else { Ok(()) }
}
