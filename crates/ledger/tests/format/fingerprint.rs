//! Every number and every order that is written, in one text.

use std::collections::BTreeSet;
use std::fmt::Write;

use data_encoding::HEXLOWER;
use intermission_ledger::{Entry, FORMAT, encode_entry};

use crate::samples::{number, samples};

const RELEASED: &str = include_str!("format-1.txt");

const WHAT_TO_DO: &str = "The byte form of entries has changed. Ledgers that were written before must be read for ever, so: \
    give back their numbers to kinds and fields that had them, and give what is new a new number at the end; if what is written changes \
    all the same, count `FORMAT` up, keep reading the old one, add a file for the new one beside this, and give the museum \
    (conformance/tokens) ledgers of it. docs/ledger.md has the rules.";

/// Call 1 is the newest, or the next.
fn bytes(sample: &Entry) -> Vec<u8> {
    encode_entry(sample, u32::from(!matches!(sample, Entry::Called { .. })))
}

#[test]
fn entries_are_written_as_they_always_were() {
    let mut written = format!("format {FORMAT}\n");
    for sample in samples() {
        writeln!(written, "{} {}", sample.name(), HEXLOWER.encode(&bytes(&sample))).unwrap();
    }
    assert!(written == RELEASED, "{WHAT_TO_DO}\n\nwritten now:\n{written}\nreleased:\n{RELEASED}");
}

#[test]
fn a_kind_has_its_number_and_there_is_a_sample_of_each() {
    let numbers: BTreeSet<u8> = samples().iter().map(number).collect();
    assert_eq!(
        numbers.into_iter().collect::<Vec<_>>(),
        (0..=9).chain(16..=26).collect::<Vec<_>>(),
        "{WHAT_TO_DO}"
    );
    for sample in samples() {
        let number = number(&sample);
        let head = if number < 24 { vec![number] } else { vec![24, number] };
        assert!(bytes(&sample)[1..].starts_with(&head), "{}: {WHAT_TO_DO}", sample.name());
    }
}
