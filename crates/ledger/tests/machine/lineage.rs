use intermission_ledger::{Ledger, LedgerError, Record, RunId};

use crate::dialect::*;

const OTHER: RunId = RunId::from_bytes([8; 16]);

fn resumed(record: &Record) -> Ledger {
    Ledger::resume(Record::decode(&record.encode()).unwrap()).unwrap()
}

#[test]
fn a_fork_has_the_first_entries_in_common_and_is_another_run() {
    let run = run().makes([call(1)]).dispatches([1]).asks(1).pauses();
    let fork = Ledger::fork(run.record(), 4, OTHER).unwrap();
    assert!(fork.encode().starts_with(&run.resumed_after(4).record().encode()));
    let (run, fork) = (run_asking(), resumed(&fork));
    assert_eq!(fork.facts().run_id, OTHER);
    let id = |ledger: &Ledger| ledger.facts().questions().next().unwrap().0;
    assert_ne!(id(&fork), id(&run.ledger));
}

fn run_asking() -> Run {
    run().makes([call(1)]).dispatches([1]).asks(1)
}

#[test]
fn a_fork_of_a_fork_came_from_the_fork() {
    let first = Ledger::fork(run().record(), 1, OTHER).unwrap();
    let second = Ledger::fork(&first, 2, RunId::from_bytes([9; 16])).unwrap();
    assert_eq!(
        second.entries()[2],
        intermission_ledger::Entry::Forked { run_id: RunId::from_bytes([9; 16]), from: OTHER, at: 2 }
    );
    assert_eq!(resumed(&second).facts().run_id, RunId::from_bytes([9; 16]));
}

#[test]
fn there_is_no_fork_of_nothing_of_more_than_there_is_or_to_itself() {
    let run = run();
    let refused = |at, id| Ledger::fork(run.record(), at, id).unwrap_err();
    let range = LedgerError::Refused("a fork without the first entry, or with more than there are");
    assert_eq!(refused(0, OTHER), range);
    assert_eq!(refused(2, OTHER), range);
    assert_eq!(refused(1, RunId::from_bytes([7; 16])), LedgerError::Refused("a fork to the run itself"));
}

#[test]
fn the_newest_source_counts() {
    let record = Ledger::change_source(run().record().clone(), "1".to_owned());
    let record = Ledger::change_source(record, "2".to_owned());
    assert_eq!(resumed(&record).source(), "2");
    assert_eq!(run().ledger.source(), "await t.echo(1)");
}

#[test]
fn a_run_that_ended_can_have_another_source_and_be_retried_with_it() {
    let ended = run().makes([call(1)]).dispatches([1]).settles(1, rejected("no")).ends(threw(1)).closes();
    let record = Ledger::change_source(ended.record().clone(), "2".to_owned());
    let retried = resumed(&Ledger::retry(record).unwrap());
    assert_eq!((retried.source(), &retried.facts().over), ("2", &None));
}
