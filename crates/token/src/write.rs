//! From a payload to a token.

use rand_core::CryptoRng;

use crate::deflate::shrink;
use crate::envelope::Envelope;
use crate::error::WriteError;
use crate::header::Header;
use crate::limits::Limits;
use crate::lock::{self, Bound, Iv, Salt};
use crate::protected::{Lock, Protected};
use crate::protection::Protection;
use crate::text;
use crate::token::Token;

/// Makes a token of `payload`, compressed where that makes it smaller.
///
/// `context` is bound to the token without being in it: [`read`](crate::read()) must be given the same bytes. A sealed and a
/// signed token draw a salt from `random`, a sealed one also an initialization vector; an open one draws nothing.
///
/// # Errors
///
/// [`WriteError::TooLarge`] for a payload or a token over `limits`.
pub fn write(
    payload: &[u8],
    header: &Header,
    context: &[u8],
    protection: Protection<'_>,
    limits: Limits,
    random: &mut impl CryptoRng,
) -> Result<Token, WriteError> {
    limits.check_payload(payload.len() as u64)?;
    let kept = shrink(payload);
    let protect = |lock| Protected { lock, header: header.clone(), length: payload.len() as u64 }.encode();
    let bytes = match protection {
        Protection::Sealed(keys) => {
            let key = keys.first();
            let (salt, iv): (Salt, Iv) = (draw(random), draw(random));
            let protected = &protect(Lock::Sealed { key: key.id.as_str().as_bytes(), iv, salt });
            let ciphertext =
                lock::seal(&key.secret, &salt, &iv, Bound { protected, context }, kept.into_owned());
            Envelope::Sealed { protected, ciphertext: &ciphertext }.encode()
        }
        Protection::Signed(keys) => {
            let key = keys.first();
            let salt = draw(random);
            let protected = &protect(Lock::Signed { key: key.id.as_str().as_bytes(), salt });
            let tag = lock::sign(&key.secret, &salt, Bound { protected, context }, &kept);
            Envelope::Signed { protected, kept: &kept, tag: &tag }.encode()
        }
        Protection::Open => {
            let protected = &protect(Lock::Open { context: lock::digest(context) });
            Envelope::Open { protected, kept: &kept }.encode()
        }
    };
    limits.check_token(text::encoded_length(bytes.len()))?;
    Ok(Token::from(text::encode(&bytes)))
}

fn draw<const N: usize>(random: &mut impl CryptoRng) -> [u8; N] {
    let mut bytes = [0; N];
    random.fill_bytes(&mut bytes);
    bytes
}
