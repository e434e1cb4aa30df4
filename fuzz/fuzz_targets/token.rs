//! Texts, and bytes as a token's, read in every form: never a panic; what is read was written with the key, or is open.
#![no_main]

use std::sync::LazyLock;

use data_encoding::BASE64URL_NOPAD;
use intermission_token::{Expected, Form, Keys, Limits, Protection, ReadError, SKEW, read};
use libfuzzer_sys::fuzz_target;

/// The museum's: most seeds are genuine with it.
static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let secret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    Keys::parse(&format!("k1:{secret}")).expect("a secret of 32 bytes")
});
const ID: &[u8; 16] = b"sixteen bytes id";
const LIMITS: Limits = Limits { token: 1 << 16, payload: 1 << 16 };

fuzz_target!(|input: &[u8]| {
    let text = match std::str::from_utf8(input) {
        Ok(text) if text.starts_with("imt1_") => text.to_owned(),
        _ => format!("imt1_{}", BASE64URL_NOPAD.encode(input)),
    };
    let expected = Expected {
        accept: &[Protection::Sealed(&KEYS), Protection::Signed(&KEYS), Protection::Open],
        audience: Some("mailer"),
        context: b"user 42",
        now: 1_767_225_600_000,
        skew: SKEW,
        limits: LIMITS,
    };
    match read(&text, &expected) {
        Ok(contents) => {
            assert!(contents.form == Form::Open || contents.header.id == *ID, "forged: {text}");
            assert!(contents.payload.len() <= LIMITS.payload);
        }
        Err(ReadError::TooLarge(too_large)) => assert!(too_large.used > too_large.allowed),
        Err(ReadError::Refused | ReadError::Expired { .. }) => {}
    }
});
