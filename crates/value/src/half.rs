//! IEEE 754 half precision, as CBOR's shortest floats and `Float16Array` need it.

/// The half with the same value, if there is one. NaN has none here: its one byte form is the caller's.
pub(crate) fn from_f64(value: f64) -> Option<u16> {
    let bits = value.to_bits();
    let sign = (bits >> 48) as u16 & 0x8000;
    if value == 0.0 {
        return Some(sign);
    }
    if value.is_infinite() {
        return Some(sign | 0x7c00);
    }
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023;
    let mantissa = bits & ((1 << 52) - 1);
    let (dropped, above) = match exponent {
        -14..=15 => (42, ((exponent + 15) as u64) << 10),
        // Subnormal: the leading one is written out.
        -24..=-15 => (42 + (-14 - exponent), 0),
        _ => return None,
    };
    let significand = if above == 0 { mantissa | 1 << 52 } else { mantissa };
    let exact = significand & ((1 << dropped) - 1) == 0;
    exact.then(|| sign | (above | significand >> dropped) as u16)
}

/// The value of a half.
pub(crate) fn to_f64(bits: u16) -> f64 {
    let magnitude = match (bits >> 10 & 0x1f, f64::from(bits & 0x3ff)) {
        (0, mantissa) => mantissa * f64::powi(2.0, -24),
        (0x1f, 0.0) => f64::INFINITY,
        (0x1f, _) => f64::NAN,
        (exponent, mantissa) => (1024.0 + mantissa) * f64::powi(2.0, i32::from(exponent) - 25),
    };
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_comes_back_from_its_value() {
        for bits in 0..=u16::MAX {
            let value = to_f64(bits);
            if value.is_nan() {
                assert_eq!(from_f64(value), None);
            } else {
                assert_eq!(from_f64(value), Some(bits), "{bits:04x}");
            }
        }
    }

    #[test]
    fn a_value_between_two_halves_has_none() {
        for value in [
            65_505.0,
            65_520.0,
            1.0 + f64::powi(2.0, -11),
            f64::powi(2.0, -25),
            1e300,
            f64::MIN_POSITIVE / 2.0,
        ] {
            assert_eq!(from_f64(value), None, "{value}");
        }
    }
}
