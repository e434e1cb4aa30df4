//! A whole run of a script that calls nobody: a sandbox made, used and dropped.

#![expect(missing_docs, reason = "what the macros of criterion make has none")]

mod common;

use common::bench_workloads;
use criterion::{Criterion, criterion_group, criterion_main};

fn run(criterion: &mut Criterion) {
    bench_workloads(criterion, "run", &["W1", "W7fib", "W7json", "W7sort"]);
}

criterion_group!(benches, run);
criterion_main!(benches);
