//! Calls whose outcome was lost, and who knows what came of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use intermission::ledger::{Entry, Record};
use intermission::{
    Answer, Continuation, Effect, HostError, HostFunction, HostFunctions, Reconciled, Resolution, Runner,
    Value,
};
use intermission_store::{RunState, Runs};

use crate::bed::{Bed, asked, completed, over};

/// A run that was killed behind the dispatch of its call, with a function that counts.
struct Killed {
    bed: Bed,
    begun: Continuation,
    made: Arc<AtomicUsize>,
    probed: Arc<AtomicUsize>,
}

type Probe = fn() -> Result<Reconciled, HostError>;

impl Killed {
    fn function(&self, effect: Effect, probe: Option<Probe>) -> HostFunction {
        let (made, probed) = (Arc::clone(&self.made), Arc::clone(&self.probed));
        let refund = HostFunction::sync("t.refund", move |call| {
            made.fetch_add(1, Ordering::SeqCst);
            Ok(call.input())
        });
        let refund = refund.effect(effect);
        match probe {
            None => refund,
            Some(probe) => refund.reconcile(move |call| {
                assert!(call.idempotency_key().starts_with("key_"));
                probed.fetch_add(1, Ordering::SeqCst);
                async move { probe() }
            }),
        }
    }

    async fn new(script: &str) -> Self {
        let mut killed = Self {
            bed: Bed::new(),
            begun: Runner::new().unwrap().begin("").unwrap(),
            made: Arc::default(),
            probed: Arc::default(),
        };
        let functions = HostFunctions::new([killed.function(Effect::Unsafe, None)]).unwrap();
        let runner = Runner::builder().host_functions(functions).build().unwrap();
        let result = runner.run(script).await;
        let entries = result.continuation().unwrap().record().entries().to_vec();
        let dispatched = entries.iter().position(|entry| matches!(entry, Entry::Dispatched { .. })).unwrap();
        let record = Record::from_entries(entries[..=dispatched].to_vec()).unwrap();
        killed.begun = Continuation::new(record).unwrap();
        killed.made.store(0, Ordering::SeqCst);
        killed
    }

    async fn goes_on(&self, effect: Effect, probe: Option<Probe>) -> (Runs, intermission::RunId) {
        let functions = HostFunctions::new([self.function(effect, probe)]).unwrap();
        let runner = Runner::builder().host_functions(functions).build().unwrap();
        let runs = Runs::builder(self.bed.store(), runner).build().await.unwrap();
        let run = runs.adopt(self.begun.clone()).await.unwrap();
        (runs, run)
    }

    fn counts(&self) -> (usize, usize) {
        (self.made.load(Ordering::SeqCst), self.probed.load(Ordering::SeqCst))
    }
}

const SCRIPT: &str = "try { return await t.refund(10) } catch (e) { return e.message }";

#[tokio::test]
async fn a_probe_that_knows_decides_and_nobody_is_asked() {
    let killed = Killed::new(SCRIPT).await;
    let (runs, run) = killed.goes_on(Effect::Unsafe, Some(|| Ok(Reconciled::Happened(Ok(11.into()))))).await;
    assert_eq!((over(&runs, run).await, killed.counts()), (completed(11), (0, 1)));
}

#[tokio::test]
async fn a_probe_can_tell_of_a_failure() {
    let killed = Killed::new(SCRIPT).await;
    let failed: Probe = || Ok(Reconciled::Happened(Err(HostError::new("no such payment"))));
    let (runs, run) = killed.goes_on(Effect::Unsafe, Some(failed)).await;
    assert_eq!((over(&runs, run).await, killed.counts()), (completed("no such payment"), (0, 1)));
}

#[tokio::test]
async fn what_a_probe_says_was_never_made_is_made() {
    let killed = Killed::new(SCRIPT).await;
    let (runs, run) = killed.goes_on(Effect::Unsafe, Some(|| Ok(Reconciled::DidNotHappen))).await;
    assert_eq!((over(&runs, run).await, killed.counts()), (completed(10), (1, 1)));
}

#[tokio::test]
async fn somebody_is_asked_where_the_probe_does_not_know_or_fails() {
    let probes: [Probe; 3] =
        [|| Ok(Reconciled::Unknown), || Err(HostError::new("no network")), || panic!("a bug in a probe")];
    for probe in probes {
        let killed = Killed::new(SCRIPT).await;
        let (runs, run) = killed.goes_on(Effect::Unsafe, Some(probe)).await;
        let question = asked(&runs, run).await.remove(0).interruption;
        assert_eq!((question.kind.name(), killed.counts()), ("outcome-unknown", (0, 1)));
        let happened = Answer::Happened(Ok(12.into()));
        runs.resolve(run, Resolution::new(question.id, happened), None).await.unwrap();
        assert_eq!((over(&runs, run).await, killed.counts()), (completed(12), (0, 1)));
    }
}

#[tokio::test]
async fn without_a_probe_an_unsafe_call_is_asked_about_and_others_are_made_again() {
    let killed = Killed::new(SCRIPT).await;
    let (runs, run) = killed.goes_on(Effect::Unsafe, None).await;
    assert_eq!(asked(&runs, run).await[0].interruption.kind.name(), "outcome-unknown");
    for effect in [Effect::Pure, Effect::Idempotent] {
        let killed = Killed::new(SCRIPT).await;
        let (runs, run) = killed.goes_on(effect, Some(|| panic!("never asked"))).await;
        assert_eq!((over(&runs, run).await, killed.counts()), (completed(10), (1, 0)));
    }
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_is_probed_too() {
    let killed = Killed::new("t.refund(10); return 'done'").await;
    let (runs, run) = killed.goes_on(Effect::Unsafe, Some(|| Ok(Reconciled::DidNotHappen))).await;
    assert_eq!((over(&runs, run).await, killed.counts()), (completed("done"), (1, 1)));
    let state: RunState = runs.get(run).await.unwrap().state;
    assert_eq!(state, RunState::Completed { value: Value::from("done") });
}
