//! What cannot have happened, in the words in which it is refused: by a machine that writes it, and by one that reads it.

use intermission_ledger::entry::{
    Ending, Outcome, Question, QuestionKind, Request, Resolution, Spent, Started,
};
use intermission_ledger::{Entry, Ledger, MAX_TIME, Phase, Record, RecordError, RunId};
use intermission_value::Value;

use crate::dialect::*;

fn called(call: u32, function: u32) -> Entry {
    Entry::Called { call, request: Request::Function { function, arguments: bytes(Value::array([call])) } }
}

fn settled(call: u32) -> Entry {
    settled_as(call, 0, fulfilled("a"))
}

fn settled_as(call: u32, elapsed: u64, outcome: Outcome) -> Entry {
    Entry::Settled { call, elapsed, outcome }
}

fn dispatched(call: u32) -> Entry {
    Entry::Dispatched { call }
}

fn asked(call: u32, ordinal: u32, kind: QuestionKind) -> Entry {
    Entry::Interrupted(Box::new(question(call, ordinal, kind)))
}

fn resolved(call: u32, resolution: Resolution) -> Entry {
    Entry::Resolved { call, at: BEGIN, resolution }
}

fn set(timer: u32, due: u64) -> Entry {
    Entry::TimerSet { timer, delay: due, due }
}

fn fired(timer: u32, elapsed: u64) -> Entry {
    Entry::TimerFired { timer, elapsed }
}

fn returned_a() -> Entry {
    Entry::Ended(returned("a"))
}

fn record(rest: Vec<Entry>) -> Result<Record, RecordError> {
    let mut entries = vec![Entry::Started(Box::new(started()))];
    entries.extend(rest);
    Record::from_entries(entries)
}

/// The last of `rest` cannot follow on the others, which can on each other.
fn check(rest: &[Entry], why: &str) {
    let before = record(rest[..rest.len() - 1].to_vec()).unwrap();
    assert!(Ledger::resume(before).is_ok(), "what stands before: {why}");
    let refused = record(rest.to_vec()).and_then(Ledger::resume).expect_err(why);
    assert_eq!(refused, RecordError::Malformed { entry: rest.len(), why: why.to_owned() });
    assert_eq!(refused.code(), "LEDGER_MALFORMED");
}

const NOT_OPEN: &str = "a call that is not open";
const BEHIND_THE_END: &str = "something that cannot be behind the end";

#[test]
fn calls_come_in_order_and_of_functions_that_were_lent() {
    check(&[called(2, ECHO)], "a call out of order");
    check(&[called(1, ECHO), called(1, ECHO)], "a call out of order");
    check(&[called(0, ECHO)], "a call out of order");
    check(&[called(1, 2)], "a call of a function that was not lent");
    check(&[called(1, u32::MAX)], "a call of a function that was not lent");
}

#[test]
fn only_calls_that_are_open_have_something_happen_to_them() {
    check(&[settled(1)], NOT_OPEN);
    check(&[called(1, ECHO), settled(1), settled(1)], NOT_OPEN);
    check(&[dispatched(1)], NOT_OPEN);
    check(&[asked(1, 1, QuestionKind::Approval)], NOT_OPEN);
    check(&[resolved(1, Resolution::Expired)], NOT_OPEN);
    check(&[returned_a(), Entry::Abandoned { call: 1 }], NOT_OPEN);
}

