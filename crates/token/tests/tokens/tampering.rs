//! A token that is not the one that was written.

use intermission_token::{Expected, Form, Protection, ReadError, read};

use crate::kit::{self, FORMS, bytes_of, expected, read_as, text_of, token};

const PAYLOAD: &[u8] = b"a payload that is a little longer, a little longer than it has to be";

#[test]
fn a_sealed_or_signed_token_with_any_bit_changed_is_refused() {
    for form in [Form::Sealed, Form::Signed] {
        for changed in with_a_bit_changed(&bytes_of(&token(PAYLOAD, form))) {
            assert_eq!(read_as(form, &text_of(&changed)), Err(ReadError::Refused), "{form}");
        }
    }
}

#[test]
fn an_open_token_with_a_bit_changed_is_never_taken_for_what_it_was() {
    let token = token(b"short", Form::Open);
    let was = read_as(Form::Open, token.as_str()).unwrap();
    let bytes = bytes_of(&token);
    let read: Vec<_> =
        with_a_bit_changed(&bytes).map(|changed| read_as(Form::Open, &text_of(&changed))).collect();
    assert!(read.iter().all(|read| read.as_ref() != Ok(&was)));
    // Nothing guards the payload: each of its bits can be changed.
    let payload = &read[(bytes.len() - was.payload.len()) * 8..];
    assert!(payload.iter().all(Result::is_ok));
}

#[test]
fn a_token_with_any_character_changed_is_refused() {
    for form in [Form::Sealed, Form::Signed] {
        let token = token(PAYLOAD, form);
        for changed in with_a_bit_changed(token.as_str().as_bytes()) {
            let Ok(text) = std::str::from_utf8(&changed) else { continue };
            assert_eq!(read_as(form, text), Err(ReadError::Refused), "{form}: {text}");
        }
    }
}

#[test]
fn a_token_cut_anywhere_is_refused() {
    for form in FORMS {
        let token = token(PAYLOAD, form);
        for end in 0..token.as_str().len() {
            assert_eq!(read_as(form, &token.as_str()[..end]), Err(ReadError::Refused), "{form}, {end}");
        }
        let bytes = bytes_of(&token);
        for end in 0..bytes.len() {
            assert_eq!(read_as(form, &text_of(&bytes[..end])), Err(ReadError::Refused), "{form}, {end}");
        }
    }
}

#[test]
fn a_token_with_anything_behind_or_before_it_is_refused() {
    for form in FORMS {
        let token = token(PAYLOAD, form);
        for more in ["A", "AA", "AAA", "AAAA", "=", "==", " ", "\n", "\0", "imt1_"] {
            assert_eq!(read_as(form, &format!("{token}{more}")), Err(ReadError::Refused), "{form}");
            assert_eq!(read_as(form, &format!("{more}{token}")), Err(ReadError::Refused), "{form}");
        }
        for byte in 0..=255 {
            let longer = text_of(&[bytes_of(&token), vec![byte]].concat());
            assert_eq!(read_as(form, &longer), Err(ReadError::Refused), "{form}");
        }
    }
}

#[test]
fn only_the_forms_that_are_accepted_are_read() {
    let keys = kit::keys();
    for form in FORMS {
        let token = token(PAYLOAD, form);
        for accepted in FORMS {
            assert_eq!(read_as(accepted, token.as_str()).is_ok(), form == accepted, "{form} as {accepted}");
        }
        let others: Vec<_> = FORMS
            .into_iter()
            .filter(|other| *other != form)
            .map(|other| kit::protection(other, &keys))
            .collect();
        assert_eq!(read(token.as_str(), &expected(&others)), Err(ReadError::Refused));
        assert_eq!(read(token.as_str(), &expected(&[])), Err(ReadError::Refused));
        let all = FORMS.map(|form| kit::protection(form, &keys));
        assert_eq!(read(token.as_str(), &expected(&all)).unwrap().form, form);
    }
}

#[test]
fn another_context_or_audience_looks_like_any_other_refusal() {
    let keys = kit::keys();
    for form in FORMS {
        let accept = [kit::protection(form, &keys)];
        let token = token(PAYLOAD, form);
        let wanted = expected(&accept);
        for other in [
            Expected { context: b"user 43", ..wanted },
            Expected { context: b"", ..wanted },
            Expected { context: b"user 42\0", ..wanted },
            Expected { audience: Some("mailer2"), ..wanted },
            Expected { audience: Some("Mailer"), ..wanted },
            Expected { audience: Some(""), ..wanted },
            Expected { audience: None, ..wanted },
        ] {
            assert_eq!(read(token.as_str(), &other), Err(ReadError::Refused), "{other:?}");
        }
    }
}

#[test]
fn no_audience_is_an_audience_of_its_own() {
    let keys = kit::keys();
    let nobody = intermission_token::Header { audience: None, ..kit::header() };
    let accept = [Protection::Sealed(&keys)];
    let token = kit::token_with(PAYLOAD, Form::Sealed, &nobody);
    let read = |audience| read(token.as_str(), &Expected { audience, ..expected(&accept) }).is_ok();
    assert_eq!([read(None), read(Some("")), read(Some("mailer"))], [true, false, false]);
}

fn with_a_bit_changed(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..bytes.len() * 8).map(|bit| {
        let mut changed = bytes.to_vec();
        changed[bit / 8] ^= 1 << (bit % 8);
        changed
    })
}
