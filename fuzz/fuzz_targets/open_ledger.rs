//! Texts as a ledger in its open form: never a panic; what is taken comes back from its bytes and from its own open form.
#![no_main]

use intermission_ledger::{Ledger, Record};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let Ok(open) = serde_json::from_slice(text) else { return };
    let record = match Record::from_open(&open) {
        Ok(record) => record,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(Record::decode(&record.encode()).as_ref(), Ok(&record));
    let text = record.to_open().to_string();
    let again = serde_json::from_str(&text).expect("what is written is JSON");
    assert_eq!(Record::from_open(&again).as_ref(), Ok(&record));
    let _ = Ledger::resume(record);
});