#[test]
fn a_blocking_call_is_followed_by_its_outcome_alone() {
    const STANDS_STILL: &str = "something of a guest that stands still for a blocking call";
    let open = [called(1, ECHO), called(2, SYNC)];
    for next in [called(3, ECHO), settled(1), set(1, 5), Entry::Clock { reads: 0, elapsed: 1 }, returned_a()]
    {
        check(&[&open[..], &[next]].concat(), STANDS_STILL);
    }
    let of = |kind| [called(1, SYNC), dispatched(1), asked(1, 1, kind)];
    check(&of(QuestionKind::Question), "a question of a blocking call");
    check(&[called(1, SYNC), asked(1, 1, QuestionKind::Approval)], "a question of a blocking call");
    assert!(Ledger::resume(record(of(QuestionKind::OutcomeUnknown).to_vec()).unwrap()).is_ok());
    let load = Entry::Called { call: 1, request: Request::Load { name: "/a.js".to_owned() } };
    check(&[load, settled_as(1, 0, Outcome::Fulfilled(bytes(1)))], "a module's name or text that is no text");
}

#[test]
fn reads_are_entries_where_the_run_says_so_and_nowhere_else() {
    let random = || Entry::Random { value: bytes(0.5) };
    check(&[random()], "a read in a run that does not record its reads");
    let recording = |entries: &[Entry]| {
        let started = Started { record_reads: true, ..started() };
        let first = std::iter::once(Entry::Started(Box::new(started)));
        Ledger::resume(Record::from_entries(first.chain(entries.iter().cloned()).collect()).unwrap())
    };
    let read = |reads, elapsed| Entry::Clock { reads, elapsed };
    let ledger = recording(&[read(0, 0), random(), read(0, 3), read(0, 0)]).unwrap();
    assert_eq!((ledger.facts().clock, ledger.record().entries().len()), (BEGIN + 3, 5));
    let skipped = recording(&[read(1, 3)]).unwrap_err().to_string();
    assert!(skipped.contains("reads that are no entries, in a run that records its reads"), "{skipped}");
}

#[test]
fn time_does_not_end_nor_stand_still_and_go_on() {
    const BEYOND: &str = "a time beyond all time";
    let last = MAX_TIME - BEGIN;
    check(&[called(1, ECHO), settled_as(1, u64::MAX, fulfilled("a"))], BEYOND);
    check(&[called(1, ECHO), settled_as(1, last + 1, fulfilled("a"))], BEYOND);
    check(&[Entry::Clock { reads: 0, elapsed: last }, Entry::Clock { reads: 0, elapsed: 1 }], BEYOND);
    check(&[set(1, 0), fired(1, u64::MAX)], BEYOND);
    check(&[set(1, u64::MAX)], "a timer beyond all time");
    check(&[Entry::Clock { reads: 5, elapsed: 0 }], "a clock that gave another value and the same");
}

#[test]
fn timers_are_set_once_and_fire_when_they_are_due() {
    const NOT_SET: &str = "a timer that is not set";
    check(&[fired(1, 0)], NOT_SET);
    check(&[set(1, 5), fired(1, 5), fired(1, 5)], NOT_SET);
    check(&[Entry::TimerCleared { timer: 1 }], NOT_SET);
    check(&[set(1, 5), set(1, 5)], "a timer that is set already");
    check(&[set(1, 5), fired(1, 4)], "a timer that fires before it is due");
}

#[test]
fn a_run_is_put_away_where_it_waits_and_is_then_told_something() {
    const UNDER_WAY: &str = "a pause with calls under way";
    check(&[Entry::Paused], "a pause with nothing to wait for");
    check(&[called(1, ECHO), Entry::Paused], UNDER_WAY);
    check(&[called(1, ECHO), dispatched(1), Entry::Paused], UNDER_WAY);
    let approval = [called(1, ECHO), asked(1, 1, QuestionKind::Approval)];
    let approved = resolved(1, Resolution::Approved { arguments: None });
    check(&[&approval[..], &[approved, Entry::Paused]].concat(), UNDER_WAY);
    check(&[&approval[..], &[called(2, ECHO), Entry::Paused]].concat(), UNDER_WAY);
    let paused = [&approval[..], &[Entry::Paused]].concat();
    check(&[&paused[..], &[Entry::Paused]].concat(), "a second pause at one place");
    for next in [called(2, ECHO), set(1, 5), Entry::Clock { reads: 0, elapsed: 1 }, returned_a()] {
        check(&[&paused[..], &[next]].concat(), "something of a guest that was put away");
    }
}

