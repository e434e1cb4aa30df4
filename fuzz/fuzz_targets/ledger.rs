//! Bytes as a ledger's, decoded and resumed: never a panic; what is taken has one form, and nothing is lost in the open one.
#![no_main]

use intermission_ledger::{Ledger, Record};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let record = match Record::decode(bytes) {
        Ok(record) => record,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(record.encode(), bytes);
    assert_eq!(Record::from_open(&record.to_open()).as_ref(), Ok(&record));
    if let Ok(ledger) = Ledger::resume(record.clone()) {
        go_on(ledger);
    }
    if let Ok(retried) = Ledger::retry(record) {
        go_on(Ledger::resume(retried).expect("a retry that was allowed"));
    }
});

/// A guest that does nothing but wait, in a run that is then cancelled.
fn go_on(mut ledger: Ledger) {
    let _ = (ledger.facts().questions().count(), ledger.facts().next_timer(), ledger.slice_reads());
    while let Ok(Some(_)) = ledger.deliver() {}
    ledger.cancel().expect("a run can always be cancelled");
    ledger.close().expect("and closed");
    let record = ledger.into_record();
    assert!(Ledger::resume(record).is_ok());
}
