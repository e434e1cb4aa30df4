//! Another library reads these tokens as COSE and CWT.

use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit};
use coset::cwt::{ClaimsSet, Timestamp};
use coset::{AsCborValue, CoseEncrypt0, CoseMac0, Label, TaggedCborSerializable, iana};
use hmac::{Hmac, Mac};
use intermission_token::Form;
use sha2::Sha256;

use crate::forge::{self, derive_with};
use crate::kit::{CONTEXT, HOUR, NOW, bytes_of, read_as, token};

const PAYLOAD: &[u8] = b"payload";

#[test]
fn a_sealed_token_is_a_cose_encrypt0_with_cwt_claims() {
    let cose = CoseEncrypt0::from_tagged_slice(&bytes_of(&token(PAYLOAD, Form::Sealed))).unwrap();
    let header = &cose.protected.header;
    assert_eq!(header.alg, Some(coset::Algorithm::Assigned(iana::Algorithm::A256GCM)));
    assert_eq!(header.key_id, b"k1");
    assert!(cose.unprotected.is_empty());
    let nonce: [u8; 12] = header.iv.as_slice().try_into().unwrap();
    let cipher = Aes256Gcm::new(&derive_with(&salt(header), b"intermission.token.1.sealed").into());
    let decrypt = |msg: &[u8], aad: &[u8]| cipher.decrypt(&nonce.into(), Payload { msg, aad });
    assert_eq!(cose.decrypt_ciphertext(CONTEXT, || unreachable!(), decrypt).unwrap(), PAYLOAD);
    assert_claims(header);
}

#[test]
fn a_signed_token_is_a_cose_mac0_with_cwt_claims() {
    let cose = CoseMac0::from_tagged_slice(&bytes_of(&token(PAYLOAD, Form::Signed))).unwrap();
    let header = &cose.protected.header;
    assert_eq!(header.alg, Some(coset::Algorithm::Assigned(iana::Algorithm::HMAC_256_256)));
    assert_eq!(header.key_id, b"k1");
    assert!(cose.unprotected.is_empty());
    assert_eq!(cose.payload.as_deref(), Some(PAYLOAD));
    let key = derive_with(&salt(header), b"intermission.token.1.signed");
    let verify = |tag: &[u8], data: &[u8]| {
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        mac.update(data);
        mac.verify_slice(tag)
    };
    assert_eq!(cose.verify_payload_tag(CONTEXT, || unreachable!(), verify), Ok(()));
    assert_claims(header);
}

#[test]
fn an_open_token_is_no_cose() {
    let bytes = bytes_of(&token(PAYLOAD, Form::Open));
    assert!(CoseEncrypt0::from_tagged_slice(&bytes).is_err());
    assert!(CoseMac0::from_tagged_slice(&bytes).is_err());
    assert_eq!(bytes[0], 0x82);
}

#[test]
fn what_another_library_writes_is_read() {
    for form in [Form::Sealed, Form::Signed, Form::Open] {
        let read = read_as(form, &forge::token(form, PAYLOAD, 7)).unwrap();
        assert_eq!((read.payload, read.form), (PAYLOAD.to_vec(), form));
    }
}

fn assert_claims(header: &coset::Header) {
    let claims = ClaimsSet::from_cbor_value(parameter(header, 15)).unwrap();
    assert_eq!(claims.audience.as_deref(), Some("mailer"));
    assert_eq!(claims.expiration_time, Some(Timestamp::WholeSeconds(((NOW + HOUR) / 1000) as i64)));
    assert_eq!(claims.issued_at, Some(Timestamp::WholeSeconds((NOW / 1000) as i64)));
    assert_eq!(claims.cwt_id.as_deref(), Some(&b"sixteen bytes id"[..]));
    assert_eq!(parameter(header, -65538), forge::int(7));
}

fn salt(header: &coset::Header) -> Vec<u8> {
    parameter(header, -65537).into_bytes().unwrap()
}

fn parameter(header: &coset::Header, label: i64) -> coset::cbor::Value {
    header.rest.iter().find(|(name, _)| *name == Label::Int(label)).unwrap().1.clone()
}
