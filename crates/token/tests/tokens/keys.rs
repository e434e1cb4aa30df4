//! Keys, their texts and their rotation.

use intermission_token::{Form, Key, KeyError, KeyId, Keys, Protection, ReadError, Secret, read};

use crate::kit::{self, SECRET, expected, token};

const OTHER: &str = "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f";

fn read_with(keys: &str, form: Form) -> Result<Vec<u8>, ReadError> {
    let keys = Keys::parse(keys).unwrap();
    read(token(b"payload", form).as_str(), &expected(&[kit::protection(form, &keys)]))
        .map(|read| read.payload)
}

#[test]
fn an_old_key_reads_until_it_is_dropped() {
    for form in [Form::Sealed, Form::Signed] {
        assert_eq!(read_with(&format!("k1:{SECRET}"), form), Ok(b"payload".to_vec()));
        assert_eq!(read_with(&format!("k2:{OTHER},k1:{SECRET}"), form), Ok(b"payload".to_vec()));
        assert_eq!(read_with(&format!("k2:{OTHER}"), form), Err(ReadError::Refused));
    }
}

#[test]
fn a_key_of_the_same_id_or_the_same_secret_alone_is_not_the_key() {
    for form in [Form::Sealed, Form::Signed] {
        assert_eq!(read_with(&format!("k1:{OTHER}"), form), Err(ReadError::Refused));
        assert_eq!(read_with(&format!("k2:{SECRET}"), form), Err(ReadError::Refused));
    }
}

#[test]
fn new_tokens_are_written_with_the_first_key() {
    let both = Keys::parse(&format!("k2:{OTHER},k1:{SECRET}")).unwrap();
    let second = Keys::parse(&format!("k2:{OTHER}")).unwrap();
    let token = intermission_token::write(
        b"new",
        &kit::header(),
        kit::CONTEXT,
        Protection::Signed(&both),
        kit::LIMITS,
        &mut kit::Counting(0),
    );
    let read = read(token.unwrap().as_str(), &expected(&[Protection::Signed(&second)]));
    assert_eq!(read.unwrap().payload, b"new");
}

#[test]
fn a_secret_is_the_same_in_each_of_its_texts() {
    // 32 bytes whose base64 has `+` and `/`, and so differs from base64url.
    let bytes = [0xfb, 0xff].repeat(16);
    let id = KeyId::of(&Secret::from_bytes(&bytes).unwrap());
    for text in [
        "fbfffbfffbfffbfffbfffbfffbfffbfffbfffbfffbfffbfffbfffbfffbfffbff",
        "FBFFFBFFFBFFFBFFFBFFFBFFFBFFFBFFFBFFFBFFFBFFFBFFFBFFFBFFFBFFFBFF",
        "+//7//v/+//7//v/+//7//v/+//7//v/+//7//v/+/8=",
        "+//7//v/+//7//v/+//7//v/+//7//v/+//7//v/+/8",
        "-__7__v_-__7__v_-__7__v_-__7__v_-__7__v_-_8=",
        "-__7__v_-__7__v_-__7__v_-__7__v_-__7__v_-_8",
    ] {
        assert_eq!(KeyId::of(&Secret::parse(text).unwrap()), id, "{text}");
    }
}

#[test]
fn a_bare_secret_has_an_id_of_its_own() {
    let keys = Keys::parse(SECRET).unwrap();
    assert_eq!(keys.ids().map(KeyId::as_str).collect::<Vec<_>>(), ["86fabf32517cb434"]);
    let more = Keys::parse(&format!(" k2:{OTHER} , {SECRET}\n")).unwrap();
    assert_eq!(more.ids().map(KeyId::as_str).collect::<Vec<_>>(), ["k2", "86fabf32517cb434"]);
}

#[test]
fn what_is_no_secret_is_refused() {
    let code = |text: &str| Secret::parse(text).unwrap_err();
    assert_eq!(Secret::from_bytes(&[7; 31]).unwrap_err(), KeyError::SecretTooShort { used: 31 });
    assert!(Secret::from_bytes(&[7; 32]).is_ok());
    assert_eq!(code(&SECRET[2..]), KeyError::SecretTooShort { used: 31 });
    assert_eq!(code(""), KeyError::SecretTooShort { used: 0 });
    for malformed in [
        &SECRET[1..],
        "a passphrase with spaces in it is no secret",
        "+//7//v/+//7//v/+//7//v/+//7//v/+//7//v/+_8",
        "+//7//v/+//7//v/+//7//v/+//7//v/+//7//v/+/9",
    ] {
        assert_eq!(code(malformed), KeyError::SecretMalformed, "{malformed}");
    }
}

#[test]
fn what_is_no_id_is_refused() {
    for id in ["", "a b", "ä", "a:b", "a,b", &"a".repeat(33)] {
        assert_eq!(KeyId::new(id), Err(KeyError::IdMalformed), "{id}");
    }
    for id in ["k", "2026-01.b_C", &"a".repeat(32)] {
        assert_eq!(KeyId::new(id).unwrap().to_string(), id);
    }
}

#[test]
fn a_list_without_keys_or_with_one_id_twice_is_refused() {
    for nothing in ["", " \n"] {
        assert_eq!(Keys::parse(nothing).unwrap_err(), KeyError::Missing);
    }
    assert_eq!(Keys::new([]).unwrap_err().code(), "KEY_MISSING");
    let twice = Keys::parse(&format!("k1:{SECRET},k2:{OTHER},k1:{OTHER}")).unwrap_err();
    assert_eq!(twice, KeyError::IdRepeated { id: "k1".into() });
    assert_eq!(twice.to_string(), "two keys have the id k1; give each its own");
}

#[test]
fn what_is_wrong_with_one_key_of_a_list_says_which_and_shows_nothing_of_it() {
    for (list, code, message) in [
        (
            format!("k1:{SECRET},k2:aGk"),
            "KEY_SECRET_TOO_SHORT",
            "key 2 of the list: the secret has 2 bytes, at least 32 are needed; draw them at random",
        ),
        (
            format!("{SECRET}:k1"),
            "KEY_ID_MALFORMED",
            "key 1 of the list: a key's id is 1 to 32 of the characters A-Z a-z 0-9 . _ -",
        ),
        (
            format!("k1:{SECRET},"),
            "KEY_SECRET_TOO_SHORT",
            "key 2 of the list: the secret has 0 bytes, at least 32 are needed; draw them at random",
        ),
        (
            "k1:hunter2!".to_owned(),
            "KEY_SECRET_MALFORMED",
            "key 1 of the list: the secret is neither hexadecimal nor base64 nor base64url",
        ),
    ] {
        let error = Keys::parse(&list).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (code, message));
    }
}

#[test]
fn debug_shows_nothing_of_a_secret() {
    let key = Key { id: KeyId::new("k1").unwrap(), secret: Secret::parse(SECRET).unwrap() };
    assert_eq!(format!("{key:?}"), "Key { id: KeyId(\"k1\"), secret: Secret(…) }");
}
