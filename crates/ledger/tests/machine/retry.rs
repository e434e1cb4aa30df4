use intermission_ledger::entry::{Ending, QuestionKind, Resolution};
use intermission_ledger::{Delivery, Entry, Ledger, LedgerError, Phase, Record, RunId, Standing};

use crate::dialect::*;

fn refused(run: &Run) -> LedgerError {
    Ledger::retry(run.record().clone()).unwrap_err()
}

fn standing(run: &Run, call: u32) -> &Standing {
    &run.ledger.facts().open[&call].standing
}

#[test]
fn the_call_whose_rejection_ended_the_run_is_made_again_and_nothing_else() {
    let failed = run()
        .makes([call(1)])
        .dispatches([1])
        .settles(1, fulfilled("a"))
        .makes([call(2)])
        .dispatches([2])
        .settles(2, rejected("no"))
        .ends(threw(2))
        .closes();
    let bytes = failed.record().encode();
    let retried = failed.retried();
    assert!(retried.record().encode().starts_with(&bytes));
    assert_eq!(standing(&retried, 2), &Standing::Called);
    let ended = retried
        .repeats([call(1)])
        .hears(1, fulfilled("a"))
        .repeats([call(2)])
        .hears_nothing()
        .stands(Phase::Live)
        .dispatches([2])
        .settles(2, fulfilled("b"))
        .ends(returned("b"))
        .closes();
    assert_eq!(ended.entries()[9..], ["retried 2", "dispatched 2", "settled 2", "ended", "closed"]);
    ended.resumed().repeats([call(1)]).hears(1, fulfilled("a")).repeats([call(2)]).hears(2, fulfilled("b"));
}

#[test]
fn a_call_that_is_rejected_again_is_retried_again() {
    let failed = run().makes([call(1)]).dispatches([1]).settles(1, rejected("no")).ends(threw(1)).closes();
    let twice =
        failed.retried().repeats([call(1)]).hears_nothing().dispatches([1]).settles(1, rejected("still"));
    let retried = twice.ends(threw(1)).closes().retried();
    assert_eq!(retried.entries().iter().filter(|entry| *entry == "retried 1").count(), 2);
    retried.repeats([call(1)]).hears_nothing().settles(1, fulfilled("yes")).ends(returned("yes"));
}

#[test]
fn an_outcome_that_came_behind_the_end_is_told_again_and_the_guest_may_go_on_from_it() {
    let failed = run()
        .makes([call(1), call(2), call(3)])
        .dispatches([1, 2, 3])
        .settles(1, rejected("no"))
        .ends(threw(1))
        .settles(3, fulfilled("c"))
        .settles(2, fulfilled("b"))
        .closes();
    // This time call 1 is under way when the guest hears of the others, and it makes a call in between.
    let retried = failed
        .retried()
        .repeats([call(1), call(2), call(3)])
        .stands(Phase::Replaying)
        .hears(2, fulfilled("b"))
        .makes([call(4)])
        .stands(Phase::Replaying)
        .hears(3, fulfilled("c"))
        .hears_nothing()
        .stands(Phase::Live)
        .dispatches([1, 4]);
    assert_eq!(
        retried.entries()[12..],
        ["retried 1", "settled 2", "called 4", "settled 3", "dispatched 1", "dispatched 4"]
    );
    retried
        .resumed()
        .repeats([call(1), call(2), call(3)])
        .hears(2, fulfilled("b"))
        .repeats([call(4)])
        .hears(3, fulfilled("c"))
        .hears_nothing();
}

#[test]
fn an_outcome_that_is_kept_is_recorded_behind_another_end_too() {
    let failed = run()
        .makes([call(1), call(2)])
        .dispatches([1, 2])
        .settles(1, rejected("no"))
        .ends(threw(1))
        .settles(2, fulfilled("b"));
    let record = Ledger::retry(failed.record().clone()).unwrap();
    let mut ledger = Ledger::resume(record).unwrap();
    for asked in [call(1), call(2)] {
        ledger.admit(asked).unwrap();
    }
    ledger.end(returned("a")).unwrap();
    assert_eq!(ledger.facts().open.keys().collect::<Vec<_>>(), [&1]);
    assert_eq!(ledger.record().entries().last().unwrap().name(), "settled");
}

