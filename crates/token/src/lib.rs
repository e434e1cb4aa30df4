//! A continuation's bytes as a text that can be handed out, and back.
//!
//! [`write()`] turns a payload into a [`Token`]: text that begins with `imt1_` and holds COSE
//! ([RFC 9052](https://www.rfc-editor.org/rfc/rfc9052)). [`read()`] takes it back, and only in the ways that it was told to
//! accept. A token is **sealed** (encrypted and authenticated), **signed** (authenticated, readable by anyone) or **open**
//! (neither); [`Protection`] says which. The format is `docs/tokens.md`.
//!
//! ```
//! use intermission_token::{Expected, Header, Keys, Limits, Protection, SKEW, read, write};
//!
//! let keys = Keys::parse("k1:Zm9yIGRvY3VtZW50YXRpb24sIG5ldmVyIGZvciB1c2U")?;
//! let sealed = Protection::Sealed(&keys);
//! let limits = Limits { token: 1 << 20, payload: 16 << 20 };
//!
//! let now = 1_767_225_600_000;
//! let header = Header { audience: Some("mailer".into()), issued: now, expires: Some(now + 3_600_000), id: [7; 16] };
//! let token = write(b"where we were", &header, b"user 42", sealed, limits, &mut rand::rng())?;
//!
//! let expected =
//!     Expected { accept: &[sealed], audience: Some("mailer"), context: b"user 42", now, skew: SKEW, limits };
//! assert_eq!(read(token.as_str(), &expected)?.payload, b"where we were");
//!
//! let other = Expected { context: b"user 43", ..expected };
//! assert_eq!(read(token.as_str(), &other).unwrap_err().code(), "TOKEN_REFUSED");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here reads a clock or draws a random number of its own: both come in as arguments. Nothing is decompressed,
//! and no claim is believed, before it is authenticated (an open token never is).

mod cbor;
mod deflate;
mod envelope;
mod error;
mod header;
mod keys;
mod limits;
mod lock;
mod protected;
mod protection;
mod read;
mod secret;
mod text;
mod token;
mod write;

pub use self::error::{KeyError, ReadError, WriteError};
pub use self::header::Header;
pub use self::keys::{Key, KeyId, Keys};
pub use self::limits::{Limits, Part, TooLarge};
pub use self::protection::{Form, Protection};
pub use self::read::{Contents, Expected, SKEW, read};
pub use self::secret::Secret;
pub use self::text::PREFIX;
pub use self::token::Token;
pub use self::write::write;
