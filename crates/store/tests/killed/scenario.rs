//! A course that does everything that a store can do. Played again it goes on where it stopped.

use std::path::Path;

use intermission::{Answer, Claimed, Claims, InterruptionId, Point, Resolution, Value};
use intermission_store::{CrashPoint, RunState, Store, StoreClaims, SyncLevel, Until, What};

use crate::world::World;

const EVERYTHING: &str = "
    const paid = await t.pay(1);
    const logged = await t.log(2);
    await waitFor('go');
    await t.slow(100);
    await sleep(20);
    const asked = await t.ask(3);
    const approved = await t.approve(4);
    const refunded = await t.refund(5);
    return [paid, logged, asked, approved, refunded];";

/// The request index of `t.ask` in it.
const ASKS: u32 = 5;

pub(crate) async fn play(folder: &Path, crash_at: Option<CrashPoint>, crash_in: Option<String>) {
    let world = World::new(folder, crash_in);
    let store = world.store(SyncLevel::Normal, crash_at);
    let runs = world.runs(store.clone()).build().await.unwrap();
    let checked = world.path("checked");
    if !checked.exists() {
        let everything = runs.start_as("everything", EVERYTHING).await.unwrap();
        // What is refused was done before.
        let wrong = Resolution::new(InterruptionId::new(everything, ASKS, 1), Answer::Approve);
        let _ = runs.resolve(everything, wrong, None).await;
        let _ = runs.emit(everything, "go", 1, None).await;
        let flaky = runs.start_as("flaky", "return await t.flaky(6)").await.unwrap();
        let endless = runs.start_as("endless", "await waitFor('never')").await.unwrap();

        let ended = world.bring_to_its_end(&runs, everything).await;
        assert_eq!(ended, RunState::Completed { value: Value::array([1, 2, 3, 4, 5]) });
        if runs.wait(flaky, Until::Over).await.unwrap().state.name() == "failed" {
            let _ = runs.retry(flaky).await;
        }
        assert_eq!(
            runs.wait(flaky, Until::Over).await.unwrap().state,
            RunState::Completed { value: Value::from(6) }
        );
        let _ = runs.cancel(endless).await;
        assert_eq!(runs.wait(endless, Until::Over).await.unwrap().state, RunState::Cancelled);

        let claims = StoreClaims::new(store.clone());
        for length in [1, 2] {
            let point = Point { run_id: everything, length };
            if let Claimed::Yours { ticket, .. } =
                claims.claim(point, "yes", length as u64 * 1000, 10).await.unwrap()
            {
                match length {
                    1 => claims.settle(point, ticket, vec![7], true).await.unwrap(),
                    _ => claims.release(point, ticket).await.unwrap(),
                }
            }
        }
        check_notices(store.as_ref()).await;
        std::fs::write(&checked, "").unwrap();
    }
    for run in runs.list(intermission_store::RunQuery::default()).await.unwrap() {
        if run.key.as_deref() == Some("flaky") {
            runs.delete(run.run_id).await.unwrap();
        }
    }
    store.delete_over(u64::MAX >> 1, 10).await.unwrap();
    assert_eq!(runs.list(intermission_store::RunQuery::default()).await.unwrap(), []);
}

/// Every question is in the inbox's log once.
pub(crate) async fn check_notices(store: &dyn Store) {
    let mut asked = std::collections::BTreeSet::new();
    let mut after = 0;
    loop {
        let notices = store.notices(after, None, 1000).await.unwrap();
        let Some(last) = notices.last() else { break };
        after = last.number;
        for notice in notices {
            if let What::Asked(id) = notice.what {
                assert!(asked.insert(id.clone()), "{id} was asked twice");
            }
        }
    }
}
