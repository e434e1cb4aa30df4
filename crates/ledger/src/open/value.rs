//! Encoded values as JSON: as themselves where that loses nothing, else as their bytes.

use data_encoding::BASE64URL_NOPAD;
use intermission_value::{Value, decode, encode};
use serde_json::{Value as Json, json};

use crate::entry::Encoded;

/// The key of a value that is its bytes.
const CBOR: &str = "$cbor";

/// JSON that nests deeper is refused by common readers before it is a ledger.
const MAX_JSON_DEPTH: usize = 64;

pub(super) fn to_json(bytes: &[u8]) -> Json {
    plain(bytes).unwrap_or_else(|| json!({ CBOR: BASE64URL_NOPAD.encode(bytes) }))
}

pub(super) fn from_json(json: &Json) -> Result<Encoded, String> {
    if let Some(text) = json.get(CBOR) {
        let bytes = text.as_str().and_then(|text| BASE64URL_NOPAD.decode(text.as_bytes()).ok());
        let alone = json.as_object().is_some_and(|object| object.len() == 1);
        return bytes
            .filter(|_| alone)
            .map(Encoded::from)
            .ok_or_else(|| format!("`{CBOR}` stands alone, over base64url without padding"));
    }
    if is_deeper(json, MAX_JSON_DEPTH) {
        return Err(format!("what nests deeper than {MAX_JSON_DEPTH} is written as `{CBOR}`"));
    }
    encode(&Value::from_json(json.clone())).map(Encoded::from).map_err(|why| why.to_string())
}

fn plain(bytes: &[u8]) -> Option<Json> {
    // What repeats itself is no plain JSON, and could be much larger as such.
    let value = decode(bytes, bytes.len()).ok()?.expand(0).ok()?;
    let json = value.to_json().ok()?;
    if is_deeper(&json, MAX_JSON_DEPTH) || json.get(CBOR).is_some() {
        return None;
    }
    let again = encode(&Value::from_json(json.clone())).ok()?;
    (again == bytes).then_some(json)
}

fn is_deeper(json: &Json, levels: usize) -> bool {
    let mut inside: Box<dyn Iterator<Item = &Json>> = match json {
        Json::Array(elements) => Box::new(elements.iter()),
        Json::Object(object) => Box::new(object.values()),
        _ => return false,
    };
    levels == 0 || inside.any(|json| is_deeper(json, levels - 1))
}
