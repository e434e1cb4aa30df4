//! Bytes, decoded: never a panic; what is taken has one form; looking is as strict as taking.
#![no_main]

use intermission_value::{decode, encode, first_difference, validate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let decoded = decode(bytes, bytes.len());
    assert_eq!(decoded.as_ref().err(), validate(bytes, bytes.len()).as_ref().err());
    match decoded {
        Ok(value) => {
            assert_eq!(encode(&value).as_deref(), Ok(bytes));
            assert_eq!(first_difference(&value, &value.clone()), None);
            let _ = format!("{value:?}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
