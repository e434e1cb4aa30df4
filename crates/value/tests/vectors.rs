//! `conformance/vectors/values.jsonl`: what every implementation of the byte form must do.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use intermission_value::{DecodeError, Reason, decode, encode, validate};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vector {
    name: String,
    bytes: String,
    js: Option<String>,
    reject: Option<String>,
}

impl Vector {
    fn bytes(&self) -> Vec<u8> {
        let digits = self.bytes.as_bytes().chunks_exact(2);
        digits.map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
    }
}

fn vectors() -> Vec<Vector> {
    let text = include_str!("../../../conformance/vectors/values.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn accepted() -> Vec<Vector> {
    vectors().into_iter().filter(|vector| vector.reject.is_none()).collect()
}

#[test]
fn every_vector_has_a_name_of_its_own_and_one_verdict() {
    let vectors = vectors();
    let names: BTreeSet<_> = vectors.iter().map(|vector| &vector.name).collect();
    assert_eq!(names.len(), vectors.len());
    for vector in &vectors {
        assert_ne!(vector.js.is_some(), vector.reject.is_some(), "{}", vector.name);
    }
}

#[test]
fn accepted_forms_come_back_byte_for_byte() {
    for vector in accepted() {
        let bytes = vector.bytes();
        let value = decode(&bytes, bytes.len()).unwrap_or_else(|error| panic!("{}: {error}", vector.name));
        assert_eq!(encode(&value).as_ref(), Ok(&bytes), "{}", vector.name);
        assert_eq!(validate(&bytes, bytes.len()), Ok(()), "{}", vector.name);
        assert_eq!(value, value.clone(), "{}", vector.name);
    }
}

#[test]
fn refused_forms_are_refused_for_their_reason() {
    for vector in vectors() {
        let Some(reject) = &vector.reject else { continue };
        let bytes = vector.bytes();
        let error = decode(&bytes, bytes.len()).expect_err(&vector.name);
        assert_eq!(error.code(), reject, "{}: {error}", vector.name);
        assert_eq!(validate(&bytes, bytes.len()), Err(error), "{}", vector.name);
    }
}

#[test]
fn every_reason_has_a_vector_and_no_vector_another_reason() {
    let reasons: BTreeSet<_> = Reason::ALL.iter().map(|reason| reason.code().to_owned()).collect();
    let rejected: BTreeSet<_> = vectors().into_iter().filter_map(|vector| vector.reject).collect();
    assert_eq!(reasons, rejected);
}

#[test]
fn every_reason_is_in_the_documentation() {
    let documentation = include_str!("../../../docs/values.md");
    for reason in Reason::ALL {
        assert!(documentation.contains(&format!("\n| `{reason}` |")), "{reason}");
    }
}

#[test]
fn a_form_cut_anywhere_is_truncated() {
    for vector in accepted().iter().filter(|vector| vector.bytes.len() < 1_000) {
        let bytes = vector.bytes();
        for length in 0..bytes.len() {
            let Err(DecodeError::Malformed(fault)) = decode(&bytes[..length], length) else {
                panic!("{} cut to {length}", vector.name)
            };
            assert_eq!(fault.reason, Reason::Truncated, "{} cut to {length}", vector.name);
        }
    }
}

#[test]
fn a_form_with_one_byte_changed_is_refused_or_the_form_of_another_value() {
    for vector in accepted().iter().filter(|vector| vector.bytes.len() < 400) {
        let original = vector.bytes();
        for place in 0..original.len() {
            for change in 1..=u8::MAX {
                let mut bytes = original.clone();
                bytes[place] ^= change;
                if let Ok(value) = decode(&bytes, bytes.len()) {
                    assert_eq!(encode(&value).as_ref(), Ok(&bytes), "{}", vector.name);
                }
            }
        }
    }
}
