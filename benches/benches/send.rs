//! Runs that send much to a host function and get it back: a string of 1 MB, 9,000 rows.

#![expect(missing_docs, reason = "what the macros of criterion make has none")]

mod common;

use common::bench_workloads;
use criterion::{Criterion, criterion_group, criterion_main};

fn send(criterion: &mut Criterion) {
    bench_workloads(criterion, "send", &["W11", "W11rows"]);
}

criterion_group!(benches, send);
criterion_main!(benches);
