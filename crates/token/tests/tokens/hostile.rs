//! Texts that nobody wrote.

use intermission_token::{Form, ReadError};
use proptest::prelude::*;

use crate::kit::{FORMS, bytes_of, read_as, text_of, token};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn any_text_is_refused(text: String, encoded in "imt1_[A-Za-z0-9_-]{0,400}", bytes: Vec<u8>) {
        for text in [text, encoded, text_of(&bytes)] {
            for form in FORMS {
                prop_assert_eq!(read_as(form, &text), Err(ReadError::Refused));
            }
        }
    }

    #[test]
    fn any_change_of_a_token_is_refused(
        form in proptest::sample::select(&[Form::Sealed, Form::Signed]),
        at: proptest::sample::Index,
        removed in 0_usize..8,
        added: Vec<u8>,
    ) {
        let bytes = bytes_of(&token(b"some payload", form));
        let at = at.index(bytes.len() + 1);
        let end = (at + removed).min(bytes.len());
        let changed = [&bytes[..at], &added, &bytes[end..]].concat();
        prop_assume!(changed != bytes);
        prop_assert_eq!(read_as(form, &text_of(&changed)), Err(ReadError::Refused));
    }

    #[test]
    fn a_change_of_an_open_token_never_panics(
        at: proptest::sample::Index,
        removed in 0_usize..8,
        added: Vec<u8>,
    ) {
        let bytes = bytes_of(&token(&[7; 100], Form::Open));
        let at = at.index(bytes.len() + 1);
        let end = (at + removed).min(bytes.len());
        let _ = read_as(Form::Open, &text_of(&[&bytes[..at], &added, &bytes[end..]].concat()));
    }
}
