//! What is written is read back.

use intermission_token::{Contents, Header, Protection, read, write};
use proptest::prelude::*;

use crate::kit::{self, CONTEXT, Counting, FORMS, LIMITS, NOW, bytes_of, expected, header, read_as, token};

/// Repeats itself as a ledger does.
fn repetitive(bytes: usize) -> Vec<u8> {
    b"\x84\x01kfiles.read\x81xreports".iter().copied().cycle().take(bytes).collect()
}

/// Bytes in which DEFLATE finds nothing.
fn noise(bytes: usize) -> Vec<u8> {
    let next =
        |state: &u64| Some(state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f));
    std::iter::successors(Some(1), next).map(|state| (state >> 56) as u8).take(bytes).collect()
}

#[test]
fn what_is_written_is_read_back_in_each_form() {
    for form in FORMS {
        for payload in [vec![], vec![0], repetitive(1), repetitive(40_000), noise(40_000)] {
            let contents = Contents { payload: payload.clone(), header: header(), form };
            assert_eq!(read_as(form, token(&payload, form).as_str()), Ok(contents), "{form}");
        }
    }
}

#[test]
fn a_payload_is_compressed_only_where_that_makes_it_smaller() {
    for (form, around) in FORMS.into_iter().zip([132, 136, 94]) {
        assert_eq!(bytes_of(&token(&noise(1000), form)).len(), 1000 + around, "{form}");
        assert!(bytes_of(&token(&repetitive(1000), form)).len() < 100 + around, "{form}");
    }
}

#[test]
fn a_sealed_token_hides_its_payload_and_a_signed_one_does_not() {
    let payload = b"the secret of the run";
    let shows = |form| bytes_of(&token(payload, form)).windows(payload.len()).any(|window| window == payload);
    assert_eq!(FORMS.map(shows), [false, true, true]);
}

#[test]
fn times_are_kept_in_whole_seconds() {
    let odd = Header { issued: NOW + 999, expires: Some(NOW + 5_001), ..header() };
    for form in FORMS {
        let read = read_as(form, kit::token_with(b"", form, &odd).as_str()).unwrap().header;
        assert_eq!((read.issued, read.expires), (NOW, Some(NOW + 5_000)));
    }
}

#[test]
fn two_tokens_of_one_payload_share_neither_salt_nor_ciphertext() {
    let keys = kit::keys();
    let make = || {
        write(&[0; 64], &header(), CONTEXT, Protection::Sealed(&keys), LIMITS, &mut rand::rng())
            .map(|token| bytes_of(&token))
    };
    let (one, other) = (make().unwrap(), make().unwrap());
    assert_eq!(one.len(), other.len());
    let shared = one.iter().zip(&other).rev().take_while(|(one, other)| one == other).count();
    assert!(shared < 16, "the last {shared} bytes are the same");
}

#[test]
fn debug_shows_nothing_of_a_payload() {
    let shown = format!("{:?}", read_as(FORMS[0], token(b"payload", FORMS[0]).as_str()).unwrap());
    assert!(
        shown.starts_with("Contents { payload: 7 bytes, header: Header { audience: Some(\"mailer\")"),
        "{shown}"
    );
}

#[test]
fn debug_shows_nothing_of_a_token_and_display_all_of_it() {
    let token = token(b"payload", FORMS[0]);
    assert_eq!(format!("{token:?}"), format!("Token(imt1_…, {} bytes)", token.as_str().len()));
    assert_eq!(token.to_string(), token.as_str());
    assert_eq!(token.as_str(), token.clone().into_string());
}

proptest! {
    #[test]
    fn anything_is_read_back_with_its_claims(
        payload: Vec<u8>,
        context: Vec<u8>,
        audience: Option<String>,
        issued in 0..=NOW / 1000,
        expires in proptest::option::of(NOW / 1000 + 1..=u64::MAX / 1000),
        id: [u8; 16],
        form in proptest::sample::select(&FORMS),
    ) {
        let keys = kit::keys();
        let accept = [kit::protection(form, &keys)];
        let header = Header { audience, issued: issued * 1000, expires: expires.map(|at| at * 1000), id };
        let token = write(&payload, &header, &context, accept[0], LIMITS, &mut Counting(0)).unwrap();
        let wanted = intermission_token::Expected {
            audience: header.audience.as_deref(),
            context: &context,
            ..expected(&accept)
        };
        prop_assert_eq!(read(token.as_str(), &wanted), Ok(Contents { payload, header: header.clone(), form }));
    }
}
