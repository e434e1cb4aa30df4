use intermission_ledger::entry::Started;
use intermission_ledger::{Admitted, Asked, Cause, GuestClock, Ledger, LedgerError, Mark};

use crate::dialect::*;

/// The values that the reads of a slice give, one for each number of requests that were made before it, and the marks.
fn read(clock: &mut GuestClock, ledger: &Ledger, requests: &[usize], now: u64) -> (Vec<u64>, Vec<Mark>) {
    clock.enter(ledger.clock(), ledger.slice_reads());
    (requests.iter().map(|made| clock.read(*made, || now)).collect(), clock.take_marks())
}

#[test]
fn a_slice_reads_the_clock_as_before_between_its_calls_and_behind_its_blocking_ones() {
    let mut live = GuestClock::new(BEGIN);
    let mut run = run();
    let (first, marks) = read(&mut live, &run.ledger, &[0, 0], BEGIN + 3);
    run =
        run.makes([Asked::Clock(marks[0]), call(1), blocking(2)]).at(BEGIN + 5).settles(2, fulfilled("now"));
    let (second, marks) = read(&mut live, &run.ledger, &[0, 0], BEGIN + 9);
    run = run.makes([Asked::Clock(marks[0])]).hears_nothing();
    assert_eq!((&first[..], &second[..]), (&[BEGIN + 3, BEGIN + 3][..], &[BEGIN + 9, BEGIN + 9][..]));
    // One more entry, so that the second part of the slice is all recorded.
    let run = run.dispatches([1]).settles(1, fulfilled("a")).resumed();

    let mut replayed = GuestClock::new(BEGIN);
    let (values, marks) = read(&mut replayed, &run.ledger, &[0, 0], 99_999);
    assert_eq!(values, first);
    let run = run.repeats([Asked::Clock(marks[0]), call(1), blocking(2)]).gets(2, fulfilled("now"));
    let (values, marks) = read(&mut replayed, &run.ledger, &[0, 0], 99_999);
    assert_eq!(values, second);
    let run = run.repeats([Asked::Clock(marks[0])]).hears(1, fulfilled("a"));
    assert_eq!(run.ledger.clock(), BEGIN + 9);
}

#[test]
fn where_each_read_is_an_entry_a_replay_gives_each_its_value() {
    let started = Started { record_reads: true, ..started() };
    let mut live = GuestClock::new(BEGIN).marking_each(true);
    let mut ledger = Ledger::begin(started);
    let (values, marks) = read(&mut live, &ledger, &[0, 0, 1], BEGIN + 3);
    assert_eq!(values, [BEGIN + 3; 3]);
    let random = || Asked::Random(vec![0xf9, 0x38, 0x00]);
    for asked in [Asked::Clock(marks[0]), Asked::Clock(marks[1]), random(), Asked::Clock(marks[2])] {
        assert_eq!(ledger.admit(asked), Ok(Admitted::New));
    }
    let mut ledger = Ledger::resume(ledger.into_record()).unwrap();
    let mut replayed = GuestClock::new(BEGIN).marking_each(true);
    assert_eq!(read(&mut replayed, &ledger, &[0, 0, 1], 99_999), (values, marks.clone()));
    assert_eq!(ledger.admit(Asked::Clock(marks[0])), Ok(Admitted::Recorded));
    let Err(LedgerError::Diverged(diverged)) = ledger.admit(random()) else {
        panic!("it does something else")
    };
    let told = (diverged.recorded_text(), diverged.attempted_text(), diverged.cause());
    assert_eq!(told, ("a read of the clock".to_owned(), "a read of randomness".to_owned(), Cause::Clock));
}

#[test]
fn where_the_record_ends_within_a_slice_the_reads_behind_it_are_live() {
    let crashed = run().makes([clock(1, 4), call(1)]).resumed();
    assert!(crashed.ledger.slice_reads().is_live());
    let mut guest = GuestClock::new(BEGIN);
    let (values, marks) = read(&mut guest, &crashed.ledger, &[0, 0, 0, 1, 1], BEGIN + 50);
    assert_eq!(values, [BEGIN, BEGIN + 4, BEGIN + 4, BEGIN + 50, BEGIN + 50]);
    let [recorded, live] = marks[..] else { panic!("{marks:?}") };
    let run = crashed.repeats([Asked::Clock(recorded), call(1)]).makes([Asked::Clock(live)]);
    assert_eq!(run.ledger.clock(), BEGIN + 50);
}

#[test]
fn a_slice_that_something_was_told_behind_is_all_recorded() {
    let ran = run().makes([call(1)]).dispatches([1]).settles(1, fulfilled("a")).makes([call(2)]).resumed();
    assert!(!ran.ledger.slice_reads().is_live());
    let ran = ran.repeats([call(1)]).hears(1, fulfilled("a"));
    assert!(ran.ledger.slice_reads().is_live());
}

#[test]
fn outcomes_and_timers_move_the_clock_and_never_back() {
    let run = run().makes([call(1), call(2), timer(1, 30)]).dispatches([1, 2]).at(BEGIN + 10);
    let run = run.settles(1, fulfilled("a")).at(BEGIN + 4).settles(2, fulfilled("b"));
    assert_eq!(run.ledger.clock(), BEGIN + 10);
    // A host whose clock is behind: the guest is not woken before the timer is due.
    assert_eq!(run.fires(1).ledger.clock(), BEGIN + 30);
}

#[test]
fn on_replay_a_timer_is_due_when_the_record_says() {
    let later = Asked::TimerSet { timer: 1, delay: 30, due: 77_777 };
    let run = run().makes([timer(1, 30)]).resumed().repeats([later]);
    assert_eq!(run.ledger.facts().next_timer(), Some((BEGIN + 30, 1)));
}
