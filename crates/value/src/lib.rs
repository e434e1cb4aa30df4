//! The values that cross the boundary between a script and its host, and their one canonical byte form.
//!
//! A [`Value`] is what JavaScript would call one: `undefined` and holes, `BigInt`s, Maps and Sets, typed arrays, errors,
//! cycles. [`encode`] gives its bytes, [`decode`] takes them back and refuses every other form with a named [`Reason`], so two
//! values are the same where their bytes are. The form is CBOR ([RFC 8949](https://www.rfc-editor.org/rfc/rfc8949)) in the
//! profile of `docs/values.md`.
//!
//! ```
//! use intermission_value::{Value, decode, encode};
//!
//! let call = Value::array([Value::object([("to", "ann@example.com"), ("subject", "Hello")])]);
//! let bytes = encode(&call)?;
//! assert_eq!(decode(&bytes, 1 << 20)?, call);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here reads a clock, draws a random number or recurses by the depth of its input.

mod convert;
mod debug;
mod decode;
mod difference;
mod encode;
mod error_value;
mod expand;
mod form;
mod half;
mod iso_date;
mod js_string;
mod json;
mod number;
mod object;
mod path;
mod reason;
mod regexp;
mod serde;
mod value;
mod view;
mod walk;
mod wtf8;

pub use self::decode::{DecodeError, Fault, Validator, decode, validate};
pub use self::difference::first_difference;
pub use self::encode::{EncodeError, encode, encode_into};
pub use self::error_value::{ErrorCode, ErrorValue};
pub use self::expand::{DEFAULT_EXPANSION, ExpandError};
pub use self::form::{MAX_DEPTH, MAX_SAFE_INTEGER};
pub use self::js_string::JsString;
pub use self::object::{Iter, Object};
pub use self::path::{Path, Segment};
pub use self::reason::Reason;
pub use self::regexp::RegExp;
pub use self::serde::{ConvertError, from_value, to_value};
pub use self::value::Value;
pub use self::view::{Element, SharedView, View, ViewBuffer, ViewKind};
