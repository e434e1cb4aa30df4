//! Times, to the millisecond.

use coset::cbor::Value;
use intermission_token::{Contents, Expected, Header, Protection, ReadError, SKEW, read};

use crate::forge;
use crate::kit::{self, FORMS, HOUR, NOW, expected, header, read_as, token_with};

fn read_at(header: &Header, now: u64, skew: u64) -> Vec<Result<Contents, ReadError>> {
    let keys = kit::keys();
    let read = |form| {
        let accept = [kit::protection(form, &keys)];
        read(token_with(b"", form, header).as_str(), &Expected { now, skew, ..expected(&accept) })
    };
    FORMS.map(read).to_vec()
}

#[test]
fn a_token_is_read_until_the_millisecond_before_its_expiry_and_the_skew() {
    for skew in [0, 1, SKEW] {
        let end = NOW + HOUR + skew;
        assert!(read_at(&header(), end - 1, skew).iter().all(Result::is_ok), "{skew}");
        let expired = Err(ReadError::Expired { expires: NOW + HOUR, now: end });
        assert_eq!(read_at(&header(), end, skew), vec![expired; 3], "{skew}");
    }
}

#[test]
fn a_token_from_the_future_is_refused_from_the_millisecond_after_the_skew() {
    for skew in [0, 1, SKEW] {
        let earliest = NOW - skew;
        assert!(read_at(&header(), earliest, skew).iter().all(Result::is_ok), "{skew}");
        assert_eq!(read_at(&header(), earliest - 1, skew), vec![Err(ReadError::Refused); 3], "{skew}");
    }
}

#[test]
fn a_token_without_expiry_is_read_for_ever() {
    let endless = Header { expires: None, ..header() };
    assert!(read_at(&endless, u64::MAX, u64::MAX).iter().all(Result::is_ok));
}

#[test]
fn the_greatest_times_neither_overflow_nor_wrap() {
    let late = Header { issued: u64::MAX, expires: Some(u64::MAX), ..header() };
    assert_eq!(read_at(&late, NOW, SKEW), vec![Err(ReadError::Refused); 3]);
    let at = u64::MAX / 1000 * 1000;
    assert_eq!(read_at(&late, at, 0), vec![Err(ReadError::Expired { expires: at, now: at }); 3]);
    assert!(read_at(&late, at - 1, 1000).iter().all(Result::is_ok));
}

#[test]
fn a_time_that_has_no_milliseconds_in_64_bits_is_refused() {
    for form in FORMS {
        for claim in [1, 2] {
            let mut claims = forge::claims();
            claims[claim].1 = Value::Integer((u64::MAX / 1000 + 1).into());
            assert_eq!(read_as(form, &forge::token_of(form, claims)), Err(ReadError::Refused));
        }
    }
}

#[test]
fn an_expired_token_of_another_audience_is_refused_not_expired() {
    let keys = kit::keys();
    let accept = [Protection::Sealed(&keys)];
    let token = token_with(b"", FORMS[0], &header());
    let other = Expected { audience: None, now: NOW + 9 * HOUR, ..expected(&accept) };
    assert_eq!(read(token.as_str(), &other), Err(ReadError::Refused));
}

#[test]
fn messages_say_what_to_do_and_nothing_of_the_token() {
    let expired = ReadError::Expired { expires: NOW, now: NOW + HOUR };
    assert_eq!(expired.code(), "TOKEN_EXPIRED");
    assert_eq!(
        expired.to_string(),
        "the token expired 3600 s ago (at 1767225600 s since 1970); ask for a new one"
    );
    assert_eq!(ReadError::Refused.code(), "TOKEN_REFUSED");
    assert_eq!(
        ReadError::Refused.to_string(),
        "the token is not accepted here; check that it is complete, that its key is among the keys given, that \
         audience and context are those that it was made for, that tokens of its form (sealed, signed, open) are \
         accepted, and that the clock is right"
    );
}
