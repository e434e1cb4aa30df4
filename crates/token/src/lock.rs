//! The cryptography: a key per token, COSE's structures, and what is done with them.

use aes_gcm::aead::AeadInOut;
use aes_gcm::{Aes256Gcm, KeyInit};
use data_encoding::HEXLOWER;
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::cbor::Sink;
use crate::secret::Secret;

pub(crate) type Salt = [u8; 32];
pub(crate) type Iv = [u8; 12];

// What a derived key is for, so that none serves two ends: HKDF's `info`.
const SEALING: &[u8] = b"intermission.token.1.sealed";
const SIGNING: &[u8] = b"intermission.token.1.signed";
const NAMING: &[u8] = b"intermission.key-id.1";

/// The ciphertext of `kept`, its tag at the end.
pub(crate) fn seal(secret: &Secret, salt: &Salt, iv: &Iv, bound: Bound<'_>, mut kept: Vec<u8>) -> Vec<u8> {
    cipher(secret, salt)
        .encrypt_in_place(&(*iv).into(), &bound.encrypt0(), &mut kept)
        .expect("a vector grows by a tag, and no payload comes near GCM's 64 GiB");
    kept
}

/// What [`seal`] was given, if nothing has changed.
pub(crate) fn unseal(
    secret: &Secret,
    salt: &Salt,
    iv: &Iv,
    bound: Bound<'_>,
    ciphertext: &[u8],
) -> Option<Vec<u8>> {
    let mut kept = ciphertext.to_vec();
    cipher(secret, salt).decrypt_in_place(&(*iv).into(), &bound.encrypt0(), &mut kept).ok()?;
    Some(kept)
}

/// The signature over `kept` and what it is bound to.
pub(crate) fn sign(secret: &Secret, salt: &Salt, bound: Bound<'_>, kept: &[u8]) -> [u8; 32] {
    mac(secret, salt, bound, kept).finalize().into_bytes().into()
}

/// Whether [`sign`] gave this signature. The comparison takes the same time wherever they differ.
pub(crate) fn is_signed(secret: &Secret, salt: &Salt, bound: Bound<'_>, kept: &[u8], tag: &[u8]) -> bool {
    mac(secret, salt, bound, kept).verify_slice(tag).is_ok()
}

/// An open token keeps this of its context, so that one that was mixed up is noticed.
pub(crate) fn digest(context: &[u8]) -> [u8; 32] {
    Sha256::digest(context).into()
}

/// A name for a secret that tells nothing of it.
pub(crate) fn fingerprint(secret: &Secret) -> String {
    HEXLOWER.encode(&*derive::<8>(secret, &[], NAMING))
}

/// What is authenticated beside the payload.
#[derive(Clone, Copy)]
pub(crate) struct Bound<'a> {
    pub(crate) protected: &'a [u8],
    pub(crate) context: &'a [u8],
}

impl Bound<'_> {
    /// `Enc_structure`: RFC 9052, section 5.3.
    fn encrypt0(self) -> Vec<u8> {
        let mut sink = Sink::new();
        sink.array(3).text("Encrypt0").bytes(self.protected).bytes(self.context);
        sink.finish()
    }

    /// `MAC_structure` up to the bytes of its payload: RFC 9052, section 6.3.
    fn mac0(self, kept: usize) -> Vec<u8> {
        let mut sink = Sink::new();
        sink.array(4).text("MAC0").bytes(self.protected).bytes(self.context).bytes_head(kept);
        sink.finish()
    }
}

fn cipher(secret: &Secret, salt: &Salt) -> Aes256Gcm {
    let key = derive::<32>(secret, salt, SEALING);
    Aes256Gcm::new((&*key).into())
}

fn mac(secret: &Secret, salt: &Salt, bound: Bound<'_>, kept: &[u8]) -> Hmac<Sha256> {
    let key = derive::<32>(secret, salt, SIGNING);
    let mut mac = Hmac::<Sha256>::new_from_slice(&*key).expect("HMAC takes a key of any length");
    mac.update(&bound.mac0(kept.len()));
    mac.update(kept);
    mac
}

/// HKDF-SHA-256: RFC 5869.
fn derive<const N: usize>(secret: &Secret, salt: &[u8], info: &[u8]) -> Zeroizing<[u8; N]> {
    let mut key = Zeroizing::new([0; N]);
    Hkdf::<Sha256>::new(Some(salt), secret.bytes())
        .expand(info, &mut *key)
        .expect("HKDF gives up to 8,160 bytes");
    key
}
