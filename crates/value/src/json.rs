//! Values as JSON and back.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Number, Value as Json};

use crate::decode::{Builder, Container, Sink, Text};
use crate::expand::{DEFAULT_EXPANSION, ExpandError, tree};
use crate::object::sort_keys;
use crate::walk::{Step, Walk};
use crate::{Element, Value, View, ViewKind, iso_date};

impl Value {
    /// The value as JSON, for people and for programs that know nothing else.
    ///
    /// What JSON has is itself. For the rest `JSON.stringify` is the model, and where that would lose everything, something
    /// readable stands in:
    ///
    /// | value | JSON |
    /// |---|---|
    /// | `undefined` as a property | left out |
    /// | `undefined` elsewhere, a hole | `null` |
    /// | NaN, infinities | `null` |
    /// | `-0` | `0` |
    /// | BigInt | its decimal digits, a string |
    /// | a lone surrogate | U+FFFD |
    /// | Date | `toISOString()`, or `null` |
    /// | RegExp | `"/source/flags"` |
    /// | Map | an array of `[key, value]` |
    /// | Set | an array |
    /// | ArrayBuffer, DataView, `Uint8Array`, `Uint8ClampedArray` | base64 with padding (RFC 4648, 4) |
    /// | other typed arrays | an array of their elements |
    /// | Error | an object: `name`, `message`, `cause`, `errors`, `code` |
    /// | an object met again | written out again |
    ///
    /// ```
    /// use intermission_value::Value;
    ///
    /// let value = Value::object([("at", Value::Date(Some(0))), ("big", Value::from(u64::MAX)), ("no", Value::Undefined)]);
    /// assert_eq!(value.to_json()?.to_string(), r#"{"at":"1970-01-01T00:00:00.000Z","big":"18446744073709551615"}"#);
    /// # Ok::<(), intermission_value::ExpandError>(())
    /// ```
    ///
    /// # Errors
    /// As [`expand`](Self::expand) with [`DEFAULT_EXPANSION`]: the value contains itself, or repeats too much.
    pub fn to_json(&self) -> Result<Json, ExpandError> {
        let tree = tree(self, DEFAULT_EXPANSION)?;
        let mut writer = Writer::default();
        Walk::new(&tree).for_each(|step| writer.step(&step));
        Ok(writer.done)
    }

    /// The value that `JSON.parse` makes of the same text: every number is a Number, the nearest one to it.
    ///
    /// ```
    /// use intermission_value::Value;
    ///
    /// let value = Value::from_json(serde_json::json!({ "b": [1, null], "0": u64::MAX }));
    /// assert_eq!(format!("{value:?}"), r#"{"0": 18446744073709552000, b: [1, null]}"#);
    /// ```
    pub fn from_json(json: Json) -> Self {
        let mut tree = Builder::default();
        let mut open = Vec::new();
        let mut next = Some(json);
        loop {
            match next.take() {
                Some(Json::Array(elements)) => {
                    tree.open(Container::Array, elements.len());
                    open.push(Rest::Array(elements.into_iter()));
                }
                Some(Json::Object(object)) => {
                    let mut entries: Vec<_> = object.into_iter().collect();
                    sort_keys(&mut entries, String::as_bytes);
                    tree.open(Container::Object { null_prototype: false }, entries.len());
                    open.push(Rest::Object(entries.into_iter()));
                }
                Some(Json::Null) => tree.put(Self::Null),
                Some(Json::Bool(bool)) => tree.put(bool.into()),
                Some(Json::Number(number)) => tree.put(number.as_f64().unwrap_or(f64::NAN).into()),
                Some(Json::String(text)) => tree.put(text.into()),
                None => {}
            }
            next = match open.last_mut() {
                None => return tree.finish(),
                Some(Rest::Array(elements)) => elements.next(),
                Some(Rest::Object(entries)) => entries.next().map(|(key, value)| {
                    tree.key(Text::Utf8(&key));
                    value
                }),
            };
            if next.is_none() {
                open.pop();
                tree.close();
            }
        }
    }
}

/// As [`Value::from_json`].
impl From<Json> for Value {
    fn from(json: Json) -> Self {
        Self::from_json(json)
    }
}

