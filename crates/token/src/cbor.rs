//! The little CBOR that a token needs (RFC 8949), written in its shortest form.

use std::fmt;

use minicbor::data::{Int, Tag};
use minicbor::encode::Error;
use minicbor::{Decoder, Encoder};

/// Bytes being written. A vector takes every byte, so nothing here fails.
pub(crate) struct Sink(Encoder<Vec<u8>>);

impl Sink {
    pub(crate) fn new() -> Self {
        Self(Encoder::new(Vec::new()))
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0.into_writer()
    }

    pub(crate) fn int(&mut self, value: impl Into<Int>) -> &mut Self {
        let value = value.into();
        self.put(|encoder| encoder.int(value))
    }

    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.put(|encoder| encoder.str(text))
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.put(|encoder| encoder.bytes(bytes))
    }

    /// The head of a byte string whose bytes come from elsewhere.
    pub(crate) fn bytes_head(&mut self, length: usize) -> &mut Self {
        self.put(|encoder| encoder.bytes_len(length as u64))
    }

    pub(crate) fn array(&mut self, length: u64) -> &mut Self {
        self.put(|encoder| encoder.array(length))
    }

    pub(crate) fn map(&mut self, length: u64) -> &mut Self {
        self.put(|encoder| encoder.map(length))
    }

    pub(crate) fn tag(&mut self, tag: u64) -> &mut Self {
        self.put(|encoder| encoder.tag(Tag::new(tag)))
    }

    fn put<E: fmt::Debug>(
        &mut self,
        write: impl FnOnce(&mut Encoder<Vec<u8>>) -> Result<&mut Encoder<Vec<u8>>, Error<E>>,
    ) -> &mut Self {
        write(&mut self.0).expect("a vector takes every byte");
        self
    }
}

/// Bytes being read, without a copy. It also takes longer forms than [`Sink`] writes: compare with what that would write.
pub(crate) struct Source<'b>(Decoder<'b>);

impl<'b> Source<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self(Decoder::new(bytes))
    }

    /// Whether this integer is next; it is passed, then.
    pub(crate) fn passes(&mut self, wanted: i64) -> bool {
        let is_next = self.0.probe().i64().is_ok_and(|int| int == wanted);
        is_next && self.0.i64().is_ok()
    }

    /// Passes this integer, or there is nothing.
    pub(crate) fn pass(&mut self, wanted: i64) -> Option<()> {
        self.passes(wanted).then_some(())
    }

    pub(crate) fn uint(&mut self) -> Option<u64> {
        self.0.u64().ok()
    }

    pub(crate) fn text(&mut self) -> Option<&'b str> {
        self.0.str().ok()
    }

    pub(crate) fn bytes(&mut self) -> Option<&'b [u8]> {
        self.0.bytes().ok()
    }

    pub(crate) fn bytes_of<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes()?.try_into().ok()
    }

    /// The length of an array that says it.
    pub(crate) fn array(&mut self) -> Option<u64> {
        self.0.array().ok().flatten()
    }

    /// The number of pairs of a map that says it.
    pub(crate) fn map(&mut self) -> Option<u64> {
        self.0.map().ok().flatten()
    }

    /// The tag that is next, if one is; it is passed, then.
    pub(crate) fn tag(&mut self) -> Option<u64> {
        let tag = self.0.probe().tag().ok()?;
        self.0.tag().ok().map(|_| tag.as_u64())
    }
}
