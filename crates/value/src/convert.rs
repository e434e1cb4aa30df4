//! Values from Rust's own types.

use num_bigint::BigInt;

use crate::form::MAX_SAFE_INTEGER;
use crate::{ErrorCode, ErrorValue, JsString, Object, RegExp, SharedView, Value, View};

macro_rules! from {
    ($($type:ty => |$from:ident| $value:expr;)*) => {$(
        impl From<$type> for Value {
            fn from($from: $type) -> Self {
                $value
            }
        }
    )*};
}

from! {
    () => |_unit| Self::Null;
    bool => |bool| Self::Bool(bool);
    f64 => |number| Self::Number(number);
    f32 => |number| Self::Number(f64::from(number));
    u8 => |number| Self::Number(f64::from(number));
    i32 => |number| Self::Number(f64::from(number));
    u32 => |number| Self::Number(f64::from(number));
    &str => |text| Self::String(text.into());
    String => |text| Self::String(text.into());
    JsString => |string| Self::String(string);
    BigInt => |integer| Self::BigInt(integer);
    Object => |object| Self::Object(object);
    RegExp => |regexp| Self::RegExp(regexp);
    View => |view| Self::View(view);
    SharedView => |view| Self::SharedView(Box::new(view));
    ErrorValue => |error| Self::Error(Box::new(error));
}

/// A Number within the safe range, a BigInt beyond it.
impl From<i64> for Value {
    fn from(integer: i64) -> Self {
        Self::from(i128::from(integer))
    }
}

/// A Number within the safe range, a BigInt beyond it.
impl From<u64> for Value {
    fn from(integer: u64) -> Self {
        Self::from(i128::from(integer))
    }
}

/// A Number within the safe range, a BigInt beyond it.
impl From<i128> for Value {
    fn from(integer: i128) -> Self {
        if integer.unsigned_abs() <= u128::from(MAX_SAFE_INTEGER) {
            Self::Number(integer as f64)
        } else {
            Self::BigInt(integer.into())
        }
    }
}

impl From<ErrorCode> for Value {
    fn from(code: ErrorCode) -> Self {
        match code {
            ErrorCode::String(code) => Self::String(code),
            ErrorCode::Number(code) => Self::Number(code),
        }
    }
}

/// `None` is `null`.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(option: Option<T>) -> Self {
        option.map_or(Self::Null, Into::into)
    }
}

/// An array.
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(elements: Vec<T>) -> Self {
        Self::array(elements)
    }
}
