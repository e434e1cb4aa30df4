use intermission_ledger::Phase;
use intermission_ledger::entry::{QuestionKind, Resolution};

use crate::dialect::*;

#[test]
fn a_run_cancelled_twice_is_cancelled_once() {
    let cancelled = run().makes([call(1)]).dispatches([1]).cancels().cancels().stands(Phase::Draining);
    assert_eq!(cancelled.entries(), ["started", "called 1", "dispatched 1", "cancelled"]);
}

#[test]
fn a_run_is_cancelled_wherever_its_replay_stands_and_stays_so() {
    let cancelled = run().makes([call(1)]).dispatches([1]).resumed().cancels().closes();
    let entries = cancelled.entries();
    assert_eq!(entries[3..], ["cancelled", "closed"]);
    assert_eq!(cancelled.resumed().cancels().closes().entries(), entries);
}

#[test]
fn a_run_that_had_ended_is_not_cancelled_but_closed() {
    let ended = run().makes([call(1)]).dispatches([1]).ends(returned("a"));
    let closed = ended.resumed().cancels().stands(Phase::Draining).closes().cancels().stands(Phase::Closed);
    assert_eq!(closed.entries()[3..], ["ended", "closed"]);
}

#[test]
fn what_was_under_way_when_a_run_was_cancelled_is_recorded_as_it_finished() {
    let cancelled =
        run().makes([call(1), call(2)]).dispatches([1, 2]).cancels().settles(2, fulfilled("b")).closes();
    assert_eq!(cancelled.entries()[5..], ["cancelled", "settled 2", "closed"]);
    // The guest was never told.
    cancelled.resumed().repeats([call(1), call(2)]).hears_nothing();
}

#[test]
fn a_cancelled_run_never_goes_live_again() {
    let mut cancelled = run().makes([call(1)]).cancels().resumed().repeats([call(1)]).hears_nothing();
    assert_eq!(cancelled.ledger.phase(), Phase::Draining);
    cancelled.ledger.admit(call(2)).unwrap_err();
}

#[test]
fn a_closed_run_abandons_its_questions_and_no_other_calls() {
    let closed = run()
        .makes([call(1), call(2), call(3)])
        .dispatches([1, 2])
        .asks(1)
        .asks_as(3, 1, QuestionKind::Approval)
        .ends(returned("a"))
        .closes()
        .closes();
    assert_eq!(closed.entries()[8..], ["ended", "abandoned 1", "abandoned 3", "closed"]);
    assert_eq!(closed.ledger.facts().questions().count(), 0);
    assert_eq!(closed.ledger.facts().open.keys().collect::<Vec<_>>(), [&2]);
}

#[test]
fn calls_of_the_last_slice_are_made_and_awaited_behind_the_end() {
    let drained =
        run().makes([call(1)]).ends(returned("a")).dispatches([1]).settles(1, fulfilled("b")).closes();
    assert_eq!(drained.entries()[2..], ["ended", "dispatched 1", "settled 1", "closed"]);
    drained.resumed().repeats([call(1)]).ends(returned("a")).closes();
}

#[test]
fn what_is_over_is_not_answered() {
    let asked = run().makes([call(1)]).dispatches([1]).asks(1).ends(returned("a"));
    asked.refuses(
        |ledger| ledger.resolve(1, BEGIN, Resolution::Answered(bytes("late"))),
        "something that cannot be behind the end",
    );
}
