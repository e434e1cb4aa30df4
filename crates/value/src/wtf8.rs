//! WTF-8: UTF-8 that may also hold lone surrogates (<https://simonsapin.github.io/wtf-8/>).

/// A stretch of a WTF-8 string.
pub(crate) enum Chunk<'a> {
    Text(&'a str),
    Surrogate(u16),
    /// What follows is not WTF-8.
    Invalid,
}

/// The stretches of `bytes`, in order; the last one may be [`Chunk::Invalid`].
pub(crate) fn chunks(bytes: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    Chunks { rest: bytes, after_high: false }
}

/// Whether `bytes` are WTF-8, and then whether they hold a lone surrogate.
pub(crate) fn has_surrogate(bytes: &[u8]) -> Option<bool> {
    let mut found = false;
    for chunk in chunks(bytes) {
        match chunk {
            Chunk::Text(_) => {}
            Chunk::Surrogate(_) => found = true,
            Chunk::Invalid => return None,
        }
    }
    Some(found)
}

/// Appends a lone surrogate.
pub(crate) fn push_surrogate(bytes: &mut Vec<u8>, unit: u16) {
    bytes.extend([0xed, 0x80 | (unit >> 6 & 0x3f) as u8, 0x80 | (unit & 0x3f) as u8]);
}

struct Chunks<'a> {
    rest: &'a [u8],
    after_high: bool,
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Chunk<'a>;

    fn next(&mut self) -> Option<Chunk<'a>> {
        let length = match std::str::from_utf8(self.rest) {
            Ok("") => return None,
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        if length > 0 {
            let (text, rest) = self.rest.split_at(length);
            self.rest = rest;
            self.after_high = false;
            return Some(std::str::from_utf8(text).map_or(Chunk::Invalid, Chunk::Text));
        }
        Some(match self.surrogate() {
            // A high half and a low half side by side are one character, which has a form of its own.
            Some(unit) if !(self.after_high && is_low(unit)) => {
                self.rest = self.rest.get(3..).unwrap_or_default();
                self.after_high = !is_low(unit);
                Chunk::Surrogate(unit)
            }
            _ => {
                self.rest = &[];
                Chunk::Invalid
            }
        })
    }
}

impl Chunks<'_> {
    fn surrogate(&self) -> Option<u16> {
        match *self.rest {
            [0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, ..] => {
                Some(0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f))
            }
            _ => None,
        }
    }
}

fn is_low(unit: u16) -> bool {
    unit >= 0xdc00
}
