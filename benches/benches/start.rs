//! From nothing to a result: the engine started, one trivial run made, the engine dropped.

#![expect(missing_docs, reason = "what the macros of criterion make has none")]

use criterion::{Criterion, criterion_group, criterion_main};
use intermission::Runner;

fn start(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let mut group = criterion.benchmark_group("start");
    group.bench_function("engine", |bencher| {
        bencher.iter_with_large_drop(|| Runner::new().expect("the engine starts"));
    });
    group.bench_function("engine and trivial run", |bencher| {
        bencher.iter_with_large_drop(|| {
            let runner = Runner::new().expect("the engine starts");
            let result = runtime.block_on(runner.run("return 1+1"));
            assert!(result.error().is_none(), "{result:?}");
            runner
        });
    });
    group.finish();
}

criterion_group!(benches, start);
criterion_main!(benches);
