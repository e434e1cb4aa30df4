//! The museum: tokens of every version, each with a verdict that must never change.

use data_encoding::HEXLOWER;
use intermission_token::{Expected, Form, Header, Keys, Limits, Protection, read, write};
use serde_json::{Value as Json, json};

use crate::kit::{Counting, FORMS, protection};

const TOKENS: &str = include_str!("../../../../conformance/tokens/v1/tokens.jsonl");

#[test]
fn every_token_of_the_museum_gets_its_verdict() {
    for exhibit in exhibits() {
        let keys = Keys::parse(text(&exhibit, "keys")).unwrap();
        let verdict = match read(
            text(&exhibit, "token"),
            &expected(&exhibit, &accept(&exhibit, &keys), &bytes(&exhibit["context"])),
        ) {
            Ok(contents) => json!({
                "form": contents.form.to_string(),
                "header": {
                    "audience": contents.header.audience,
                    "issued": contents.header.issued,
                    "expires": contents.header.expires,
                    "id": HEXLOWER.encode(&contents.header.id),
                },
                "payload": HEXLOWER.encode(&contents.payload),
            }),
            Err(error) => json!({ "error": error.code() }),
        };
        for (field, value) in verdict.as_object().unwrap() {
            assert_eq!(&exhibit[field], value, "{}: {field}", exhibit["name"]);
        }
    }
}

#[test]
fn what_is_written_with_fixed_randomness_is_the_token_of_the_museum() {
    let mut written = Vec::new();
    for exhibit in exhibits().filter(|exhibit| exhibit["written"] == true) {
        let keys = Keys::parse(text(&exhibit, "keys")).unwrap();
        let form = form(text(&exhibit, "form"));
        let header = &exhibit["header"];
        let header = Header {
            audience: header["audience"].as_str().map(str::to_owned),
            issued: header["issued"].as_u64().unwrap(),
            expires: header["expires"].as_u64(),
            id: bytes(&header["id"]).try_into().unwrap(),
        };
        let (payload, context) = (bytes(&exhibit["payload"]), bytes(&exhibit["context"]));
        let token =
            write(&payload, &header, &context, protection(form, &keys), limits(&exhibit), &mut Counting(0));
        assert_eq!(token.unwrap().as_str(), exhibit["token"], "{}", exhibit["name"]);
        written.push(form);
    }
    assert_eq!(
        written,
        [[Form::Sealed; 3], [Form::Signed; 3]]
            .concat()
            .into_iter()
            .chain([Form::Open; 2])
            .collect::<Vec<_>>()
    );
}

fn exhibits() -> impl Iterator<Item = Json> {
    TOKENS.lines().map(|line| serde_json::from_str(line).unwrap())
}

fn expected<'a>(exhibit: &'a Json, accept: &'a [Protection<'a>], context: &'a [u8]) -> Expected<'a> {
    Expected {
        accept,
        audience: exhibit["audience"].as_str(),
        context,
        now: number(exhibit, "now"),
        skew: number(exhibit, "skew"),
        limits: limits(exhibit),
    }
}

fn accept<'a>(exhibit: &Json, keys: &'a Keys) -> Vec<Protection<'a>> {
    let forms = exhibit["accept"].as_array().unwrap().iter();
    forms.map(|name| protection(form(name.as_str().unwrap()), keys)).collect()
}

fn limits(exhibit: &Json) -> Limits {
    let limit = |field| number(exhibit, field).try_into().unwrap();
    Limits { token: limit("max_token"), payload: limit("max_payload") }
}

fn form(name: &str) -> Form {
    FORMS.into_iter().find(|form| form.to_string() == name).unwrap()
}

fn text<'a>(exhibit: &'a Json, field: &str) -> &'a str {
    exhibit[field].as_str().unwrap()
}

fn number(exhibit: &Json, field: &str) -> u64 {
    exhibit[field].as_u64().unwrap()
}

fn bytes(hexadecimal: &Json) -> Vec<u8> {
    HEXLOWER.decode(hexadecimal.as_str().unwrap().as_bytes()).unwrap()
}
