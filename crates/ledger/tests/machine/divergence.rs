use intermission_ledger::entry::Ending;
use intermission_ledger::{Cause, Divergence, LedgerError};
use intermission_value::Value;

use crate::dialect::*;

fn mail(to: &str) -> Value {
    Value::array([Value::object([("to", to), ("subject", "Hello")])])
}

/// A record to diverge from, where it diverges, and what is said of it.
fn check(divergence: &Divergence, entry: usize, cause: Cause, text: &str) {
    assert_eq!((divergence.entry, divergence.cause()), (entry, cause));
    let text = format!("the script does not do what it did before, at entry {entry} of the ledger: {text}");
    assert_eq!(divergence.to_string(), text);
}

#[test]
fn other_arguments_are_shown_with_the_first_place_where_they_differ() {
    let divergence = run().makes([call_with(1, mail("ann"))]).resumed().diverges(call_with(1, mail("eve")));
    check(
        &divergence,
        1,
        Cause::Arguments,
        "recorded is call 1, t.echo({to: \"ann\", subject: \"Hello\"}), now it is call 1, t.echo({to: \"eve\", subject: \"Hello\"}); \
         the first difference is at args[0].to (the script computes other arguments than before: was it, or what it imports, changed?)",
    );
    assert_eq!(divergence.argument_path().as_deref(), Some("args[0].to"));
    assert_eq!(divergence.call(), Some(1));
}

#[test]
fn another_function_has_no_place_where_arguments_differ() {
    let divergence = run().makes([call(1)]).resumed().diverges(blocking(1));
    check(
        &divergence,
        1,
        Cause::Function,
        "recorded is call 1, t.echo(1), now it is call 1, t.sync(1) (the script calls another function than before: was it changed?)",
    );
    assert_eq!(divergence.argument_path(), None);
}

#[test]
fn another_module_is_another_function() {
    let divergence = run().makes([import(1, "./a.js")]).resumed().diverges(load(1, "/b.js"));
    check(
        &divergence,
        1,
        Cause::Function,
        "recorded is an import of \"./a.js\" by main.js, now it is loading /b.js \
         (the script calls another function than before: was it changed?)",
    );
}

#[test]
fn a_call_where_the_guest_waited_is_one_too_many() {
    let settled = run().makes([call(1)]).dispatches([1]).settles(1, fulfilled("a"));
    check(
        &settled.resumed().repeats([call(1)]).diverges(call(2)),
        3,
        Cause::CallTooMany,
        "recorded is waiting for call 1, now it is call 2, t.echo(2) \
         (the script makes a call that it did not make before: was it changed?)",
    );
}

#[test]
fn waiting_where_the_guest_made_a_call_is_a_call_missing() {
    let mut two = run().makes([call(1), call(2)]).resumed().repeats([call(1)]);
    check(
        &diverged(two.ledger.deliver()),
        2,
        Cause::CallMissing,
        "recorded is call 2, t.echo(2), now it is waiting (the script no longer makes a call that it made before: was it changed?)",
    );
}

#[test]
fn an_end_where_the_record_goes_on_is_early() {
    let mut ended = run().makes([call(1)]).resumed();
    check(
        &diverged(ended.ledger.end(returned("b"))),
        1,
        Cause::EndedEarly,
        "recorded is call 1, t.echo(1), now it is the end, with \"b\" (the script ends earlier than before: was it changed?)",
    );
}

#[test]
fn a_call_or_waiting_where_the_script_ended_is_late() {
    let ended = run().ends(returned("a"));
    let text = "the script goes on where it ended before: was it changed?";
    check(
        &ended.resumed().diverges(call(1)),
        1,
        Cause::EndedLate,
        &format!("recorded is the end, with \"a\", now it is call 1, t.echo(1) ({text})"),
    );
    let mut ended = run().ends(returned("a")).resumed();
    check(
        &diverged(ended.ledger.deliver()),
        1,
        Cause::EndedLate,
        &format!("recorded is the end, with \"a\", now it is waiting ({text})"),
    );
}

#[test]
fn another_value_or_another_rejection_at_the_end_is_told() {
    let text = "the script ends with another value than before: was it changed?";
    let mut ended = run().ends(returned("a")).resumed();
    check(
        &diverged(ended.ledger.end(returned("b"))),
        1,
        Cause::Value,
        &format!("recorded is the end, with \"a\", now it is the end, with \"b\" ({text})"),
    );
    let mut threw_nothing =
        run().ends(Ending::Threw { message: "Error: a".to_owned(), call: None }).resumed();
    check(
        &diverged(threw_nothing.ledger.end(threw(3))),
        1,
        Cause::Value,
        &format!("recorded is the end, with Error: a, now it is the end, with Error: 3 ({text})"),
    );
}

#[test]
fn a_read_of_the_clock_elsewhere_is_told() {
    let text = "the script reads the clock at other places than before: was it changed?";
    check(
        &run().makes([clock(2, 5)]).resumed().diverges(call(1)),
        1,
        Cause::Clock,
        &format!("recorded is a read of the clock, now it is call 1, t.echo(1) ({text})"),
    );
    check(
        &run().makes([clock(2, 5)]).resumed().diverges(clock(1, 5)),
        1,
        Cause::Clock,
        &format!("recorded is a read of the clock, now it is a read of the clock ({text})"),
    );
}

#[test]
fn another_timer_is_told() {
    let text = "the script sets or clears other timers than before: was it changed?";
    check(
        &run().makes([timer(1, 50)]).resumed().diverges(timer(1, 60)),
        1,
        Cause::Timer,
        &format!("recorded is setting timer 1 to 50 ms, now it is setting timer 1 to 60 ms ({text})"),
    );
    check(
        &run().makes([timer(1, 50), cleared(1)]).resumed().repeats([timer(1, 50)]).diverges(call(1)),
        2,
        Cause::Timer,
        &format!("recorded is clearing timer 1, now it is call 1, t.echo(1) ({text})"),
    );
    check(
        &run().makes([timer(1, 50)]).fires(1).resumed().repeats([timer(1, 50)]).diverges(cleared(1)),
        2,
        Cause::Timer,
        &format!("recorded is waiting for timer 1, now it is clearing timer 1 ({text})"),
    );
}

#[test]
fn a_blocking_call_whose_outcome_is_not_next_cannot_be_answered() {
    let mut ran = run().makes([call(1), call(2)]).resumed().repeats([call(1)]);
    check(
        &diverged(ran.ledger.answer(1)),
        2,
        Cause::CallMissing,
        "recorded is call 2, t.echo(2), now it is waiting (the script no longer makes a call that it made before: was it changed?)",
    );
}

#[test]
fn long_arguments_are_shortened() {
    let long = |letter: &str| Value::array([letter.repeat(500)]);
    let divergence = run().makes([call_with(1, long("a"))]).resumed().diverges(call_with(1, long("b")));
    let shown = format!("call 1, t.echo(\"{}…)", "a".repeat(119));
    assert_eq!(divergence.recorded_text(), shown);
    assert_eq!(divergence.argument_path().as_deref(), Some("args[0]"));
}

#[test]
fn a_divergence_leaves_the_record_as_it_is() {
    let mut ran = run().makes([call(1)]).resumed();
    let record = ran.record().clone();
    let error = ran.ledger.admit(blocking(1)).unwrap_err();
    assert_eq!(error.code(), "DIVERGED");
    assert!(matches!(error, LedgerError::Diverged(_)));
    assert_eq!(ran.record(), &record);
}
