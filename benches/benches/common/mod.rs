//! Workloads under Criterion.

use criterion::Criterion;
use intermission_bench_protocol::Gate;
use intermission_benches::{runner, source, title};

/// Measures whole runs of `workloads`, in one thread.
pub(crate) fn bench_workloads(criterion: &mut Criterion, group: &str, workloads: &[&str]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let runner = runner(&Gate::default()).expect("the engine starts");
    let mut group = criterion.benchmark_group(group);
    for name in workloads {
        let source = source(name);
        group.bench_function(title(name), |bencher| {
            bencher.to_async(&runtime).iter(|| async {
                let result = runner.run(source.as_str()).await;
                assert!(result.error().is_none(), "{name}: {result:?}");
                result
            });
        });
    }
    group.finish();
}
