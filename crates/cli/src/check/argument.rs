//! An argument as far as it is written out in the script.

use intermission_source::{Literal, ObjectLiteral};
use serde_json::{Map, Value as Json};

/// An argument of which some parts may not be known: variables, calls. They stand as `null`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Argument {
    pub(super) json: Json,
    /// JSON Pointers (RFC 6901) to what is not known.
    pub(super) unknown: Vec<String>,
    /// JSON Pointers to objects and arrays that may have more in them than is written there.
    pub(super) open: Vec<String>,
}

impl Argument {
    /// The first of a call's arguments, as a schema sees it: none is `null`.
    pub(super) fn first_of(arguments: &[Literal]) -> Self {
        let mut argument = Self::default();
        argument.json = match arguments.first() {
            None => Json::Null,
            Some(literal) => argument.take("", literal),
        };
        argument
    }

    /// The JSON at `pointer`, with what is not known of it noted down.
    fn take(&mut self, pointer: &str, literal: &Literal) -> Json {
        match literal {
            Literal::Undefined | Literal::Null => Json::Null,
            Literal::Boolean(bool) => (*bool).into(),
            Literal::Number(number) => json_number(*number),
            Literal::BigInt(digits) => digits.as_str().into(),
            Literal::String(text) => text.as_str().into(),
            Literal::Array(elements) => self.take_array(pointer, elements),
            Literal::Object(object) => self.take_object(pointer, object),
            Literal::Unknown | Literal::Spread => {
                self.unknown.push(pointer.to_owned());
                Json::Null
            }
        }
    }

    fn take_array(&mut self, pointer: &str, elements: &[Literal]) -> Json {
        // Behind a spread no element's place is known.
        let known = elements.iter().position(|element| *element == Literal::Spread);
        if known.is_some() {
            self.open.push(pointer.to_owned());
        }
        let elements = elements[..known.unwrap_or(elements.len())].iter().enumerate();
        elements.map(|(index, element)| self.take(&format!("{pointer}/{index}"), element)).collect()
    }

    fn take_object(&mut self, pointer: &str, object: &ObjectLiteral) -> Json {
        if object.open {
            self.open.push(pointer.to_owned());
        }
        let mut json = Map::new();
        for (key, value) in &object.entries {
            let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
            // What comes with a spread may stand in the place of what is written out.
            let value = if object.open { &Literal::Unknown } else { value };
            if *value != Literal::Undefined {
                json.insert(key.clone(), self.take(&pointer, value));
            }
        }
        json.into()
    }
}

/// A whole number without a fraction, as it is written.
fn json_number(number: f64) -> Json {
    let whole = number as i64;
    if whole as f64 == number { Json::from(whole) } else { Json::from(number) }
}

#[cfg(test)]
mod tests {
    use intermission_source::{Options, analyse};
    use serde_json::json;

    use super::Argument;

    fn argument(script: &str) -> Argument {
        let analysis = analyse(script, &Options::default()).unwrap();
        Argument::first_of(&analysis.calls.iter().find(|call| call.path == "f").unwrap().arguments)
    }

    #[test]
    fn what_is_written_out_is_json() {
        let argument = argument("f({ a: [1, 'x', , null, -2.5], 'b/c': { d: true, e: undefined } })");
        assert_eq!(argument.json, json!({ "a": [1, "x", null, null, -2.5], "b/c": { "d": true } }));
        assert_eq!((argument.unknown.len(), argument.open.len()), (0, 0));
    }

    #[test]
    fn what_is_not_written_out_is_pointed_at() {
        let argument = argument("f({ 'a/~': [x, 1], b: g() })");
        assert_eq!(argument.json, json!({ "a/~": [null, 1], "b": null }));
        assert_eq!(argument.unknown, ["/a~1~0/0", "/b"]);
    }

    #[test]
    fn a_spread_leaves_open_what_else_there_is() {
        let argument = argument("f({ a: 1, ...x, b: [1, ...y, 2] })");
        assert_eq!(argument.json, json!({ "a": null, "b": null }));
        assert_eq!(
            (argument.unknown, argument.open),
            (vec!["/a".to_owned(), "/b".to_owned()], vec![String::new()])
        );
    }

    #[test]
    fn elements_behind_a_spread_have_no_place() {
        let argument = argument("f([1, ...y, 2])");
        assert_eq!((argument.json, argument.open), (json!([1]), vec![String::new()]));
    }

    #[test]
    fn no_argument_is_null_and_a_spread_may_be_any() {
        assert_eq!(argument("f()"), Argument::default());
        assert_eq!(argument("f(...x)").unknown, [""]);
    }
}
