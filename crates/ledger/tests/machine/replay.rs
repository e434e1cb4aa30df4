use intermission_ledger::Phase;
use intermission_ledger::entry::{Question, QuestionKind, Resolution};

use crate::dialect::*;

#[test]
fn the_run_on_paper_gains_just_the_entries_on_paper() {
    let paused = run()
        .makes([call(1), call(2)])
        .hears_nothing()
        .dispatches([1, 2])
        .settles(2, fulfilled("b"))
        .settles(1, fulfilled("a"))
        .makes([call(3)])
        .hears_nothing()
        .dispatches([3])
        .asks(3)
        .pauses();
    let put_away = [
        "started",
        "called 1",
        "called 2",
        "dispatched 1",
        "dispatched 2",
        "settled 2",
        "settled 1",
        "called 3",
        "dispatched 3",
        "interrupted 3",
        "spent",
        "paused",
    ];
    assert_eq!(paused.entries(), put_away);

    let ended = paused
        .resumed()
        .stands(Phase::Replaying)
        .repeats([call(1), call(2)])
        .hears(2, fulfilled("b"))
        .hears(1, fulfilled("a"))
        .repeats([call(3)])
        .hears_nothing()
        .stands(Phase::Live)
        .resolves(3, Resolution::Answered(bytes("yes")))
        .dispatches([3])
        .settles(3, fulfilled("yes"))
        .ends(returned("yes"))
        .stands(Phase::Draining)
        .closes()
        .stands(Phase::Closed);
    let rest = ["resolved 3", "dispatched 3", "settled 3", "ended", "closed"];
    assert_eq!(ended.entries(), [&put_away[..], &rest[..]].concat());
}

#[test]
fn a_replay_to_the_end_writes_nothing() {
    let ended =
        run().makes([call(1)]).dispatches([1]).settles(1, fulfilled("a")).ends(returned("a")).closes();
    let bytes = ended.record().encode();
    let again = ended
        .resumed()
        .repeats([call(1)])
        .hears(1, fulfilled("a"))
        .ends(returned("a"))
        .stands(Phase::Draining)
        .closes()
        .stands(Phase::Closed);
    assert_eq!(again.record().encode(), bytes);
}

#[test]
fn a_script_that_throws_may_word_it_otherwise_when_replayed() {
    let threw =
        |message: &str| intermission_ledger::entry::Ending::Threw { message: message.to_owned(), call: None };
    run().ends(threw("Error: at line 1")).resumed().ends(threw("Error: at line 2"));
}

#[test]
fn a_prefix_without_a_pause_goes_live_where_it_ends() {
    let crashed =
        run().makes([call(1), call(2)]).dispatches([1, 2]).settles(2, fulfilled("b")).makes([call(3)]);
    crashed
        .resumed_after(2)
        .repeats([call(1)])
        .stands(Phase::Replaying)
        .makes([call(2)])
        .stands(Phase::Live)
        .dispatches([1, 2]);
}

#[test]
fn a_blocking_call_is_answered_on_the_spot_and_what_happened_meanwhile_is_told_after_it() {
    let ran = run()
        .makes([call(1), blocking(2)])
        .dispatches([2])
        .settles(2, fulfilled("now"))
        .makes([load(3, "/a.js")])
        .settles(3, fulfilled("export {}"))
        .hears_nothing()
        .dispatches([1])
        .settles(1, fulfilled("later"));
    ran.resumed()
        .repeats([call(1), blocking(2)])
        .gets(2, fulfilled("now"))
        .repeats([load(3, "/a.js")])
        .gets(3, fulfilled("export {}"))
        .hears(1, fulfilled("later"))
        .hears_nothing()
        .stands(Phase::Live);
}

#[test]
fn a_blocking_call_without_an_outcome_in_the_record_is_live() {
    let mut crashed = run().makes([blocking(1)]).dispatches([1]).resumed().repeats([blocking(1)]);
    assert_eq!(crashed.ledger.answer(1), Ok(None));
    crashed.stands(Phase::Live).settles(1, fulfilled("now")).makes([call(2)]);
}

#[test]
fn a_run_can_be_put_away_while_it_is_asked_what_became_of_a_blocking_call() {
    let mut asked = run().makes([blocking(1)]).dispatches([1]).resumed().repeats([blocking(1)]);
    assert_eq!(asked.ledger.answer(1), Ok(None));
    let answered = asked
        .asks_as(1, 1, QuestionKind::OutcomeUnknown)
        .pauses()
        .resolves(1, Resolution::Happened(fulfilled("then")))
        .settles(1, fulfilled("then"))
        .makes([call(2)]);
    answered.resumed().repeats([blocking(1)]).gets(1, fulfilled("then")).repeats([call(2)]);
}

#[test]
fn arguments_that_were_edited_are_the_hosts_and_the_replay_compares_the_guests() {
    let edited = run()
        .makes([call(1)])
        .asks_as(1, 1, QuestionKind::Approval)
        .resolves(1, Resolution::Approved { arguments: Some(bytes(intermission_value::Value::array([9]))) })
        .dispatches([1]);
    let effective = edited.ledger.facts().open[&1].effective_arguments().unwrap().to_vec();
    assert_eq!(effective, [0x81, 0x09]);
    edited.settles(1, fulfilled("9")).resumed().repeats([call(1)]).hears(1, fulfilled("9"));
}

#[test]
fn a_question_keeps_its_identity_and_the_next_of_the_same_call_has_another() {
    let ids = |run: &Run| -> Vec<String> {
        run.ledger.facts().questions().map(|(id, _, _): (_, _, &Question)| id.to_string()).collect()
    };
    let asked = run().makes([call(1)]).dispatches([1]).asks(1).pauses();
    let first = ids(&asked);
    assert_eq!(first, ["int_nobuuoglsaclhq4kjhlwnvdky5"]);
    let resumed = asked.resumed();
    assert_eq!(ids(&resumed), first);
    let again = resumed
        .repeats([call(1)])
        .hears_nothing()
        .resolves(1, Resolution::Answered(bytes("maybe")))
        .dispatches([1])
        .asks_as(1, 2, QuestionKind::Question);
    assert_ne!(ids(&again), first);
}
