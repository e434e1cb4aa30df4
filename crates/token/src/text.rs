//! From bytes to the text form and back.

use data_encoding::BASE64URL_NOPAD;

/// What every token of this version begins with.
pub const PREFIX: &str = "imt1_";

pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(encoded_length(bytes.len()));
    text.push_str(PREFIX);
    BASE64URL_NOPAD.encode_append(bytes, &mut text);
    text
}

/// The bytes, unless the text is one that [`encode`] does not give: another alphabet, padding, set bits at the end.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(text.strip_prefix(PREFIX)?.as_bytes()).ok()
}

pub(crate) fn encoded_length(bytes: usize) -> usize {
    PREFIX.len() + BASE64URL_NOPAD.encode_len(bytes)
}
