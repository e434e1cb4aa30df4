//! What is particular about JavaScript's Numbers.

use crate::form::MAX_SAFE_INTEGER;

/// ECMA-262's `SameValue` (`Object.is`): all NaNs are one, `0` and `-0` are two.
pub(crate) fn same(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
}

pub(crate) fn is_negative_zero(number: f64) -> bool {
    number == 0.0 && number.is_sign_negative()
}

/// The integer of the safe range that `number` is; `-0` is none.
pub(crate) fn as_safe_integer(number: f64) -> Option<i64> {
    let integer = number as i64;
    (integer.unsigned_abs() <= MAX_SAFE_INTEGER && same(integer as f64, number)).then_some(integer)
}
