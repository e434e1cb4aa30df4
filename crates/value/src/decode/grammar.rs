//! The rules of the byte form, item by item, with a stack of their own in place of recursion.

use super::Fault;
use super::cursor::{Cursor, Head};
use super::seen::{Key, Keys, Seen};
use super::shares::Shares;
use super::sink::{Container, Field, Leaf, Sink, Text};
use crate::form::{MAX_DEPTH, MAX_SAFE_INTEGER, simple, tag};
use crate::js_string::array_index;
use crate::number::is_negative_zero;
use crate::{Path, Reason, Segment, wtf8};

/// Reads one value and tells `sink` its parts.
pub(super) struct Grammar<'a, S> {
    bytes: &'a [u8],
    pub(super) cursor: Cursor<'a>,
    pub(super) sink: S,
    pub(super) shares: Shares,
    seen: Seen<'a>,
    frames: Vec<Frame<'a>>,
    /// The bytes that open containers still need, at one for each item.
    claimed: u64,
    /// Where the item begins that is being read.
    pub(super) start: usize,
    /// Where to fail, and why: finds the path of a place already read.
    doom: Option<(usize, Reason)>,
}

/// An open container.
struct Frame<'a> {
    container: Container,
    /// Items to come; a property or a field and its value are one, a Map's key and value two.
    left: u64,
    /// Items begun.
    begun: usize,
    keys: Keys<'a>,
    /// The last key of an object, or field of an error.
    label: Option<Text<'a>>,
    /// The last key of an object, where all so far are array indices.
    index: Option<u32>,
}

/// Where an item stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Root,
    Element,
    Property,
    MapKey,
    MapValue,
    Member,
    Field(Field),
}

