//! What the tests share: keys, a header, randomness that is none.

use std::convert::Infallible;

use data_encoding::BASE64URL_NOPAD;
use intermission_token::{
    Contents, Expected, Form, Header, Keys, Limits, Protection, ReadError, SKEW, Token, read, write,
};
use rand_core::{TryCryptoRng, TryRng};

/// The bytes 0 to 31.
pub(crate) const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
/// 2026-01-01 00:00 UTC.
pub(crate) const NOW: u64 = 1_767_225_600_000;
pub(crate) const HOUR: u64 = 3_600_000;
pub(crate) const LIMITS: Limits = Limits { token: 1 << 20, payload: 1 << 20 };
pub(crate) const CONTEXT: &[u8] = b"user 42";
pub(crate) const AUDIENCE: &str = "mailer";
pub(crate) const FORMS: [Form; 3] = [Form::Sealed, Form::Signed, Form::Open];

pub(crate) fn keys() -> Keys {
    Keys::parse(&format!("k1:{SECRET}")).unwrap()
}

pub(crate) fn header() -> Header {
    Header {
        audience: Some(AUDIENCE.into()),
        issued: NOW,
        expires: Some(NOW + HOUR),
        id: *b"sixteen bytes id",
    }
}

pub(crate) fn protection(form: Form, keys: &Keys) -> Protection<'_> {
    match form {
        Form::Sealed => Protection::Sealed(keys),
        Form::Signed => Protection::Signed(keys),
        Form::Open => Protection::Open,
    }
}

/// What reads a token of [`token`].
pub(crate) fn expected<'a>(accept: &'a [Protection<'a>]) -> Expected<'a> {
    Expected { accept, audience: Some(AUDIENCE), context: CONTEXT, now: NOW, skew: SKEW, limits: LIMITS }
}

pub(crate) fn token(payload: &[u8], form: Form) -> Token {
    token_with(payload, form, &header())
}

pub(crate) fn token_with(payload: &[u8], form: Form, header: &Header) -> Token {
    write(payload, header, CONTEXT, protection(form, &keys()), LIMITS, &mut Counting(0)).unwrap()
}

/// Reads as [`expected`] has it, accepting `form` alone.
pub(crate) fn read_as(form: Form, text: &str) -> Result<Contents, ReadError> {
    let keys = keys();
    read(text, &expected(&[protection(form, &keys)]))
}

pub(crate) fn bytes_of(token: &Token) -> Vec<u8> {
    BASE64URL_NOPAD.decode(&token.as_str().as_bytes()[5..]).unwrap()
}

pub(crate) fn text_of(bytes: &[u8]) -> String {
    format!("imt1_{}", BASE64URL_NOPAD.encode(bytes))
}

/// Gives the bytes 0, 1, 2 and so on: never for a token that anyone uses.
pub(crate) struct Counting(pub(crate) u8);

impl TryRng for Counting {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            *byte = self.0;
            self.0 = self.0.wrapping_add(1);
        }
        Ok(())
    }
}

impl TryCryptoRng for Counting {}