#[test]
fn questions_are_those_that_the_call_can_ask_and_come_in_order() {
    const NOT_NOW: &str = "a question of a call that cannot ask it now";
    check(&[called(1, ECHO), asked(1, 1, QuestionKind::Question)], NOT_NOW);
    check(&[called(1, ECHO), asked(1, 1, QuestionKind::OutcomeUnknown)], NOT_NOW);
    check(&[called(1, ECHO), dispatched(1), asked(1, 1, QuestionKind::Approval)], NOT_NOW);
    check(&[called(1, ECHO), dispatched(1), asked(1, 1, QuestionKind::Event)], NOT_NOW);
    let approval = asked(1, 1, QuestionKind::Approval);
    check(&[called(1, ECHO), approval.clone(), approval.clone()], NOT_NOW);
    let approved = resolved(1, Resolution::Approved { arguments: None });
    check(&[called(1, ECHO), approval, approved, asked(1, 2, QuestionKind::Approval)], NOT_NOW);
    for ordinal in [0, 2, u32::MAX] {
        check(
            &[called(1, ECHO), dispatched(1), asked(1, ordinal, QuestionKind::Question)],
            "a question out of order",
        );
    }
}

#[test]
fn answers_are_of_the_kind_of_their_question() {
    const OTHER_KIND: &str = "an answer of another kind than the question";
    let ask = |kind| match kind {
        QuestionKind::Approval | QuestionKind::Event => vec![called(1, ECHO), asked(1, 1, kind)],
        _ => vec![called(1, ECHO), dispatched(1), asked(1, 1, kind)],
    };
    let edit = Resolution::Approved { arguments: Some(bytes(Value::array([1]))) };
    let answers = [
        (edit, QuestionKind::Approval),
        (Resolution::Denied { reason: None }, QuestionKind::Approval),
        (Resolution::Answered(bytes(1)), QuestionKind::Question),
        (Resolution::Happened(fulfilled("a")), QuestionKind::OutcomeUnknown),
        (Resolution::DidNotHappen, QuestionKind::OutcomeUnknown),
    ];
    for kind in [QuestionKind::Question, QuestionKind::Approval, QuestionKind::OutcomeUnknown] {
        for (answer, of) in answers.clone() {
            let entries = [&ask(kind)[..], &[resolved(1, answer)]].concat();
            if of == kind {
                assert!(Ledger::resume(record(entries).unwrap()).is_ok());
            } else {
                check(&entries, OTHER_KIND);
            }
        }
        assert!(
            Ledger::resume(record([&ask(kind)[..], &[resolved(1, Resolution::Expired)]].concat()).unwrap())
                .is_ok()
        );
    }
    let event = |answer| [&ask(QuestionKind::Event)[..], &[resolved(1, answer)]].concat();
    assert!(Ledger::resume(record(event(Resolution::Answered(bytes(1)))).unwrap()).is_ok());
    check(&event(Resolution::DidNotHappen), OTHER_KIND);
    check(&[called(1, ECHO), resolved(1, Resolution::Expired)], "an answer to no question");
    let twice = [ask(QuestionKind::Question), vec![resolved(1, Resolution::Expired); 2]].concat();
    check(&twice, "an answer to no question");
}

