//! Types of Rust as values and back.

use std::collections::BTreeMap;

use intermission_value::{
    ConvertError, ErrorCode, ErrorValue, JsString, RegExp, Value, View, ViewKind, from_value, to_value,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(rename_all = "camelCase")]
struct Everything {
    unit: (),
    flag: bool,
    small: i8,
    safe: i64,
    unsafe_int: i64,
    huge: u128,
    ratio: f64,
    single: f32,
    letter: char,
    text: String,
    none: Option<u8>,
    some: Option<u8>,
    bytes: ByteBuf,
    list: Vec<u16>,
    pair: (u8, String),
    newtype: Newtype,
    by_number: BTreeMap<i32, bool>,
    by_letter: BTreeMap<char, u8>,
    shapes: Vec<Shape>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Newtype(u32);

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
enum Shape {
    Point,
    Circle(f64),
    Line(i32, i32),
    Rectangle { width: u8 },
}

fn everything() -> Everything {
    Everything {
        unit: (),
        flag: true,
        small: -8,
        safe: 9_007_199_254_740_991,
        unsafe_int: i64::MIN,
        huge: u128::MAX,
        ratio: -0.5,
        single: 1.5,
        letter: 'ü',
        text: "t".into(),
        none: None,
        some: Some(1),
        bytes: ByteBuf::from([1, 255]),
        list: vec![1, 2],
        pair: (1, "p".into()),
        newtype: Newtype(7),
        by_number: BTreeMap::from([(-1, true), (10, false), (2, true)]),
        by_letter: BTreeMap::from([('a', 1)]),
        shapes: vec![Shape::Point, Shape::Circle(1.0), Shape::Line(-1, 2), Shape::Rectangle { width: 3 }],
    }
}

#[test]
fn every_type_has_its_value_and_comes_back() {
    let value = to_value(&everything()).unwrap();
    let text = concat!(
        "{unit: null, flag: true, small: -8, safe: 9007199254740991, unsafeInt: -9223372036854775808n, ",
        "huge: 340282366920938463463374607431768211455n, ratio: -0.5, single: 1.5, letter: \"ü\", text: \"t\", ",
        "none: null, some: 1, bytes: Uint8Array <01ff>, list: [1, 2], pair: [1, \"p\"], newtype: 7, ",
        "byNumber: {\"2\": true, \"10\": false, \"-1\": true}, byLetter: {a: 1}, ",
        "shapes: [\"Point\", {Circle: 1}, {Line: [-1, 2]}, {Rectangle: {width: 3}}]}",
    );
    assert_eq!(format!("{value:?}"), text);
    assert_eq!(from_value(value), Ok(everything()));
}

#[test]
fn values_that_types_can_take_are_taken() {
    fn taken<T: DeserializeOwned + PartialEq + std::fmt::Debug>(value: impl Into<Value>, expected: T) {
        assert_eq!(from_value::<T>(value.into()), Ok(expected));
    }
    let map = || Value::Map(vec![(1.into(), "a".into())]);
    let floats = View::new(ViewKind::Float32Array, 1.5_f32.to_le_bytes().to_vec()).unwrap();
    let error = ErrorValue {
        cause: Some(Value::Null),
        code: Some(ErrorCode::String("C".into())),
        ..ErrorValue::new("E", "m")
    };
    taken(Value::Undefined, None::<u8>);
    taken(Value::Array(vec![None, Some(1.into())]), vec![None, Some(1)]);
    taken(Value::BigInt(7.into()), 7_u8);
    taken(7, 7.0_f64);
    taken(map(), BTreeMap::from([(1, "a".to_owned())]));
    taken(map(), vec![(1, "a".to_owned())]);
    taken(Value::Set(vec![1.into(), 2.into()]), vec![1, 2]);
    taken(floats.clone(), vec![1.5]);
    taken(floats, ByteBuf::from(1.5_f32.to_le_bytes()));
    taken(Value::bytes(vec![1, 2]), vec![1, 2]);
    taken(Value::ArrayBuffer(vec![1, 2]), ByteBuf::from([1, 2]));
    taken(Value::array([1, 2]), ByteBuf::from([1, 2]));
    taken(Value::Date(Some(0)), "1970-01-01T00:00:00.000Z".to_owned());
    taken(Value::Date(None), None::<String>);
    taken(RegExp::new("a", "g").unwrap(), "/a/g".to_owned());
    taken(error.clone(), serde_json::json!({ "name": "E", "message": "m", "cause": null, "code": "C" }));
    taken(
        Value::array([Value::Shared(Box::new(Value::array([1]))), Value::Reference(0)]),
        vec![vec![1], vec![1]],
    );
    taken(
        Value::object([("value", Value::from(error.clone()))]),
        BTreeMap::from([("value".to_owned(), Value::from(error))]),
    );
}

#[test]
fn values_that_a_type_cannot_take_are_refused_with_their_place() {
    fn refused<T: DeserializeOwned + std::fmt::Debug>(value: Value, code: &str, message: &str) {
        let error = from_value::<T>(value).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (code, message));
    }
    let half = Value::from(JsString::from_utf16(&[0xd800]));
    refused::<Vec<u8>>(
        Value::array([1, 256]),
        "mismatch",
        "invalid value: integer `256`, expected u8 at [1]",
    );
    refused::<(u8,)>(Value::array([1, 2]), "mismatch", "invalid length 2, expected 1 elements");
    refused::<BTreeMap<String, Vec<Shape>>>(
        Value::object([("list", Value::array([Value::object([("Circle", "x")])]))]),
        "mismatch",
        "invalid type: string \"x\", expected f64 at .list[0].Circle",
    );
    refused::<Shape>(1.into(), "mismatch", "invalid type: number, expected enum Shape");
    refused::<Shape>("Circle".into(), "mismatch", "the variant Circle needs a content");
    refused::<BTreeMap<u8, u8>>(
        Value::Map(vec![(1.into(), 1.into()), ("x".into(), 1.into())]),
        "mismatch",
        "invalid type: string \"x\", expected u8 at <key 1>",
    );
    refused::<Vec<String>>(Value::array([half]), "lone-surrogate", "the string has a lone surrogate at [0]");
    refused::<Vec<u8>>(
        Value::Shared(Box::new(Value::array([Value::Reference(0)]))),
        "cycle",
        "the value contains itself at [0]",
    );
    refused::<i128>(
        Value::BigInt(num_bigint::BigInt::from(u128::MAX) * 2),
        "mismatch",
        "the bigint has more than 128 bits",
    );
}

#[test]
fn a_key_that_is_no_text_is_refused_with_its_place() {
    let map = BTreeMap::from([(vec![1], 1)]);
    let error = to_value(&[[map]]).unwrap_err();
    assert_eq!(error.to_string(), "a key must be a string at [0][0]");
    assert!(matches!(error, ConvertError::KeyType { .. }));
}

#[test]
fn a_value_is_json_to_a_format_for_people() {
    let value = Value::object([("at", Value::Date(Some(0))), ("n", Value::BigInt(1.into()))]);
    assert_eq!(serde_json::to_string(&value).unwrap(), r#"{"at":"1970-01-01T00:00:00.000Z","n":"1"}"#);
    let value: Value = serde_json::from_str(r#"{ "b": [null, 1.5], "1": 18446744073709551615 }"#).unwrap();
    assert_eq!(format!("{value:?}"), r#"{"1": 18446744073709551615n, b: [null, 1.5]}"#);
    let cycle = Value::Shared(Box::new(Value::array([Value::Reference(0)])));
    assert_eq!(serde_json::to_string(&cycle).unwrap_err().to_string(), "the value contains itself at [0]");
}
