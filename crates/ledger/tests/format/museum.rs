//! Ledgers of every format that was ever released: conformance/tokens.

use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use intermission_ledger::{Ledger, Record, RecordError};
use serde_json::Value as Json;

fn museum() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/tokens/v1/ledgers")
}

fn pieces() -> Vec<(String, Json)> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(museum()).unwrap().map(|file| file.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap())
    };
    paths.into_iter().map(read).collect()
}

fn verdict(record: Result<Record, RecordError>) -> &'static str {
    match record.and_then(Ledger::resume) {
        Ok(_) => "resumes",
        Err(error) => error.code(),
    }
}

fn bytes(piece: &Json) -> Vec<u8> {
    HEXLOWER.decode(piece["bytes"].as_str().unwrap().as_bytes()).unwrap()
}

#[test]
fn every_ledger_of_the_museum_has_its_verdict() {
    let pieces = pieces();
    for (name, piece) in &pieces {
        assert_eq!(verdict(Record::decode(&bytes(piece))), piece["verdict"], "{name}: {}", piece["about"]);
    }
    assert!(pieces.len() >= 29, "what is in a museum stays there");
}

#[test]
fn a_ledger_of_the_museum_is_the_same_in_both_forms() {
    for (name, piece) in pieces() {
        let Some(open) = piece.get("open") else { continue };
        let read = Record::from_open(open);
        assert_eq!(verdict(read.clone()), piece["verdict"], "{name}");
        if let Ok(record) = read {
            assert_eq!(record.encode(), bytes(&piece), "{name}");
            assert_eq!(&record.to_open(), open, "{name}");
        }
    }
}

#[test]
fn each_refusal_of_the_byte_form_is_in_the_museum() {
    let verdicts: std::collections::BTreeSet<String> =
        pieces().iter().map(|(_, piece)| piece["verdict"].as_str().unwrap().to_owned()).collect();
    let all = ["LEDGER_BEHAVIOR", "LEDGER_FORMAT", "LEDGER_MALFORMED", "resumes"];
    assert_eq!(verdicts.into_iter().collect::<Vec<_>>(), all);
}