enum Rest {
    Array(std::vec::IntoIter<Json>),
    Object(std::vec::IntoIter<(String, Json)>),
}

#[derive(Default)]
struct Writer {
    open: Vec<Partial>,
    done: Json,
}

enum Partial {
    Array(Vec<Json>),
    Object(Map<String, Json>, String),
    /// The entries of a Map, and the key of the next.
    Entries(Vec<Json>, Option<Json>),
}

impl Writer {
    fn step(&mut self, step: &Step<'_>) {
        match step {
            Step::Leaf(value) => self.put(leaf(value)),
            Step::Hole => self.put(None),
            Step::Key(key) => self.key(key.to_string()),
            Step::Field(field) => self.key(field.name().to_owned()),
            Step::Open(value) => self.open(value),
            Step::Close(value) => self.close(value),
            Step::Share(_) => {}
        }
    }

    fn open(&mut self, value: &Value) {
        self.open.push(match value {
            Value::Array(elements) => Partial::Array(Vec::with_capacity(elements.len())),
            Value::Set(members) => Partial::Array(Vec::with_capacity(members.len())),
            Value::Map(entries) => Partial::Entries(Vec::with_capacity(entries.len()), None),
            _ => Partial::Object(Map::new(), String::new()),
        });
        if let Value::Error(error) = value {
            self.property("name", Json::String(error.name.to_string()));
            self.property("message", Json::String(error.message.to_string()));
        }
    }

    fn close(&mut self, value: &Value) {
        if let Value::Error(error) = value
            && let Some(code) = &error.code
        {
            self.key("code".to_owned());
            self.put(leaf(&code.clone().into()));
        }
        let json = match self.open.pop() {
            Some(Partial::Array(elements) | Partial::Entries(elements, _)) => Json::Array(elements),
            Some(Partial::Object(object, _)) => Json::Object(object),
            None => return,
        };
        self.put(Some(json));
    }

    fn property(&mut self, key: &str, value: Json) {
        self.key(key.to_owned());
        self.put(Some(value));
    }

    fn key(&mut self, key: String) {
        if let Some(Partial::Object(_, next)) = self.open.last_mut() {
            *next = key;
        }
    }

    /// The next value; `undefined` is `None`.
    fn put(&mut self, json: Option<Json>) {
        match self.open.last_mut() {
            None => self.done = json.unwrap_or_default(),
            Some(Partial::Array(elements)) => elements.push(json.unwrap_or_default()),
            Some(Partial::Object(object, key)) => {
                if let Some(json) = json {
                    object.insert(std::mem::take(key), json);
                }
            }
            Some(Partial::Entries(entries, key)) => match key.take() {
                None => *key = Some(json.unwrap_or_default()),
                Some(key) => entries.push(Json::Array(vec![key, json.unwrap_or_default()])),
            },
        }
    }
}

/// A value that holds no others; `undefined` is `None`.
fn leaf(value: &Value) -> Option<Json> {
    Some(match value {
        Value::Undefined => return None,
        Value::Bool(bool) => Json::Bool(*bool),
        Value::Number(number) => self::number(*number),
        Value::BigInt(integer) => Json::String(integer.to_string()),
        Value::String(string) => Json::String(string.to_string()),
        Value::Date(Some(time)) => Json::String(iso_date::format(*time)),
        Value::RegExp(regexp) => Json::String(regexp.to_literal().to_string()),
        Value::ArrayBuffer(bytes) => Json::String(STANDARD.encode(bytes)),
        Value::View(view) => self::view(view),
        _ => Json::Null,
    })
}

/// Integers without a fraction, as JavaScript writes them.
fn number(number: f64) -> Json {
    let integer = number as i64;
    if integer as f64 == number && integer != i64::MAX {
        Json::Number(integer.into())
    } else {
        Number::from_f64(number).map_or(Json::Null, Json::Number)
    }
}

fn view(view: &View) -> Json {
    match view.kind() {
        ViewKind::DataView | ViewKind::Uint8Array | ViewKind::Uint8ClampedArray => {
            Json::String(STANDARD.encode(view.bytes()))
        }
        kind => view.elements().map(|element| self::element(kind, element)).collect(),
    }
}

