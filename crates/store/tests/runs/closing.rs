//! The orderly end of a process.

use std::time::Duration;

use intermission::{Answer, Resolution};
use intermission_store::{RunState, Runs};

use crate::bed::{Bed, asked, completed, over};

/// With leases that nobody could wait for.
async fn holding(bed: &Bed) -> Runs {
    bed.builder().lease(Duration::from_hours(1)).build().await.unwrap()
}

#[tokio::test]
async fn what_is_under_way_may_come_to_its_end() {
    let bed = Bed::new();
    let runs = holding(&bed).await;
    let run = runs.start("return await t.gate(1) + await t.pay(2)").await.unwrap();
    let (closing, gate) = (runs.clone(), bed.gate.clone());
    tokio::join!(closing.close(Duration::from_hours(1)), async move { gate.notify_one() });
    assert_eq!(runs.get(run).await.unwrap().state, completed(3));
}

#[tokio::test]
async fn what_does_not_come_to_its_end_in_time_is_ready_for_others_at_once() {
    let bed = Bed::new();
    let runs = holding(&bed).await;
    let run = runs.start("return await t.pay(1) + await t.gate(2)").await.unwrap();
    while bed.done.is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(*runs.live().borrow(), 1);
    runs.close(Duration::ZERO).await;
    assert_eq!(runs.get(run).await.unwrap().state, RunState::Ready);
    assert_eq!(*runs.live().borrow(), 0);
    bed.gate.notify_one();
    let others = bed.runs().await;
    assert_eq!(over(&others, run).await, completed(3));
    assert_eq!(bed.done.take(), ["t.pay(1)"]);
}

#[tokio::test]
async fn afterwards_nothing_is_gone_on_with_and_everything_can_be_said() {
    let bed = Bed::new();
    let runs = holding(&bed).await;
    let asking = runs.start("return await t.ask(1)").await.unwrap();
    let question = asked(&runs, asking).await.remove(0).interruption;
    runs.close(Duration::ZERO).await;
    let run = runs.start("return 1").await.unwrap();
    runs.resolve(asking, Resolution::new(question.id, Answer::Value(5.into())), None).await.unwrap();
    for run in [run, asking] {
        assert!(!runs.take_up(run).await.unwrap());
        assert_eq!(runs.get(run).await.unwrap().state, RunState::Ready);
    }
    let others = bed.runs().await;
    assert_eq!((over(&others, run).await, over(&others, asking).await), (completed(1), completed(5)));
}