#[test]
fn a_call_whose_outcome_is_kept_is_neither_made_again_nor_asked_about() {
    let failed = run()
        .makes([call(1), call(2)])
        .dispatches([1, 2])
        .settles(1, rejected("no"))
        .ends(threw(1))
        .settles(2, fulfilled("b"));
    let mut retried = failed.retried().repeats([call(1), call(2)]);
    // A driver that does not listen first.
    assert_eq!(retried.ledger.answer(2), Ok(None));
    let retried = retried.refuses(|ledger| ledger.dispatch(2), "a dispatch of a call whose outcome is known");
    let unknown = question(2, 1, QuestionKind::OutcomeUnknown);
    let retried =
        retried.refuses(|ledger| ledger.interrupt(unknown), "a question of a call whose outcome is known");
    retried.refuses(
        |ledger| ledger.settle(2, BEGIN, fulfilled("c")),
        "another outcome than the call had before",
    );
}

#[test]
fn questions_and_answers_of_others_outlive_a_retry() {
    let failed = run()
        .makes([call(1), call(2), call(3)])
        .dispatches([1, 2])
        .asks(2)
        .asks_as(3, 1, QuestionKind::Approval)
        .settles(1, rejected("no"))
        .resolves(3, Resolution::Approved { arguments: None })
        .dispatches([3])
        .ends(threw(1))
        .asks_as(3, 2, QuestionKind::Question)
        .closes();
    assert_eq!(failed.ledger.facts().questions().count(), 0);
    let retried = failed.retried();
    let asking: Vec<u32> = retried.ledger.facts().questions().map(|(_, _, question)| question.call).collect();
    assert_eq!(asking, [2, 3]);
}

#[test]
fn what_was_approved_is_not_asked_again_by_a_retry() {
    let approved = Resolution::Approved { arguments: None };
    let failed = run()
        .makes([call(1)])
        .asks_as(1, 1, QuestionKind::Approval)
        .pauses()
        .resolves(1, approved.clone())
        .dispatches([1])
        .settles(1, rejected("no"))
        .ends(threw(1));
    let retried = failed.retried();
    let question = question(1, 1, QuestionKind::Approval);
    assert_eq!(standing(&retried, 1), &Standing::Answered(Box::new(question), approved));
}

#[test]
fn what_was_denied_is_asked_again_by_a_retry() {
    let denied = run()
        .makes([call(1)])
        .asks_as(1, 1, QuestionKind::Approval)
        .resolves(1, Resolution::Denied { reason: None })
        .settles(1, rejected("denied"))
        .ends(threw(1));
    let retried = denied.retried();
    assert_eq!(standing(&retried, 1), &Standing::Called);
    retried.repeats([call(1)]).hears_nothing().asks_as(1, 2, QuestionKind::Approval);
}

#[test]
fn a_blocking_call_is_retried_while_others_have_outcomes() {
    let failed = run()
        .makes([call(1), blocking(2)])
        .dispatches([1, 2])
        .settles(2, rejected("no"))
        .ends(threw(2))
        .settles(1, fulfilled("a"));
    let mut retried = failed.retried().repeats([call(1), blocking(2)]);
    assert_eq!(retried.ledger.answer(2), Ok(None));
    let retried =
        retried.dispatches([2]).settles(2, fulfilled("b")).makes([call(3)]).hears(1, fulfilled("a"));
    retried.resumed().repeats([call(1), blocking(2)]).gets(2, fulfilled("b")).repeats([call(3)]);
}

