//! Sizes: what is too large, and what only says that it is not.

use intermission_token::{Expected, Limits, Part, ReadError, TooLarge, WriteError, read, write};

use crate::forge::{self, deflated};
use crate::kit::{self, CONTEXT, Counting, FORMS, LIMITS, expected, header, read_as, token};

#[test]
fn a_text_over_the_limit_is_not_even_looked_at() {
    let keys = kit::keys();
    for form in FORMS {
        let accept = [kit::protection(form, &keys)];
        let token = token(b"payload", form);
        let size = token.as_str().len();
        let limited = |token| Expected { limits: Limits { token, ..LIMITS }, ..expected(&accept) };
        assert!(read(token.as_str(), &limited(size)).is_ok());
        let too_large = TooLarge { part: Part::Token, allowed: size as u64 - 1, used: size as u64 };
        assert_eq!(read(token.as_str(), &limited(size - 1)), Err(ReadError::TooLarge(too_large)));
        assert_eq!(read(&"?".repeat(size), &limited(size - 1)), Err(ReadError::TooLarge(too_large)));
    }
}

#[test]
fn a_payload_over_the_limit_is_not_decompressed() {
    let keys = kit::keys();
    for form in FORMS {
        let accept = [kit::protection(form, &keys)];
        let token = token(&[0; 1000], form);
        let limited = |payload| Expected { limits: Limits { payload, ..LIMITS }, ..expected(&accept) };
        assert_eq!(read(token.as_str(), &limited(1000)).unwrap().payload, [0; 1000]);
        let too_large = TooLarge { part: Part::Payload, allowed: 999, used: 1000 };
        assert_eq!(read(token.as_str(), &limited(999)), Err(ReadError::TooLarge(too_large)));
    }
}

#[test]
fn nothing_is_written_that_a_reader_with_the_same_limits_finds_too_large() {
    let keys = kit::keys();
    for form in FORMS {
        let size = token(&[0; 1000], form).as_str().len();
        let write = |token, payload| {
            let limits = Limits { token, payload };
            write(&[0; 1000], &header(), CONTEXT, kit::protection(form, &keys), limits, &mut Counting(0))
        };
        assert!(write(size, 1000).is_ok());
        let token = TooLarge { part: Part::Token, allowed: size as u64 - 1, used: size as u64 };
        assert_eq!(write(size - 1, 1000), Err(WriteError::TooLarge(token)));
        let payload = TooLarge { part: Part::Payload, allowed: 999, used: 1000 };
        assert_eq!(write(size, 999), Err(WriteError::TooLarge(payload)));
    }
}

#[test]
fn too_large_says_what_by_how_much_and_what_to_do() {
    let token = TooLarge { part: Part::Token, allowed: 10, used: 11 };
    assert_eq!(
        WriteError::from(token).to_string(),
        "the token has 11 bytes, 10 are allowed: raise the limit, or keep tokens in a store"
    );
    let payload = TooLarge { part: Part::Payload, ..token };
    assert_eq!(
        ReadError::from(payload).to_string(),
        "the token's payload has 11 bytes, 10 are allowed: raise the limit, or keep tokens in a store"
    );
    assert_eq!(ReadError::from(token).code(), "TOKEN_TOO_LARGE");
    assert_eq!(WriteError::from(token).code(), "TOKEN_TOO_LARGE");
}

#[test]
fn a_stream_that_gives_more_or_less_than_the_header_says_is_refused() {
    let payload = vec![0; 100_000];
    let stream = deflated(&payload);
    for form in FORMS {
        assert_eq!(read_as(form, &forge::token(form, &stream, 100_000)).unwrap().payload, payload);
        for length in [0, 1, stream.len() as u64 - 1, stream.len() as u64 + 1, 1000, 99_999, 100_001] {
            assert_eq!(
                read_as(form, &forge::token(form, &stream, length)),
                Err(ReadError::Refused),
                "{length}"
            );
        }
    }
}

#[test]
fn bytes_behind_a_stream_or_missing_from_it_are_refused() {
    let stream = deflated(&[0; 1000]);
    let longer = [&stream[..], &[0]].concat();
    let shorter = &stream[..stream.len() - 1];
    for form in FORMS {
        for wrong in [&longer[..], shorter, &[], b"no stream"] {
            assert_eq!(read_as(form, &forge::token(form, wrong, 1000)), Err(ReadError::Refused));
        }
    }
}

#[test]
fn nothing_is_allocated_for_a_length_that_no_stream_gives() {
    let keys = kit::keys();
    let stream = deflated(&[0; 1000]);
    let limits = Limits { payload: usize::MAX, ..LIMITS };
    for form in FORMS {
        let accept = [kit::protection(form, &keys)];
        // Were it allocated, the process would not survive this.
        for length in [1 << 50, 1 << 62, u64::MAX] {
            let read = read(&forge::token(form, &stream, length), &Expected { limits, ..expected(&accept) });
            assert_eq!(read, Err(ReadError::Refused));
        }
    }
}
