//! Any value comes back from its bytes, and any bytes that are taken come back from their value.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod heap;

use heap::{heap, primitive, string};
use intermission_value::{
    DEFAULT_EXPANSION, DecodeError, EncodeError, JsString, Reason, Value, decode, encode, encode_into,
    first_difference, from_value, to_value, validate,
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_value_comes_back_from_its_bytes(heap in heap()) {
        let value = heap.value();
        let bytes = encode(&value).unwrap();
        let back = decode(&bytes, bytes.len()).unwrap();
        prop_assert_eq!(first_difference(&value, &back), None);
        prop_assert_eq!(encode(&back), Ok(bytes));
    }

    #[test]
    fn different_values_have_different_bytes(one in heap(), other in heap()) {
        let (one, other) = (one.value(), other.value());
        prop_assert_eq!(one == other, encode(&one) == encode(&other));
    }

    #[test]
    fn bytes_changed_at_will_are_refused_or_come_back(heap in heap(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut bytes = encode(&heap.value()).unwrap();
        for (place, byte) in changes {
            *place.get_mut(&mut bytes) = byte;
        }
        match decode(&bytes, bytes.len()) {
            Ok(value) => prop_assert_eq!(encode(&value), Ok(bytes)),
            Err(error) => prop_assert_eq!(validate(&bytes, bytes.len()), Err(error)),
        }
    }

    #[test]
    fn bytes_at_random_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(value) = decode(&bytes, bytes.len()) {
            prop_assert_eq!(encode(&value), Ok(bytes));
        }
    }

    #[test]
    fn an_expanded_value_has_no_references_and_the_same_json(heap in heap()) {
        let value = heap.value();
        if let Ok(tree) = value.clone().expand(DEFAULT_EXPANSION) {
            let bytes = encode(&tree).unwrap();
            prop_assert_eq!(decode(&bytes, bytes.len()).unwrap(), tree.clone());
            prop_assert_eq!(value.to_json(), tree.to_json());
            prop_assert_eq!(tree.clone().expand(0), Ok(tree));
        } else {
            prop_assert!(value.to_json().is_err());
        }
    }

    #[test]
    fn a_value_inside_of_a_type_comes_through_whole(heap in heap()) {
        if let Ok(tree) = heap.value().expand(DEFAULT_EXPANSION) {
            let wrapped = to_value(&(1, &tree)).unwrap();
            prop_assert_eq!(&wrapped[1], &tree);
            let (_, back): (u8, Value) = from_value(wrapped).unwrap();
            prop_assert_eq!(back, tree);
        }
    }

    #[test]
    fn the_limit_is_the_exact_size(heap in heap()) {
        let value = heap.value();
        let size = encode(&value).unwrap().len();
        let mut out = vec![7];
        prop_assert_eq!(encode_into(&value, &mut out, size - 1), Err(EncodeError::TooLarge { limit: size - 1 }));
        prop_assert_eq!(&out, &[7]);
        prop_assert_eq!(encode_into(&value, &mut out, size), Ok(()));
        prop_assert_eq!(decode(&out[1..], size), Ok(value));
        prop_assert_eq!(decode(&out[1..], size - 1), Err(DecodeError::TooLarge { size, limit: size - 1 }));
    }

    #[test]
    fn strings_come_back_from_their_units(string in string()) {
        prop_assert_eq!(JsString::from_utf16(&string.to_utf16()), string.clone());
        prop_assert_eq!(JsString::from_wtf8(string.as_bytes().to_vec()), Some(string));
    }

    #[test]
    fn primitives_have_one_form(value in primitive()) {
        let bytes = encode(&value).unwrap();
        prop_assert_eq!(decode(&bytes, bytes.len()), Ok(value));
    }

    #[test]
    fn every_time_of_a_date_comes_back(time in -8_640_000_000_000_000_i64..=8_640_000_000_000_000) {
        let date = Value::Date(Some(time));
        let bytes = encode(&date).unwrap();
        prop_assert_eq!(decode(&bytes, bytes.len()), Ok(date));
    }

    #[test]
    fn a_time_out_of_range_is_no_date(beyond in 1..i64::MAX - 8_640_000_000_000_000, before: bool) {
        let time = if before { -8_640_000_000_000_000 - beyond } else { 8_640_000_000_000_000 + beyond };
        let error = encode(&Value::Date(Some(time))).unwrap_err();
        prop_assert_eq!(error.code(), Reason::InvalidDate.code());
    }
}
