//! Values and bytes made to do harm.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::thread;

use intermission_value::{
    DecodeError, EncodeError, ErrorValue, MAX_DEPTH, Object, Path, Reason, Segment, SharedView, Value,
    ViewBuffer, ViewKind, decode, encode, first_difference, from_value, to_value, validate,
};

/// On the stack that a thread has by default, in a build without optimization.
fn on_two_mebibytes(test: fn()) {
    thread::Builder::new().stack_size(2 << 20).spawn(test).unwrap().join().unwrap();
}

/// `MAX_DEPTH` containers of each kind inside each other.
fn deep_values() -> Vec<Value> {
    let wrap: [fn(Value) -> Value; 7] = [
        |inner| Value::array([inner]),
        |inner| Value::object([("key", inner)]),
        |inner| Value::Map(vec![(inner, Value::Null)]),
        |inner| Value::Map(vec![(Value::Null, inner)]),
        |inner| Value::Set(vec![inner]),
        |inner| ErrorValue { cause: Some(inner), ..ErrorValue::new("Error", "m") }.into(),
        |inner| {
            let mut object = Object::with_null_prototype();
            object.insert("key", inner);
            object.into()
        },
    ];
    wrap.into_iter().map(|wrap| (0..MAX_DEPTH).fold(Value::Null, |inner, _| wrap(inner))).collect()
}

#[test]
fn the_greatest_depth_fits_a_small_stack() {
    on_two_mebibytes(|| {
        for value in deep_values() {
            let bytes = encode(&value).unwrap();
            let back = decode(&bytes, bytes.len()).unwrap();
            assert_eq!(validate(&bytes, bytes.len()), Ok(()));
            assert_eq!(back.clone(), value);
            assert_eq!(first_difference(&back, &Value::Null), Some(Path::default()));
            assert!(format!("{value:?}").len() > MAX_DEPTH);
            assert!(value.to_json().is_ok());
            assert_eq!(value.clone().expand(0).as_ref(), Ok(&value));
        }
    });
}

#[test]
fn the_greatest_depth_fits_a_small_stack_through_serde() {
    on_two_mebibytes(|| {
        for value in deep_values() {
            assert_eq!(to_value(&value).as_ref(), Ok(&value));
            assert_eq!(from_value::<Value>(value.clone()).as_ref(), Ok(&value));
        }
        let arrays = (0..MAX_DEPTH).fold(serde_json::Value::Null, |inner, _| serde_json::json!([inner]));
        let value = to_value(&arrays).unwrap();
        assert_eq!(value, Value::from_json(arrays.clone()));
        assert_eq!(from_value::<serde_json::Value>(value), Ok(arrays));
    });
}

#[test]
fn one_container_more_is_refused_with_its_place() {
    for value in deep_values() {
        let too_deep = Value::array([Value::Null, value]);
        let Err(EncodeError::Invalid { reason: Reason::TooDeep, path }) = encode(&too_deep) else { panic!() };
        assert_eq!(path.segments().len(), MAX_DEPTH);
        assert_eq!(path.segments()[0], Segment::Index(1));
    }
    let too_deep = (0..=MAX_DEPTH).fold(serde_json::Value::Null, |inner, _| serde_json::json!([inner]));
    assert_eq!(to_value(&too_deep).unwrap_err().code(), "too-deep");
}

#[test]
fn graphs_made_wrong_by_hand_are_refused_with_their_place() {
    let shared = |value: Value| Value::Shared(Box::new(value));
    let view = |buffer, byte_offset, byte_length| {
        Value::from(SharedView { kind: ViewKind::Uint16Array, buffer, byte_offset, byte_length })
    };
    let first = |size: usize| ViewBuffer::First(vec![0; size]);
    for (value, reason, path) in [
        (Value::array([Value::Null, Value::Reference(0)]), Reason::UnknownReference, "[1]"),
        (Value::object([("a", shared(Value::array([1])))]), Reason::UnusedShare, ".a"),
        (Value::array([shared(1.into()), Value::Reference(0)]), Reason::ShareTarget, "[0]"),
        (Value::array([shared(shared(Value::Set(vec![]))), Value::Reference(0)]), Reason::ShareTarget, "[0]"),
        (Value::Set(vec![1.into(), 1.into()]), Reason::DuplicateMember, "<member 1>"),
        (Value::Map(vec![((-0.0).into(), 1.into())]), Reason::NegativeZero, "<key 0>"),
        (Value::Map(vec![(0.into(), 1.into()), (0.into(), 1.into())]), Reason::DuplicateKey, "<key 1>"),
        (
            ErrorValue { errors: Some(1.into()), ..ErrorValue::new("E", "m") }.into(),
            Reason::ErrorFields,
            ".errors",
        ),
        (Value::array([view(first(2), 0, 2)]), Reason::UnusedShare, "[0]"),
        (Value::array([view(first(2), 0, 2), view(ViewBuffer::Again(0), 0, 4)]), Reason::ViewBounds, "[1]"),
        (
            Value::array([view(first(2), 0, 2), view(ViewBuffer::Again(0), 1, 0)]),
            Reason::ViewAlignment,
            "[1]",
        ),
        (Value::array([view(first(9), 0, 2), view(ViewBuffer::Again(0), 2, 2)]), Reason::ViewSpan, "[0]"),
        (
            Value::array([shared(Value::array([1])), view(ViewBuffer::Again(0), 0, 0)]),
            Reason::ReferenceTarget,
            "[1]",
        ),
    ] {
        let Err(EncodeError::Invalid { reason: found, path: place }) = encode(&value) else {
            panic!("{value:?}")
        };
        assert_eq!((found, place.to_string().as_str()), (reason, path), "{value:?}");
    }
}

#[test]
fn a_head_that_claims_more_than_is_left_is_refused_at_once() {
    for (bytes, offset) in [
        (&[0x9b, 0, 0, 1, 0, 0, 0, 0, 0][..], 0),
        // The inner array would fit, were there not three items of the outer one still to come.
        (&[0x84, 0x84, 1, 2, 3, 4], 1),
        // An entry takes two bytes or more.
        (&[0xa3, 0x61, 0x61, 1, 2, 3], 0),
        (&[0x82, 0xd9, 0x01, 0x03, 0xa2, 1, 2, 3, 4], 1),
    ] {
        let Err(DecodeError::Malformed(fault)) = decode(bytes, bytes.len()) else { panic!("{bytes:?}") };
        assert_eq!((fault.reason, fault.offset), (Reason::Truncated, offset), "{bytes:?}");
    }
}

#[test]
fn many_keys_take_no_quadratic_time() {
    // A hundred thousand keys compared with each other would take minutes.
    let count = 100_000;
    let numbers = || (0..count).map(Value::from);
    let map = Value::Map(numbers().map(|number| (number, Value::Null)).collect());
    let object = Value::object((0..count).map(|number| (format!("key {number}"), Value::Null)));
    for value in [Value::Set(numbers().collect()), map, object] {
        let bytes = encode(&value).unwrap();
        assert_eq!(decode(&bytes, bytes.len()), Ok(value));
    }
}

#[test]
fn keys_in_descending_order_take_no_quadratic_time() {
    let json = (0..100_000).rev().map(|index| (index.to_string(), serde_json::Value::Null)).collect();
    let value = Value::from_json(serde_json::Value::Object(json));
    assert!(value.as_object().unwrap().keys().next().unwrap() == "0");
}