#[test]
fn what_was_answered_is_done_and_nothing_else() {
    let denied = [
        called(1, ECHO),
        asked(1, 1, QuestionKind::Approval),
        resolved(1, Resolution::Denied { reason: None }),
    ];
    check(&[&denied[..], &[dispatched(1)]].concat(), "a dispatch of a call that was denied");
    check(&[&denied[..], &[settled(1)]].concat(), "a value of a call that was denied");
    let event =
        [called(1, ECHO), asked(1, 1, QuestionKind::Event), resolved(1, Resolution::Answered(bytes(1)))];
    check(&[&event[..], &[dispatched(1)]].concat(), "a dispatch of a call that waits for an event");
    let unknown = [called(1, ECHO), dispatched(1), asked(1, 1, QuestionKind::OutcomeUnknown)];
    let happened = resolved(1, Resolution::Happened(fulfilled("a")));
    check(
        &[&unknown[..], &[happened, dispatched(1)]].concat(),
        "a dispatch of a call whose outcome was told",
    );
    check(&[&unknown[..], &[dispatched(1)]].concat(), "a dispatch of a call whose question is open");
    check(&[&unknown[..], &[settled(1)]].concat(), "an outcome of a call whose question is open");
}

#[test]
fn behind_the_end_comes_what_was_under_way_and_nothing_behind_the_closing() {
    let asking = [called(1, ECHO), dispatched(1), asked(1, 1, QuestionKind::Question)];
    for next in [
        called(2, ECHO),
        set(1, 5),
        Entry::Clock { reads: 0, elapsed: 1 },
        Entry::Paused,
        returned_a(),
        Entry::Cancelled,
        resolved(1, Resolution::Expired),
    ] {
        check(&[&asking[..], &[returned_a(), next.clone()]].concat(), BEHIND_THE_END);
        check(&[&asking[..], &[Entry::Cancelled, next]].concat(), BEHIND_THE_END);
    }
    check(&[called(1, ECHO), Entry::Cancelled, dispatched(1)], BEHIND_THE_END);
    for next in [Entry::Closed, Entry::Spent(Spent::default()), Entry::Abandoned { call: 1 }] {
        check(&[&asking[..], &[returned_a(), Entry::Closed, next]].concat(), "something behind the closing");
    }
    for early in [Entry::Closed, Entry::Abandoned { call: 1 }] {
        check(&[&asking[..], &[early]].concat(), "the end of what is awaited, in a run that is not over");
    }
    let running = [called(1, ECHO), dispatched(1), returned_a(), Entry::Abandoned { call: 1 }];
    check(&running, "a question given up that is not open");
    check(&[called(1, ECHO), settled(1), Entry::Ended(threw(1))], "an end by a rejection that never was");
    check(&[Entry::Ended(threw(9))], "an end by a rejection that never was");
}

#[test]
fn retries_forks_and_uses_are_of_something() {
    let failed = [called(1, ECHO), settled_as(1, 0, rejected("no")), Entry::Ended(threw(1))];
    let retried = Entry::Retried { call: 1 };
    check(std::slice::from_ref(&retried), "a retry of a call that was not rejected");
    check(
        &[&failed[..], &[Entry::Retried { call: 2 }]].concat(),
        "a retry of a call behind whose rejection others were made",
    );
    check(
        &[&failed[..], &[retried.clone(), retried.clone()]].concat(),
        "a retry of a call behind whose rejection others were made",
    );
    check(
        &[&failed[..2], &[returned_a(), retried.clone()]].concat(),
        "a retry of a call that did not end the run",
    );
    let cancelled = [called(1, ECHO), settled_as(1, 0, rejected("no")), Entry::Cancelled, retried];
    check(&cancelled, "a retry in a run that was cancelled");
    let [mine, other] = [[7; 16], [8; 16]].map(RunId::from_bytes);
    check(&[Entry::Forked { run_id: other, from: other, at: 1 }], "a fork of another run, or to itself");
    check(&[Entry::Forked { run_id: mine, from: mine, at: 1 }], "a fork of another run, or to itself");
    check(
        &[Entry::Forked { run_id: other, from: mine, at: 2 }],
        "a fork is where it says how much is in common",
    );
    let used = |function| Entry::Used { function, fingerprint: [0; 16] };
    check(&[used(2)], "the use of a function that was not lent");
    check(&[used(0), used(0)], "the first use of a function that was used before");
}