fn element(kind: ViewKind, element: Element) -> Json {
    let is_bigint = matches!(kind, ViewKind::BigInt64Array | ViewKind::BigUint64Array);
    match element {
        Element::Unsigned(integer) if is_bigint => Json::String(integer.to_string()),
        Element::Signed(integer) if is_bigint => Json::String(integer.to_string()),
        Element::Unsigned(integer) => Json::Number(integer.into()),
        Element::Signed(integer) => Json::Number(integer.into()),
        Element::Float(number) => self::number(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorCode, ErrorValue, JsString, RegExp};
    use serde_json::json;

    fn view(kind: ViewKind, bytes: &[u8]) -> Value {
        View::new(kind, bytes.to_vec()).unwrap().into()
    }

    #[test]
    fn what_json_has_goes_both_ways() {
        let json =
            json!({ "a": [1, -2, 1.5, "x", null, true, {}, []], "b": { "c": 9_007_199_254_740_991_i64 } });
        assert_eq!(Value::from_json(json.clone()).to_json(), Ok(json));
    }

    #[test]
    fn what_json_has_not_gets_a_stand_in() {
        let error = ErrorValue {
            cause: Some(Value::Undefined),
            errors: Some(Value::array([Value::Undefined])),
            code: Some(ErrorCode::String("C".into())),
            ..ErrorValue::new("E", "m")
        };
        for (value, json) in [
            (Value::Undefined, json!(null)),
            (Value::object([("a", Value::Undefined)]), json!({})),
            (Value::Array(vec![None, Some(Value::Undefined)]), json!([null, null])),
            (Value::array([f64::NAN, f64::INFINITY, -0.0]), json!([null, null, 0])),
            (Value::from(f64::powi(2.0, 60)), json!(1_152_921_504_606_846_976_i64)),
            (Value::from(f64::powi(2.0, 64)), json!(f64::powi(2.0, 64))),
            (Value::from(-f64::powi(2.0, 63)), json!(i64::MIN)),
            (Value::from(i64::MIN), json!("-9223372036854775808")),
            (JsString::from_utf16(&[0x61, 0xd800]).into(), json!("a\u{fffd}")),
            (Value::Date(None), json!(null)),
            (RegExp::new("a", "gi").unwrap().into(), json!("/a/gi")),
            (
                Value::Map(vec![(Value::array([1]), Value::Undefined), (Value::Map(vec![]), 2.into())]),
                json!([[[1], null], [[], 2]]),
            ),
            (Value::Set(vec![Value::Undefined, 1.into()]), json!([null, 1])),
            (Value::ArrayBuffer(vec![0, 255]), json!("AP8=")),
            (Value::bytes(vec![1]), json!("AQ==")),
            (view(ViewKind::DataView, &[1, 2]), json!("AQI=")),
            (view(ViewKind::Int8Array, &[255]), json!([-1])),
            (view(ViewKind::Float32Array, &1.5_f32.to_le_bytes()), json!([1.5])),
            (view(ViewKind::BigInt64Array, &[255; 8]), json!(["-1"])),
            (view(ViewKind::BigUint64Array, &[255; 8]), json!(["18446744073709551615"])),
            (error.into(), json!({ "name": "E", "message": "m", "errors": [null], "code": "C" })),
            (
                Value::array([Value::Shared(Box::new(Value::array([1]))), Value::Reference(0)]),
                json!([[1], [1]]),
            ),
        ] {
            assert_eq!(value.to_json().as_ref(), Ok(&json), "{value:?}");
        }
    }

    #[test]
    fn keys_from_json_stand_in_the_order_of_javascript() {
        let json: Json = serde_json::from_str(r#"{ "b": 1, "10": 2, "9": 3 }"#).unwrap();
        assert_eq!(format!("{:?}", Value::from(json)), r#"{"9": 3, "10": 2, b: 1}"#);
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = (0..1_000).fold(json!(1), |inner, _| Json::Array(vec![inner]));
        let value = Value::from_json(deep.clone());
        assert_eq!(value.to_json(), Ok(deep));
    }
}
