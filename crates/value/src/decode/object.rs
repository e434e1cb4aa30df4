//! The rules for objects: everything that has an identity and can be shared.

use super::cursor::Head;
use super::grammar::{Grammar, Place, safe_integer};
use super::seen::Key;
use super::shares::{Buffer, Target};
use super::sink::{BufferPlace, Container, Field, Leaf, Sink};
use crate::form::{MAX_TIME, tag};
use crate::{Reason, ViewKind, regexp};

impl<'a, S: Sink<'a>> Grammar<'a, S> {
    /// An object, shared or not, whose first head was read.
    pub(super) fn object(&mut self, head: Head, place: Place) -> Result<(), Reason> {
        let Head::Tag(tag::SHARE) = head else {
            accept(place, &head)?;
            return self.unshared(head);
        };
        let head = self.cursor.head()?;
        if !is_object(&head) {
            return Err(Reason::ShareTarget);
        }
        accept(place, &head)?;
        let target = match head {
            Head::Array(_) => Target::Array,
            Head::Bytes(length) => Target::Buffer(Buffer::new(length, true)),
            _ => Target::Other,
        };
        let index = self.shares.begin(self.start, target);
        self.note(place, Key::Object(index))?;
        self.sink.share();
        self.unshared(head)
    }

    /// A reference whose tag was read.
    pub(super) fn reference(&mut self, place: Place) -> Result<(), Reason> {
        let Head::Unsigned(index) = self.cursor.head()? else { return Err(Reason::TagContent) };
        let index = match place {
            Place::Field(Field::Errors) => self.shares.refer_to_array(index)?,
            Place::Field(Field::Name | Field::Message | Field::Code) => return Err(Reason::ErrorFields),
            _ => self.shares.refer(index)?,
        };
        self.note(place, Key::Object(index))?;
        self.sink.leaf(Leaf::Reference(index));
        Ok(())
    }

    fn unshared(&mut self, head: Head) -> Result<(), Reason> {
        let leaf = match head {
            Head::Array(length) => return self.open(Container::Array, length),
            Head::Map(length) => return self.open(Container::Object { null_prototype: false }, length),
            Head::Tag(tag::NULL_PROTOTYPE) => {
                let length = self.map_length()?;
                return self.open(Container::Object { null_prototype: true }, length);
            }
            Head::Tag(tag::MAP) => {
                let length = self.map_length()?;
                return self.open(Container::Map, length);
            }
            Head::Tag(tag::SET) => {
                let length = self.array_length()?;
                return self.open(Container::Set, length);
            }
            Head::Tag(tag::ERROR) => {
                let length = self.map_length()?;
                // Name and message are always there.
                return if length < 2 {
                    Err(Reason::ErrorFields)
                } else {
                    self.open(Container::Error, length)
                };
            }
            Head::Bytes(length) => Leaf::ArrayBuffer(self.cursor.take(length)?),
            Head::Tag(tag::DATE) => Leaf::Date(self.date()?),
            Head::Tag(tag::REGEXP) => self.regexp()?,
            Head::Tag(tag::SHARED_VIEW) => self.shared_view()?,
            Head::Tag(tag) => {
                let kind = ViewKind::from_tag(tag).ok_or(Reason::UnknownTag)?;
                let bytes = self.tagged_bytes()?;
                if !bytes.len().is_multiple_of(kind.element_size()) {
                    return Err(Reason::ViewAlignment);
                }
                Leaf::View(kind, bytes)
            }
            _ => return Err(Reason::TagContent),
        };
        self.sink.leaf(leaf);
        Ok(())
    }

    fn date(&mut self) -> Result<Option<i64>, Reason> {
        let seconds = match self.cursor.head()? {
            Head::Unsigned(seconds) => safe_integer(seconds)?,
            Head::Negative(seconds) => -safe_integer(seconds.saturating_add(1))?,
            Head::Float(seconds) if seconds.is_nan() => return Ok(None),
            Head::Float(seconds) => seconds,
            _ => return Err(Reason::TagContent),
        };
        // The product is rounded, so it may be off by one.
        let near = (seconds * 1000.0).round() as i64;
        let time = [0, -1, 1]
            .into_iter()
            .map(|off| near.saturating_add(off))
            .find(|time| (*time as f64 / 1000.0).to_bits() == seconds.to_bits());
        let time = time.filter(|time| time.unsigned_abs() <= MAX_TIME.unsigned_abs());
        time.map(Some).ok_or(Reason::InvalidDate)
    }

    fn regexp(&mut self) -> Result<Leaf<'a>, Reason> {
        let head = self.cursor.head()?;
        let (source, flags) = regexp::split(self.text(head)?.as_bytes()).ok_or(Reason::InvalidRegexp)?;
        Ok(Leaf::RegExp { source, flags })
    }

    fn shared_view(&mut self) -> Result<Leaf<'a>, Reason> {
        if self.array_length()? != 4 {
            return Err(Reason::TagContent);
        }
        let kind = ViewKind::from_tag(self.unsigned()?).ok_or(Reason::ViewKind)?;
        let (buffer, index) = match self.cursor.head()? {
            Head::Tag(tag::SHARE) => {
                let bytes = self.tagged_bytes()?;
                let target = Target::Buffer(Buffer::new(bytes.len() as u64, false));
                (BufferPlace::First(bytes), self.shares.begin(self.start, target))
            }
            Head::Tag(tag::REFERENCE) => {
                let index = self.unsigned()?;
                let index = self.shares.refer_to_buffer(index)?;
                (BufferPlace::Again(index), index)
            }
            _ => return Err(Reason::TagContent),
        };
        let (byte_offset, byte_length) = (self.unsigned()?, self.unsigned()?);
        let size = kind.element_size() as u64;
        if !byte_offset.is_multiple_of(size) || !byte_length.is_multiple_of(size) {
            return Err(Reason::ViewAlignment);
        }
        self.shares.cover(index, byte_offset, byte_length)?;
        Ok(Leaf::SharedView { kind, buffer, byte_offset, byte_length })
    }

    fn unsigned(&mut self) -> Result<u64, Reason> {
        if let Head::Unsigned(integer) = self.cursor.head()? { Ok(integer) } else { Err(Reason::TagContent) }
    }

    fn array_length(&mut self) -> Result<u64, Reason> {
        if let Head::Array(length) = self.cursor.head()? { Ok(length) } else { Err(Reason::TagContent) }
    }

    fn map_length(&mut self) -> Result<u64, Reason> {
        if let Head::Map(length) = self.cursor.head()? { Ok(length) } else { Err(Reason::TagContent) }
    }
}

/// Whether an object that begins with `head` may stand here.
fn accept(place: Place, head: &Head) -> Result<(), Reason> {
    match (place, head) {
        (Place::Field(Field::Cause), _) | (Place::Field(Field::Errors), Head::Array(_)) => Ok(()),
        (Place::Field(_), _) => Err(Reason::ErrorFields),
        _ => Ok(()),
    }
}

fn is_object(head: &Head) -> bool {
    match head {
        Head::Bytes(_) | Head::Array(_) | Head::Map(_) => true,
        Head::Tag(tag) => !matches!(
            *tag,
            tag::POSITIVE_BIGINT | tag::NEGATIVE_BIGINT | tag::WTF8 | tag::SHARE | tag::REFERENCE
        ),
        Head::Unsigned(_) | Head::Negative(_) | Head::Text(_) | Head::Simple(_) | Head::Float(_) => false,
    }
}