#[test]
fn a_record_begins_once_and_under_rules_that_are_known() {
    check(&[Entry::Started(Box::new(started()))], "`started` is the first entry and no other");
    let of = |change: &dyn Fn(&mut Started)| {
        let mut started = started();
        change(&mut started);
        Record::from_entries(vec![Entry::Started(Box::new(started))]).unwrap_err()
    };
    assert_eq!(of(&|started| started.behavior = 6), RecordError::Behavior(6));
    assert_eq!(RecordError::Behavior(6).code(), "LEDGER_BEHAVIOR");
    let malformed = |why: &str| RecordError::Malformed { entry: 0, why: why.to_owned() };
    assert_eq!(of(&|started| started.time = MAX_TIME + 1), malformed("a time beyond all time"));
    let twice = malformed("the function t.echo is lent twice");
    assert_eq!(of(&|started| started.functions[1].name = "t.echo".to_owned()), twice);
}

#[test]
fn values_are_in_their_byte_form() {
    let garbage = || intermission_ledger::entry::Encoded::from(vec![0x18, 0x01]);
    let why = |entry: Entry| match record(vec![entry]).unwrap_err() {
        RecordError::Malformed { entry: 1, why } => why,
        other => panic!("{other}"),
    };
    let of = |value| why(Entry::Settled { call: 1, elapsed: 0, outcome: Outcome::Fulfilled(value) });
    assert!(of(garbage()).starts_with("the outcome: "), "{}", of(garbage()));
    assert!(of(vec![].into()).starts_with("the outcome: "));
    assert!(why(Entry::Ended(Ending::Returned(garbage()))).starts_with("the value: "));
    let request =
        |arguments| Entry::Called { call: 1, request: Request::Function { function: 0, arguments } };
    assert!(why(request(garbage())).starts_with("the arguments: "));
    assert_eq!(why(request(bytes(1))), "the arguments are no array");
    let edited = Resolution::Approved { arguments: Some(bytes(1)) };
    assert_eq!(why(resolved(1, edited)), "the arguments are no array");
    let asks = |change: &dyn Fn(&mut Question)| {
        let mut question = question(1, 1, QuestionKind::Question);
        change(&mut question);
        why(Entry::Interrupted(Box::new(question)))
    };
    assert!(asks(&|question| question.payload = garbage()).starts_with("the payload: "));
    assert!(asks(&|question| question.state = Some(garbage())).starts_with("the state: "));
    assert!(asks(&|question| question.default = Some(garbage())).starts_with("the default: "));
}

#[test]
fn what_the_machine_refuses_it_does_not_write() {
    let error = run().makes([call(1)]).refuses(|ledger| ledger.settle(2, BEGIN, fulfilled("a")), NOT_OPEN);
    let error = error.refuses(|ledger| ledger.pause(SPENT), "a pause with calls under way");
    let error = error.refuses(Ledger::close, "the end of what is awaited, in a run that is not over");
    let error =
        error.refuses(|ledger| ledger.note_use(9, [0; 16]), "the use of a function that was not lent");
    let error =
        error.makes([timer(1, 50)]).refuses(|ledger| ledger.fire(1, u64::MAX), "a time beyond all time");
    assert_eq!(error.ledger.facts().next_timer(), Some((BEGIN + 50, 1)));
}

#[test]
fn nothing_is_written_while_replaying() {
    const REPLAYING: &str = "what is written while replaying, or behind the end";
    let replaying = run().makes([call(1)]).dispatches([1]).resumed().stands(Phase::Replaying);
    let replaying = replaying.refuses(|ledger| ledger.dispatch(1), REPLAYING);
    let replaying = replaying.refuses(|ledger| ledger.settle(1, BEGIN, fulfilled("a")), REPLAYING);
    replaying.refuses(|ledger| ledger.spend(SPENT), REPLAYING);
}
