//! One byte form: whoever has the key can still not write a second one.

use coset::cbor::Value;
use data_encoding::BASE64URL_NOPAD;
use intermission_token::{Form, ReadError};

use crate::forge::{self, Fields, bytes, claims, encode, envelope, int, protected, token_of};
use crate::kit::{FORMS, read_as, text_of};

const PAYLOAD: &[u8] = b"payload";

#[track_caller]
fn assert_refused(form: Form, cose: &[u8]) {
    assert_eq!(read_as(form, &text_of(cose)), Err(ReadError::Refused), "{form}: {cose:02x?}");
}

/// With this protected header, authenticated as it should be.
fn with(form: Form, fields: Fields) -> Vec<u8> {
    encode(&envelope(form, &encode(&Value::Map(fields)), PAYLOAD))
}

#[test]
fn a_header_or_claim_that_is_missing_moved_or_there_twice_is_refused() {
    for form in FORMS {
        let all = protected(form, 7);
        for at in 0..all.len() {
            let mut fields = all.clone();
            let removed = fields.remove(at);
            assert_refused(form, &with(form, fields.clone()));
            fields.insert((at + 1) % all.len(), removed.clone());
            assert_refused(form, &with(form, fields));
            assert_refused(form, &with(form, [vec![removed], all.clone()].concat()));
        }
        assert!(read_as(form, &token_of(form, claims())).is_ok());
        let refused = |claims| assert_eq!(read_as(form, &token_of(form, claims)), Err(ReadError::Refused));
        for at in 0..4 {
            let mut wrong = claims();
            let moved = wrong.remove(at);
            wrong.insert((at + 1) % 4, moved.clone());
            refused(wrong);
            refused([vec![moved], claims()].concat());
        }
        // Audience and expiry may be missing, but the audience was wanted here.
        for at in [0, 2, 3] {
            let mut wrong = claims();
            wrong.remove(at);
            refused(wrong);
        }
    }
}

#[test]
fn a_header_or_claim_that_is_unknown_or_of_another_type_is_refused() {
    for form in FORMS {
        let all = protected(form, 7);
        for (label, value) in [
            (int(2), Value::Array(vec![int(15)])),
            (int(3), int(60)),
            (int(-65540), int(1)),
            (Value::Text("a".into()), int(1)),
        ] {
            assert_refused(form, &with(form, [all.clone(), vec![(label.clone(), value.clone())]].concat()));
            assert_refused(form, &with(form, [vec![(label, value)], all.clone()].concat()));
        }
        for at in 0..all.len() {
            for other in
                [Value::Null, int(-1), int(0), bytes(b""), Value::Text("k1".into()), Value::Float(3.0)]
            {
                // A length of 0 says that the payload is not this one, which is refused later.
                let mut fields = all.clone();
                fields[at].1 = other;
                assert_refused(form, &with(form, fields));
            }
        }
    }
}

#[test]
fn a_longer_form_of_a_number_or_length_is_refused() {
    for form in FORMS {
        let header = encode(&Value::Map(protected(form, 7)));
        let longer = [
            // The map's head, and the length 7 at the end of its label.
            Some([&[0xb8, header[0] & 0x1f], &header[1..]].concat()),
            replace(&header, &[0x3a, 0, 1, 0, 1, 7], &[0x3a, 0, 1, 0, 1, 0x18, 7]),
            replace(&header, &[0x3a, 0, 1, 0, 1, 7], &[0x3b, 0, 0, 0, 0, 0, 1, 0, 1, 7]),
            replace(&header, b"\x66mailer", b"\x78\x06mailer"),
            replace(&header, b"\x66mailer", b"\x7f\x66mailer\xff"),
            replace(&header, b"\x50sixteen bytes id", b"\x58\x10sixteen bytes id"),
            replace(&header, b"\x50sixteen bytes id", b"\x5f\x50sixteen bytes id\xff"),
            Some([&[0xbf], &header[1..], &[0xff]].concat()),
            Some([&header[..], &[0]].concat()),
        ];
        for header in longer {
            assert_refused(form, &encode(&envelope(form, &header.unwrap(), PAYLOAD)));
        }
    }
}

