//! The example of docs/ledger.md.

use data_encoding::HEXLOWER;
use intermission_ledger::{FORMAT, Ledger, Record};

const PAGE: &str = include_str!("../../../../docs/ledger.md");

fn block(language: &str) -> &'static str {
    let begin = PAGE.find(&format!("```{language}\n")).unwrap() + language.len() + 4;
    &PAGE[begin..begin + PAGE[begin..].find("\n```").unwrap()]
}

#[test]
fn the_example_of_the_page_is_one_ledger_in_both_forms() {
    let record = Record::from_open(&serde_json::from_str(block("json")).unwrap()).unwrap();
    let entries = record.encode_from(0).into_iter().map(|entry| HEXLOWER.encode(&entry));
    let lines: Vec<String> = std::iter::once(format!("{FORMAT:02x}")).chain(entries).collect();
    assert_eq!(lines.join("\n"), block("hex"));
    assert!(Ledger::resume(record).is_ok());
}

#[test]
fn every_entry_and_every_code_is_on_the_page() {
    for sample in crate::samples::samples() {
        let row = format!("| {} | `{}` |", crate::samples::number(&sample), sample.name());
        assert!(PAGE.contains(&row), "{row}");
    }
    let error = intermission_ledger::RecordError::Behavior(1);
    assert!(PAGE.contains(&format!("| `{}` |", error.code())));
}
