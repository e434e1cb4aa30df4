//! Cases, spread over the cores.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use intermission::RunnerBuilder;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::case::case;
use crate::laws::{Broken, check};
use crate::reach::Total;
use crate::rig::Rig;

/// Steps from the case that broke a law to a smaller one: some seconds.
const MOST_SHRINKING: u32 = 300;

/// What a search has found.
pub(crate) enum Found {
    /// Every law holds of every case.
    Nothing(Total),
    /// The first that does not, after how many cases, and the smallest that shows it.
    Broken { law: u8, cases: u32, how: String },
}

/// What the environment says, to whoever runs the tests.
#[expect(clippy::disallowed_methods, reason = "how many cases are made is up to whoever runs the tests")]
pub(crate) fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Looks at `cases` cases. All of them depend on `seed` alone, whatever the number of cores.
pub(crate) fn search(cases: u32, seed: u64, change: fn(RunnerBuilder) -> RunnerBuilder) -> Found {
    const SHARD: u32 = 250;
    let shards = cases.div_ceil(SHARD);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let (next, over, looked_at) = (AtomicU32::new(0), AtomicBool::new(false), AtomicU32::new(0));
    let work = || {
        let mut total = Total::default();
        let rig = Rig::new(change);
        let next = || Some(next.fetch_add(1, Ordering::SeqCst)).filter(|shard| *shard < shards);
        while let Some(shard) = next().filter(|_| !over.load(Ordering::SeqCst)) {
            let size = SHARD.min(cases - shard * SHARD);
            let found = look(&rig, size, (seed, shard), &over, &looked_at);
            match found {
                Found::Nothing(part) => total.join(&part),
                broken @ Found::Broken { .. } => return broken,
            }
        }
        Found::Nothing(total)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let mut total = Total::default();
        let mut first = None;
        for found in workers.into_iter().map(|worker| worker.join().unwrap()) {
            match found {
                Found::Nothing(part) => total.join(&part),
                broken @ Found::Broken { .. } => first = first.or(Some(broken)),
            }
        }
        first.unwrap_or(Found::Nothing(total))
    })
}

fn look(rig: &Rig, cases: u32, (seed, shard): (u64, u32), over: &AtomicBool, looked_at: &AtomicU32) -> Found {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let (total, law) = (RefCell::new(Total::default()), RefCell::new(None));
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..12].copy_from_slice(&shard.to_le_bytes());
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: if cfg!(feature = "faults") { 0 } else { MOST_SHRINKING },
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let outcome = TestRunner::new_with_rng(config, rng).run(&case(), |case| {
        if over.load(Ordering::SeqCst) && law.borrow().is_none() {
            return Ok(());
        }
        match runtime.block_on(check(rig, &case)) {
            Ok(reach) => {
                total.borrow_mut().add(reach);
                looked_at.fetch_add(1, Ordering::SeqCst);
                Ok(())
            }
            Err(broken) => {
                over.store(true, Ordering::SeqCst);
                let why = broken.to_string();
                law.borrow_mut().get_or_insert(broken);
                Err(TestCaseError::fail(why))
            }
        }
    });
    match outcome {
        Ok(()) => Found::Nothing(total.into_inner()),
        Err(TestError::Fail(why, case)) => {
            let law = law.into_inner().map_or(0, |Broken { law, .. }| law);
            Found::Broken {
                law,
                cases: looked_at.load(Ordering::SeqCst) + 1,
                how: format!("{why}\n{case:?}"),
            }
        }
        Err(TestError::Abort(why)) => panic!("no cases can be made: {why}"),
    }
}
