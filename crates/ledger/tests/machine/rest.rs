use intermission_ledger::entry::{QuestionKind, Resolution, Spent};
use intermission_ledger::{Ledger, Phase, RunId};

use crate::dialect::*;

fn paused() -> Run {
    run().makes([call(1)]).dispatches([1]).asks(1).pauses()
}

#[test]
fn a_resume_that_settles_nothing_gives_the_same_bytes_back() {
    let paused = paused();
    let bytes = paused.record().encode();
    let again = paused.resumed().repeats([call(1)]).hears_nothing().pauses().pauses();
    assert_eq!(again.record().encode(), bytes);
}

#[test]
fn neither_another_source_nor_another_run_wakes_a_run() {
    let paused = paused();
    let record = Ledger::change_source(paused.record().clone(), "2".to_owned());
    let record = Ledger::fork(&record, record.entries().len(), RunId::from_bytes([8; 16])).unwrap();
    let mut ledger = Ledger::resume(record.clone()).unwrap();
    ledger.admit(call(1)).unwrap();
    assert_eq!(ledger.deliver(), Ok(None));
    assert_eq!(ledger.source(), "2");
    ledger.pause(Spent::default()).unwrap();
    assert_eq!(ledger.record(), &record);
}

#[test]
fn a_call_that_asks_again_is_put_away_again() {
    let again = paused()
        .resolves(1, Resolution::Answered(bytes("maybe")))
        .dispatches([1])
        .asks_as(1, 2, QuestionKind::Question)
        .pauses();
    assert_eq!(again.entries()[6..], ["resolved 1", "dispatched 1", "interrupted 1", "spent", "paused"]);
}

#[test]
fn behind_a_pause_a_further_call_of_the_slice_is_a_divergence() {
    let divergence = paused().resumed().repeats([call(1)]).diverges(call(2));
    assert_eq!((divergence.entry, divergence.call()), (5, Some(2)));
}

#[test]
fn without_the_pause_it_is_a_new_call() {
    paused().resumed_after(5).repeats([call(1)]).makes([call(2)]).stands(Phase::Live);
}

#[test]
fn a_run_that_waits_for_timers_alone_is_put_away_until_the_next_is_due() {
    let paused = run().makes([timer(1, 500), timer(2, 90), timer(3, 90)]).hears_nothing().pauses();
    assert_eq!(paused.ledger.facts().next_timer(), Some((BEGIN + 90, 2)));
    let woken = paused.at(2_000).fires(2).makes([cleared(3)]);
    assert_eq!(woken.ledger.facts().next_timer(), Some((BEGIN + 500, 1)));
    assert_eq!(woken.ledger.clock(), 2_000);
    woken.resumed().repeats([timer(1, 500), timer(2, 90), timer(3, 90)]).wakes(2).repeats([cleared(3)]);
}

#[test]
fn what_was_used_is_written_once() {
    let mut run = run();
    for spent in [SPENT, SPENT] {
        run.ledger.spend(spent).unwrap();
    }
    assert_eq!(run.entries(), ["started", "spent"]);
    assert_eq!(run.resumed().ledger.facts().spent, SPENT);
}
