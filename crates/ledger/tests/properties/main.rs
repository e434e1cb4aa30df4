//! Whatever a guest and its host do, in any order that is possible, the record of it is whole; whatever bytes there are, reading them is safe.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scribe;
mod values;

use std::collections::BTreeSet;

use intermission_ledger::{Entry, Ledger, Phase, Record};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use scribe::{Mark, Scribe, replay};

fn runs() -> impl Strategy<Value = Scribe> {
    prop::collection::vec(any::<(u8, u8)>(), 0..120).prop_map(|choices| Scribe::write(&choices))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_record_comes_back_from_its_bytes_and_a_longer_one_begins_with_them(run in runs()) {
        let record = run.ledger.record();
        let bytes = record.encode();
        prop_assert_eq!(&Record::decode(&bytes).unwrap(), record);
        for length in 1..=record.entries().len() {
            let prefix = Record::from_entries(record.entries()[..length].to_vec()).unwrap().encode();
            prop_assert!(bytes.starts_with(&prefix));
        }
        let one_by_one: Vec<u8> = std::iter::once(1).chain(record.encode_from(0).into_iter().flatten()).collect();
        prop_assert_eq!(bytes, one_by_one);
    }

    #[test]
    fn a_record_comes_back_from_its_open_form_and_from_the_text_of_it(run in runs()) {
        let record = run.ledger.record();
        let open = record.to_open();
        prop_assert_eq!(&Record::from_open(&open).unwrap(), record);
        prop_assert_eq!(&Record::from_open(&serde_json::from_str(&open.to_string()).unwrap()).unwrap(), record);
    }

    #[test]
    fn facts_that_are_folded_are_those_that_were_kept_while_writing(run in runs()) {
        for Mark { length, facts, .. } in &run.marks {
            let resumed = Ledger::resume(run.prefix(*length)).unwrap();
            prop_assert_eq!(resumed.facts(), facts);
        }
        let all = Ledger::resume(run.ledger.record().clone()).unwrap();
        prop_assert_eq!(all.size(), run.ledger.size());
        for (entry, bytes) in all.record().entries().iter().zip(all.record().encode_from(0)) {
            let written = bytes.len() as u64;
            prop_assert!(entry.size() + 60 >= written, "{entry:?}: {} for {written}", entry.size());
        }
    }

    #[test]
    fn every_prefix_can_be_resumed_and_a_guest_that_does_the_same_is_at_the_same_place(run in runs()) {
        for length in 1..=run.ledger.record().entries().len() {
            prop_assert!(Ledger::resume(run.prefix(length)).is_ok(), "{length}");
        }
        for Mark { length, facts, seen, told } in &run.marks {
            let prefix = run.prefix(*length);
            let mut again = Ledger::resume(prefix.clone()).unwrap();
            replay(&mut again, seen);
            prop_assert_eq!(again.facts(), facts);
            prop_assert_eq!(again.record(), &prefix);
            if facts.over.is_none() && *told {
                prop_assert_eq!(again.deliver(), Ok(None));
                prop_assert_eq!((again.phase(), again.clock()), (Phase::Live, facts.clock));
            }
        }
    }

    #[test]
    fn bytes_that_something_happened_to_are_refused_or_are_the_one_form_of_another_record(
        run in runs(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..3), 1..6),
    ) {
        let mut bytes = run.ledger.record().encode();
        for (at, byte, how) in changes {
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => bytes.truncate(at.max(1)),
            }
        }
        if let Ok(record) = Record::decode(&bytes) {
            prop_assert_eq!(record.encode(), bytes);
            prop_assert_eq!(&Record::from_open(&record.to_open()).unwrap(), &record);
            let _ = Ledger::resume(record);
        }
    }

    #[test]
    fn entries_in_any_order_are_refused_or_make_sense_together(
        run in runs(),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let all = run.ledger.record().entries();
        let mut entries = vec![all[0].clone()];
        for index in order {
            entries.push(index.get(all).clone());
            if let Ok(record) = Record::from_entries(entries.clone()) && let Ok(ledger) = Ledger::resume(record) {
                prop_assert!(ledger.facts().questions().count() <= ledger.facts().open.len());
            } else {
                entries.pop();
            }
        }
    }
}

#[test]
fn the_scribe_writes_entries_of_every_kind_and_retries_that_keep_something() {
    let mut runner = TestRunner::deterministic();
    let (mut names, mut kept) = (BTreeSet::new(), 0);
    for _ in 0..400 {
        let run = runs().new_tree(&mut runner).unwrap().current();
        names.extend(run.ledger.record().entries().iter().map(Entry::name));
        kept += run.marks.iter().filter(|mark| !mark.told).count();
    }
    let all = [
        "abandoned",
        "called",
        "cancelled",
        "clock",
        "closed",
        "dispatched",
        "ended",
        "forked",
        "interrupted",
        "paused",
        "random",
        "resolved",
        "retried",
        "settled",
        "source_changed",
        "spent",
        "started",
        "timer_cleared",
        "timer_fired",
        "timer_set",
        "used",
    ];
    assert_eq!(names.into_iter().collect::<Vec<_>>(), all);
    assert!(kept > 0, "no retry that keeps an outcome");
}