impl<'a, S: Sink<'a>> Grammar<'a, S> {
    pub(super) fn new(bytes: &'a [u8], sink: S) -> Self {
        Self {
            bytes,
            cursor: Cursor::new(bytes),
            sink,
            shares: Shares::default(),
            seen: Seen::default(),
            frames: Vec::new(),
            claimed: 0,
            start: 0,
            doom: None,
        }
    }

    /// Reads all of the bytes as one value.
    pub(super) fn read(mut self) -> Result<S, Fault> {
        self.read_all().map(|()| self.sink)
    }

    /// The same for other bytes, with the memory that it has.
    pub(super) fn read_next(&mut self, bytes: &'a [u8]) -> Result<(), Fault> {
        (self.bytes, self.cursor, self.claimed) = (bytes, Cursor::new(bytes), 0);
        self.shares.clear();
        self.seen.clear();
        self.frames.clear();
        self.read_all()
    }

    fn read_all(&mut self) -> Result<(), Fault> {
        if let Err(reason) = self.value() {
            return Err(Fault { reason, offset: self.start, path: self.path() });
        }
        self.shares.finish().map_err(|(reason, offset)| fault_at(self.bytes, offset, reason))
    }

    fn value(&mut self) -> Result<(), Reason> {
        self.item(Place::Root)?;
        while let Some(frame) = self.frames.last_mut() {
            if frame.left == 0 {
                self.seen.close(&frame.keys);
                self.frames.pop();
                self.sink.close();
                continue;
            }
            frame.left -= 1;
            frame.begun += 1;
            self.claimed -= 1;
            match frame.container {
                Container::Array => self.item(Place::Element)?,
                Container::Object { .. } => self.property()?,
                Container::Map if frame.begun % 2 == 1 => self.item(Place::MapKey)?,
                Container::Map => self.item(Place::MapValue)?,
                Container::Set => self.item(Place::Member)?,
                Container::Error => self.field()?,
            }
        }
        self.start = self.cursor.at();
        if self.cursor.left() > 0 { Err(Reason::TrailingBytes) } else { Ok(()) }
    }

    fn item(&mut self, place: Place) -> Result<(), Reason> {
        self.begin()?;
        let head = self.cursor.head()?;
        let leaf = match head {
            Head::Unsigned(integer) => Leaf::Number(safe_integer(integer)?),
            Head::Negative(integer) => Leaf::Number(-safe_integer(integer.saturating_add(1))?),
            Head::Float(number) => Leaf::Number(number),
            Head::Text(_) | Head::Tag(tag::WTF8) => Leaf::String(self.text(head)?),
            Head::Simple(value) => match value {
                simple::FALSE => Leaf::Bool(false),
                simple::TRUE => Leaf::Bool(true),
                simple::NULL => Leaf::Null,
                simple::UNDEFINED => Leaf::Undefined,
                simple::HOLE if place == Place::Element => {
                    self.sink.hole();
                    return Ok(());
                }
                simple::HOLE => return Err(Reason::MisplacedHole),
                _ => return Err(Reason::UnknownSimple),
            },
            Head::Tag(tag @ (tag::POSITIVE_BIGINT | tag::NEGATIVE_BIGINT)) => {
                let magnitude = self.tagged_bytes()?;
                if magnitude.first() == Some(&0) {
                    return Err(Reason::BignumZeros);
                }
                Leaf::BigInt { negative: tag == tag::NEGATIVE_BIGINT, magnitude }
            }
            Head::Tag(tag::REFERENCE) => return self.reference(place),
            _ => return self.object(head, place),
        };
        self.accept(place, leaf)?;
        self.sink.leaf(leaf);
        Ok(())
    }

    /// Whether a primitive value may stand here.
    fn accept(&mut self, place: Place, leaf: Leaf<'a>) -> Result<(), Reason> {
        match (place, leaf) {
            (Place::MapKey | Place::Member, Leaf::Number(number)) if is_negative_zero(number) => {
                Err(Reason::NegativeZero)
            }
            (Place::MapKey | Place::Member, _) => {
                let bytes = self.cursor.since(self.start);
                self.note(place, Key::Bytes(bytes))
            }
            (Place::Field(Field::Name | Field::Message | Field::Code), Leaf::String(_))
            | (Place::Field(Field::Code), Leaf::Number(_))
            | (Place::Field(Field::Cause), _) => Ok(()),
            (Place::Field(_), _) => Err(Reason::ErrorFields),
            _ => Ok(()),
        }
    }

    /// Keeps the key of a Map or the member of a Set; it must be new.
    pub(super) fn note(&mut self, place: Place, key: Key<'a>) -> Result<(), Reason> {
        let reason = match place {
            Place::MapKey => Reason::DuplicateKey,
            Place::Member => Reason::DuplicateMember,
            _ => return Ok(()),
        };
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        if self.seen.insert(&mut frame.keys, key) { Ok(()) } else { Err(reason) }
    }

    /// Opens a container of `length` items, each of one byte or more.
    pub(super) fn open(&mut self, container: Container, length: u64) -> Result<(), Reason> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(Reason::TooDeep);
        }
        let doubled = matches!(container, Container::Object { .. } | Container::Map | Container::Error);
        let least = length.saturating_mul(if doubled { 2 } else { 1 });
        if least > self.cursor.left().saturating_sub(self.claimed) {
            return Err(Reason::Truncated);
        }
        let left = if container == Container::Map { least } else { length };
        self.claimed += left;
        let keys = self.seen.open();
        self.frames.push(Frame { container, left, begun: 0, keys, label: None, index: None });
        // There are as many bytes, so this fits.
        self.sink.open(container, length as usize);
        Ok(())
    }

    fn property(&mut self) -> Result<(), Reason> {
        self.begin()?;
        let is_first = self.frames.last_mut().is_none_or(|frame| frame.label.take().is_none());
        let head = self.cursor.head()?;
        let key = match head {
            Head::Text(_) | Head::Tag(tag::WTF8) => self.text(head)?,
            _ => return Err(Reason::KeyType),
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.label = Some(key);
            let (last, index) = (frame.index, array_index(key.as_bytes()));
            frame.index = index;
            match (last, index) {
                (None, Some(_)) if is_first => {}
                (Some(last), Some(index)) if last < index => {}
                (Some(last), Some(index)) if last == index => return Err(Reason::DuplicateKey),
                (_, Some(_)) => return Err(Reason::KeyOrder),
                (_, None) => {
                    if !self.seen.insert(&mut frame.keys, Key::Bytes(key.as_bytes())) {
                        return Err(Reason::DuplicateKey);
                    }
                }
            }
        }
        self.sink.key(key);
        self.item(Place::Property)
    }

    fn field(&mut self) -> Result<(), Reason> {
        self.begin()?;
        let last = self.frames.last_mut().and_then(|frame| frame.label.take());
        let head = self.cursor.head()?;
        let Head::Text(_) = head else { return Err(Reason::ErrorFields) };
        let text = self.text(head)?;
        let field = Field::from_text(text).ok_or(Reason::ErrorFields)?;
        let last = last.and_then(|last| Field::from_text(last));
        let follows = match field {
            Field::Name => last.is_none(),
            Field::Message => last == Some(Field::Name),
            _ => last >= Some(Field::Message) && last < Some(field),
        };
        if !follows {
            return Err(Reason::ErrorFields);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.label = Some(text);
        }
        self.sink.field(field);
        self.item(Place::Field(field))
    }

    fn begin(&mut self) -> Result<(), Reason> {
        self.start = self.cursor.at();
        match self.doom {
            Some((offset, reason)) if offset == self.start => Err(reason),
            _ => Ok(()),
        }
    }

    /// The string whose head was read.
    pub(super) fn text(&mut self, head: Head) -> Result<Text<'a>, Reason> {
        match head {
            Head::Text(length) => {
                let bytes = self.cursor.take(length)?;
                std::str::from_utf8(bytes).map(Text::Utf8).map_err(|_| Reason::InvalidUtf8)
            }
            Head::Tag(tag::WTF8) => {
                let bytes = self.tagged_bytes()?;
                match wtf8::has_surrogate(bytes) {
                    None => Err(Reason::InvalidWtf8),
                    Some(false) => Err(Reason::NeedlessWtf8),
                    Some(true) => Ok(Text::Wtf8(bytes)),
                }
            }
            _ => Err(Reason::TagContent),
        }
    }

    /// The byte string under a tag.
    pub(super) fn tagged_bytes(&mut self) -> Result<&'a [u8], Reason> {
        match self.cursor.head()? {
            Head::Bytes(length) => self.cursor.take(length),
            _ => Err(Reason::TagContent),
        }
    }

    fn path(&self) -> Path {
        self.frames.iter().filter_map(Frame::segment).collect()
    }
}

impl Frame<'_> {
    fn segment(&self) -> Option<Segment> {
        let last = self.begun.checked_sub(1)?;
        Some(match self.container {
            Container::Array => Segment::Index(last),
            Container::Object { .. } | Container::Error => Segment::Key(self.label?.into()),
            Container::Map if last.is_multiple_of(2) => Segment::MapKey(last / 2),
            Container::Map => Segment::MapValue(last / 2),
            Container::Set => Segment::Member(last),
        })
    }
}

/// The fault of the item at `offset` that is only found once all is read.
fn fault_at(bytes: &[u8], offset: usize, reason: Reason) -> Fault {
    let again = Grammar { doom: Some((offset, reason)), ..Grammar::new(bytes, ()) };
    again.read().err().unwrap_or(Fault { reason, offset, path: Path::default() })
}

/// The Number `integer`, as far as it is exact.
pub(super) fn safe_integer(integer: u64) -> Result<f64, Reason> {
    if integer <= MAX_SAFE_INTEGER { Ok(integer as f64) } else { Err(Reason::UnsafeInteger) }
}
