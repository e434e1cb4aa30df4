//! Tokens as somebody else would make them who has the key: another library's COSE, and anything inside.

use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit};
use coset::cbor::Value;
use coset::cbor::value::Integer;
use coset::{EncryptionContext, MacContext, ProtectedHeader, enc_structure_data, mac_structure_data};
use flate2::{Compression, write::DeflateEncoder};
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use intermission_token::Form;
use sha2::{Digest, Sha256};
use std::io::Write;

use crate::kit::{AUDIENCE, CONTEXT, HOUR, NOW, text_of};

pub(crate) const SALT: [u8; 32] = [0xaa; 32];
pub(crate) const IV: [u8; 12] = [0xbb; 12];

/// The fields of a protected header, or of its claims.
pub(crate) type Fields = Vec<(Value, Value)>;

/// A token of [`crate::kit::header`] that keeps `kept` and says that the payload has `length` bytes.
pub(crate) fn token(form: Form, kept: &[u8], length: u64) -> String {
    text_of(&encode(&envelope(form, &encode(&Value::Map(protected(form, length))), kept)))
}

/// A token with these claims and the payload `payload`.
pub(crate) fn token_of(form: Form, claims: Fields) -> String {
    let mut fields = protected(form, 7);
    let at = fields.iter().position(|(label, _)| *label == int(15)).unwrap();
    fields[at].1 = Value::Map(claims);
    text_of(&encode(&envelope(form, &encode(&Value::Map(fields)), b"payload")))
}

pub(crate) fn protected(form: Form, length: u64) -> Fields {
    let mut fields = match form {
        Form::Sealed => vec![(int(1), int(3)), (int(4), bytes(b"k1")), (int(5), bytes(&IV))],
        Form::Signed => vec![(int(1), int(5)), (int(4), bytes(b"k1"))],
        Form::Open => vec![],
    };
    fields.push((int(15), Value::Map(claims())));
    if form != Form::Open {
        fields.push((int(-65537), bytes(&SALT)));
    }
    fields.push((int(-65538), Value::Integer(length.into())));
    if form == Form::Open {
        fields.push((int(-65539), bytes(&Sha256::digest(CONTEXT))));
    }
    fields
}

pub(crate) fn claims() -> Fields {
    let seconds = |milliseconds: u64| Value::Integer((milliseconds / 1000).into());
    vec![
        (int(3), Value::Text(AUDIENCE.into())),
        (int(4), seconds(NOW + HOUR)),
        (int(6), seconds(NOW)),
        (int(7), bytes(b"sixteen bytes id")),
    ]
}

/// Encrypts or signs as the form has it, whatever the protected header says.
pub(crate) fn envelope(form: Form, protected: &[u8], kept: &[u8]) -> Value {
    let header = ProtectedHeader { original_data: Some(protected.to_vec()), ..Default::default() };
    let nothing = Value::Map(vec![]);
    match form {
        Form::Sealed => {
            let aad = enc_structure_data(EncryptionContext::CoseEncrypt0, header, CONTEXT);
            let cipher = Aes256Gcm::new(&derive(b"intermission.token.1.sealed").into());
            let ciphertext = cipher.encrypt(&IV.into(), Payload { msg: kept, aad: &aad }).unwrap();
            Value::Tag(16, Box::new(Value::Array(vec![bytes(protected), nothing, bytes(&ciphertext)])))
        }
        Form::Signed => {
            let mut mac = Hmac::<Sha256>::new_from_slice(&derive(b"intermission.token.1.signed")).unwrap();
            mac.update(&mac_structure_data(MacContext::CoseMac0, header, CONTEXT, kept));
            let tag = mac.finalize().into_bytes();
            Value::Tag(17, Box::new(Value::Array(vec![bytes(protected), nothing, bytes(kept), bytes(&tag)])))
        }
        Form::Open => Value::Array(vec![bytes(protected), bytes(kept)]),
    }
}

pub(crate) fn derive(info: &[u8]) -> [u8; 32] {
    derive_with(&SALT, info)
}

pub(crate) fn derive_with(salt: &[u8], info: &[u8]) -> [u8; 32] {
    let secret: Vec<u8> = (0..32).collect();
    let mut key = [0; 32];
    Hkdf::<Sha256>::new(Some(salt), &secret).expand(info, &mut key).unwrap();
    key
}

pub(crate) fn deflated(payload: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(payload).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn encode(value: &Value) -> Vec<u8> {
    let mut encoded = Vec::new();
    coset::cbor::into_writer(value, &mut encoded).unwrap();
    encoded
}

pub(crate) fn int(int: i64) -> Value {
    Value::Integer(Integer::from(int))
}

pub(crate) fn bytes(bytes: &[u8]) -> Value {
    Value::Bytes(bytes.to_vec())
}