#[test]
fn a_fork_stays_a_fork_when_it_is_retried() {
    let failed = run().makes([call(1)]).dispatches([1]).settles(1, rejected("no")).ends(threw(1));
    let entries = failed.record().entries().len();
    let fork = Ledger::fork(failed.record(), entries, RunId::from_bytes([8; 16])).unwrap();
    let retried = Ledger::resume(Ledger::retry(fork).unwrap()).unwrap();
    assert_eq!(retried.facts().run_id, RunId::from_bytes([8; 16]));
}

#[test]
fn there_is_no_retry_where_no_calls_rejection_ended_the_run() {
    let none = LedgerError::Refused("a retry where no host call's rejection ended the run");
    assert_eq!(refused(&run()), none);
    assert_eq!(refused(&run().ends(returned("a"))), none);
    assert_eq!(refused(&run().ends(Ending::Threw { message: "Error".to_owned(), call: None })), none);
    assert_eq!(refused(&run().cancels()), none);
    let retried = run().makes([call(1)]).dispatches([1]).settles(1, rejected("no")).ends(threw(1)).retried();
    assert_eq!(refused(&retried), none);
}

#[test]
fn there_is_no_retry_where_the_script_made_other_calls_since() {
    let handled = run()
        .makes([call(1)])
        .dispatches([1])
        .settles(1, rejected("no"))
        .makes([call(2)])
        .dispatches([2])
        .settles(2, fulfilled("told the admin"))
        .ends(threw(1));
    assert_eq!(
        refused(&handled),
        LedgerError::Refused("a retry of a call behind whose rejection others were made")
    );
}

#[test]
fn a_call_whose_kept_outcome_ends_the_run_is_made_again_and_a_later_retry_keeps_the_newest() {
    let failed = run()
        .makes([call(1), call(2), call(3)])
        .dispatches([1, 2, 3])
        .settles(3, rejected("early"))
        .settles(1, rejected("no"))
        .ends(threw(1))
        .settles(2, rejected("neither"));
    let calls = || [call(1), call(2), call(3)];
    let second = failed.retried().repeats(calls()).hears(3, rejected("early")).hears(2, rejected("neither"));
    let third = second.ends(threw(2)).retried().repeats(calls()).hears(3, rejected("early"));
    let third = third.hears_nothing().dispatches([2]).settles(2, fulfilled("b")).ends(threw(3));
    let fourth = third.retried().repeats(calls()).hears(2, fulfilled("b")).hears_nothing();
    assert_eq!(fourth.ledger.facts().open.keys().collect::<Vec<_>>(), [&1, &3]);
}

#[test]
fn retries_one_before_the_other_keep_what_each_of_them_kept() {
    const CALLS: u32 = 100;
    let mut run = run();
    for index in 1..=CALLS {
        run = run.makes([call(index)]).dispatches([index]);
    }
    for index in 1..=CALLS {
        run = run.settles(index, rejected("no"));
    }
    // Each retry cuts before what the one before kept.
    let mut entries = run.record().entries().to_vec();
    for index in (2..=CALLS).rev() {
        entries.extend([Entry::Ended(threw(index)), Entry::Retried { call: index }]);
        entries.push(Entry::Settled { call: index, elapsed: 0, outcome: fulfilled("yes") });
    }
    entries.extend([Entry::Ended(threw(1)), Entry::Retried { call: 1 }]);
    let mut ledger = Ledger::resume(Record::from_entries(entries).unwrap()).unwrap();
    for index in 1..=CALLS {
        ledger.admit(call(index)).unwrap();
    }
    for index in 2..=CALLS {
        let told = Delivery::Settled { call: index, outcome: fulfilled("yes"), clock: BEGIN };
        assert_eq!(ledger.deliver(), Ok(Some(told)));
    }
    assert_eq!(ledger.deliver(), Ok(None));
    assert_eq!(ledger.facts().open.keys().collect::<Vec<_>>(), [&1]);
}
