//! Runs that call a host function: once, 200 times in a row, 200 times at once.

#![expect(missing_docs, reason = "what the macros of criterion make has none")]

mod common;

use common::bench_workloads;
use criterion::{Criterion, criterion_group, criterion_main};

fn call(criterion: &mut Criterion) {
    bench_workloads(criterion, "call", &["W2", "W3", "W4"]);
}

criterion_group!(benches, call);
criterion_main!(benches);