#[test]
fn an_envelope_of_another_shape_is_refused() {
    for form in FORMS {
        let Value::Tag(tag, inner) = tagged(form) else { unreachable!() };
        let Value::Array(items) = *inner else { unreachable!() };
        let array = |items: Vec<Value>| Value::Array(items);
        let wrap = |tag, value| Value::Tag(tag, Box::new(value));
        let proper = match form {
            Form::Open => encode(&array(items.clone())),
            _ => encode(&wrap(tag, array(items.clone()))),
        };
        assert!(read_as(form, &text_of(&proper)).is_ok());
        let head = usize::from(form != Form::Open);
        let count = items.len() as u8;
        let mut shapes = vec![
            // The tag and the array's length in longer forms, an array without length, one more item, one item less.
            [&[0xd8, tag as u8], &proper[head..]].concat(),
            [&proper[..head], &[0x98, count], &proper[head + 1..]].concat(),
            [&proper[..head], &[0x9f], &proper[head + 1..], &[0xff]].concat(),
            encode(&wrap(tag, array([items.clone(), vec![bytes(b"")]].concat()))),
            encode(&wrap(tag, array(items[1..].to_vec()))),
            encode(&wrap(61, wrap(tag, array(items.clone())))),
            encode(&wrap(18, array(items.clone()))),
        ];
        if form != Form::Open {
            shapes.push(encode(&array(items.clone())));
            let mut unprotected = items.clone();
            unprotected[1] = Value::Map(vec![(int(4), bytes(b"k1"))]);
            shapes.push(encode(&wrap(tag, array(unprotected))));
        }
        for shape in shapes {
            assert_refused(form, &shape);
        }
    }
}

#[test]
fn one_form_in_the_clothes_of_another_is_refused() {
    for inner in FORMS {
        for outer in FORMS.into_iter().filter(|outer| *outer != inner) {
            let header = encode(&Value::Map(protected(inner, 7)));
            let disguised = encode(&envelope(outer, &header, PAYLOAD));
            assert_refused(outer, &disguised);
            assert_refused(inner, &disguised);
        }
    }
}

#[test]
fn a_text_that_is_no_canonical_base64url_is_refused() {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for form in FORMS {
        for length in 0..3 {
            let token = forge::token(form, &PAYLOAD[..length], length as u64);
            assert!(read_as(form, &token).is_ok());
            let refused = |text: &str| assert_eq!(read_as(form, text), Err(ReadError::Refused), "{text}");
            let encoded = token.strip_prefix("imt1_").unwrap();
            refused(encoded);
            for prefix in ["imt2_", "IMT1_", "imt1-", "imt1__"] {
                refused(&format!("{prefix}{encoded}"));
            }
            refused(&format!("{token}="));
            let standard = encoded.replace('-', "+").replace('_', "/");
            assert!(standard == encoded || read_as(form, &format!("imt1_{standard}")).is_err());
            refused(&format!("{}\n{}", &token[..20], &token[20..]));
            // Bits at the end that no byte is made of.
            let loose = match encoded.len() % 4 {
                2 => 4,
                3 => 2,
                _ => continue,
            };
            let last = ALPHABET.iter().position(|digit| Some(digit) == encoded.as_bytes().last()).unwrap();
            for bits in 1..1 << loose {
                let text = format!("{}{}", &token[..token.len() - 1], ALPHABET[last | bits] as char);
                assert!(BASE64URL_NOPAD.decode(&text.as_bytes()[5..]).is_err());
                refused(&text);
            }
        }
    }
}

/// Open tokens get a tag, which they don't have.
fn tagged(form: Form) -> Value {
    match envelope(form, &encode(&Value::Map(protected(form, 7))), PAYLOAD) {
        Value::Array(items) => Value::Tag(16, Box::new(Value::Array(items))),
        tagged => tagged,
    }
}

fn replace(bytes: &[u8], old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let at = bytes.windows(old.len()).position(|window| window == old)?;
    Some([&bytes[..at], new, &bytes[at + old.len()..]].concat())
}
