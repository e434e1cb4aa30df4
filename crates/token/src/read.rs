//! From a token back to its payload.

use std::borrow::Cow;
use std::fmt;

use crate::deflate::restore;
use crate::envelope::Envelope;
use crate::error::ReadError;
use crate::header::Header;
use crate::limits::Limits;
use crate::lock::{self, Bound};
use crate::protected::{Lock, Protected};
use crate::protection::{Form, Protection};
use crate::secret::Secret;
use crate::text;

/// How far two clocks may differ, in milliseconds, unless you know better: one minute.
pub const SKEW: u64 = 60_000;

/// What a reader accepts.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The forms, with the keys of each; every other is refused.
    pub accept: &'a [Protection<'a>],
    /// The audience: exactly this, or none where it is none.
    pub audience: Option<&'a str>,
    /// The context that the token was written with.
    pub context: &'a [u8],
    /// The time, in milliseconds since 1970.
    pub now: u64,
    /// By how many milliseconds the writer's clock may differ; see [`SKEW`].
    pub skew: u64,
    /// How large a token and its payload may be.
    pub limits: Limits,
}

/// What a token holds. `Debug` prints the payload's length alone: it is what was sealed.
#[derive(Clone, PartialEq, Eq)]
pub struct Contents {
    /// As it was given to [`write`](crate::write()).
    pub payload: Vec<u8>,
    /// The token's claims, its times in whole seconds.
    pub header: Header,
    /// The form in which it came. Nothing of an [`Form::Open`] one is authenticated.
    pub form: Form,
}

impl fmt::Debug for Contents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut contents = formatter.debug_struct("Contents");
        contents.field("payload", &format_args!("{} bytes", self.payload.len()));
        contents.field("header", &self.header).field("form", &self.form).finish()
    }
}

/// Takes back what [`write`](crate::write()) made into a token.
///
/// Checked in this order: the size of the text; that it is canonical, of a form and key that are accepted, unchanged and of
/// this context; audience and time; the size of the payload. What fails first is the error.
///
/// # Errors
///
/// - [`ReadError::TooLarge`] for a text over the limit, before it is looked at, and for a valid token whose payload is.
/// - [`ReadError::Expired`] for a valid token, from its expiry and the skew on.
/// - [`ReadError::Refused`] for everything else; also for a token issued later than now and the skew.
pub fn read(token: &str, expected: &Expected<'_>) -> Result<Contents, ReadError> {
    expected.limits.check_token(token.len())?;
    let bytes = text::decode(token).ok_or(ReadError::Refused)?;
    let Unlocked { kept, header, length, form } = unlock(&bytes, expected).ok_or(ReadError::Refused)?;
    check_claims(&header, expected)?;
    expected.limits.check_payload(length)?;
    let payload = usize::try_from(length).ok().and_then(|length| restore(kept, length));
    Ok(Contents { payload: payload.ok_or(ReadError::Refused)?, header, form })
}

/// What is behind the lock; the payload is still as it was kept.
struct Unlocked<'b> {
    kept: Cow<'b, [u8]>,
    header: Header,
    length: u64,
    form: Form,
}

fn unlock<'b>(bytes: &'b [u8], expected: &Expected<'_>) -> Option<Unlocked<'b>> {
    let envelope = Envelope::decode(bytes)?;
    let Protected { lock, header, length } = Protected::decode(envelope.protected())?;
    let bound = Bound { protected: envelope.protected(), context: expected.context };
    let (form, kept) = match (envelope, lock) {
        (Envelope::Sealed { ciphertext, .. }, Lock::Sealed { key, iv, salt }) => {
            let secret = find_secret(expected, Form::Sealed, key)?;
            (Form::Sealed, Cow::Owned(lock::unseal(secret, &salt, &iv, bound, ciphertext)?))
        }
        (Envelope::Signed { kept, tag, .. }, Lock::Signed { key, salt }) => {
            let secret = find_secret(expected, Form::Signed, key)?;
            lock::is_signed(secret, &salt, bound, kept, tag).then_some((Form::Signed, Cow::Borrowed(kept)))?
        }
        (Envelope::Open { kept, .. }, Lock::Open { context }) => {
            let open = expected.accept.iter().any(|accepted| matches!(accepted, Protection::Open));
            let same = context == lock::digest(expected.context);
            (open && same).then_some((Form::Open, Cow::Borrowed(kept)))?
        }
        _ => return None,
    };
    Some(Unlocked { kept, header, length, form })
}

fn find_secret<'a>(expected: &Expected<'a>, form: Form, id: &[u8]) -> Option<&'a Secret> {
    expected.accept.iter().filter(|accepted| accepted.form() == form).find_map(|accepted| match accepted {
        Protection::Sealed(keys) | Protection::Signed(keys) => Some(&keys.get(id)?.secret),
        Protection::Open => None,
    })
}

fn check_claims(header: &Header, expected: &Expected<'_>) -> Result<(), ReadError> {
    let Expected { audience, now, skew, .. } = *expected;
    if header.audience.as_deref() != audience || header.issued > now.saturating_add(skew) {
        return Err(ReadError::Refused);
    }
    match header.expires {
        Some(expires) if now >= expires.saturating_add(skew) => Err(ReadError::Expired { expires, now }),
        _ => Ok(()),
    }
}
