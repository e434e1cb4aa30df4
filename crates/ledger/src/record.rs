//! A ledger's entries and their one byte form: a CBOR sequence (RFC 8742), the format's version first.

use std::sync::Arc;

use bytes::Bytes;
use intermission_value::Validator;
use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use crate::back::Calls;

use crate::check::check;
use crate::entry::{Entry, Started};

/// The format that this code writes, and the only one so far.
pub const FORMAT: u32 = 1;

/// The rules of replay that this code knows, as bits of [`Started::behavior`]: none so far.
pub const BEHAVIOR: u64 = 0;

/// The latest time there is: the greatest time value of a Date (ECMA-262, 21.4.1.1), in milliseconds since 1970.
pub const MAX_TIME: u64 = 8_640_000_000_000_000;

/// The entries of a run, in order; the first is [`Entry::Started`]. A clone shares them, until one of the two is written on.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    entries: Arc<Vec<Entry>>,
}

/// Why bytes are no ledger.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// They are of a format that this code does not know.
    #[error("a ledger of format {0}: this version reads format {FORMAT}")]
    Format(u32),
    /// They were recorded under rules of replay that this code does not know.
    #[error(
        "a ledger with rules of replay that this version does not know (bits {0:#x}): a newer version reads it"
    )]
    Behavior(u64),
    /// An entry is not what the format says.
    #[error("entry {entry} of the ledger is malformed: {why}")]
    Malformed {
        /// Its index, from 0.
        entry: usize,
        /// What is wrong.
        why: String,
    },
    /// A field of an entry in the open form is not what the format says.
    #[error("`{field}` of entry {entry} of the ledger is wrong: {why}")]
    Field {
        /// The entry's index, from 0.
        entry: usize,
        /// The field's name.
        field: String,
        /// What is wrong.
        why: String,
    },
}

impl RecordError {
    pub(crate) fn malformed(entry: usize, why: impl std::fmt::Display) -> Self {
        Self::Malformed { entry, why: why.to_string() }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Format(_) => "LEDGER_FORMAT",
            Self::Behavior(_) => "LEDGER_BEHAVIOR",
            Self::Malformed { .. } => "LEDGER_MALFORMED",
            Self::Field { .. } => "LEDGER_FIELD",
        }
    }
}

impl Record {
    /// Of a run that begins.
    pub fn new(started: Started) -> Self {
        Self { entries: Arc::new(vec![Entry::Started(Box::new(started))]) }
    }

    /// Of entries that were kept. Whether they can follow on each other, [`Ledger::resume`](crate::Ledger::resume) finds out.
    ///
    /// # Errors
    /// When the first is not `Started`, or another is; when a value in them is not in its byte form; when they follow rules that this code does not know.
    pub fn from_entries(entries: Vec<Entry>) -> Result<Self, RecordError> {
        if entries.is_empty() {
            return Err(RecordError::malformed(0, "there is none"));
        }
        let mut validator = Validator::default();
        entries.iter().enumerate().try_for_each(|(index, entry)| check(index, entry, &mut validator))?;
        Ok(Self { entries: Arc::new(entries) })
    }

    /// Reads the byte form.
    ///
    /// # Errors
    /// [`RecordError`]: also for bytes that say the same in another form than the one that [`encode`](Self::encode) gives.
    pub fn decode(bytes: &[u8]) -> Result<Self, RecordError> {
        let whole = Bytes::copy_from_slice(bytes);
        let mut decoder = Decoder::new(&whole);
        let format = decoder.u32().map_err(|error| RecordError::malformed(0, error))?;
        if format != FORMAT {
            return Err(RecordError::Format(format));
        }
        let mut entries = Vec::new();
        let mut begin = decoder.position();
        if begin > 1 {
            return Err(RecordError::malformed(0, "the format's number is not in its canonical form"));
        }
        let (mut calls, mut calls_again) = (Calls::of(whole.clone()), Calls::default());
        while decoder.position() < bytes.len() {
            let entry = read(&mut decoder, &mut calls)
                .map_err(|error| RecordError::malformed(entries.len(), error))?;
            let mut canonical = Canonical(&bytes[begin..decoder.position()]);
            let same = write_to(&entry, &mut canonical, &mut calls_again);
            if same.is_err() || !canonical.0.is_empty() {
                return Err(RecordError::malformed(
                    entries.len(),
                    "the bytes are not in their canonical form",
                ));
            }
            begin = decoder.position();
            entries.push(entry);
        }
        Self::from_entries(entries)
    }

    /// The byte form. That of a longer record of the same run begins with it.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64 * self.entries.len());
        // Writing to memory cannot fail.
        let _ = Encoder::new(&mut bytes).u32(FORMAT);
        self.encode_behind(0, &mut bytes);
        bytes
    }

    /// Puts the byte forms of the entries from number `from` on behind what `bytes` has.
    pub fn encode_behind(&self, from: usize, bytes: &mut Vec<u8>) {
        let (entries, mut calls) = self.from(from);
        for entry in entries {
            write(entry, bytes, &mut calls);
        }
    }

    /// The byte forms of the entries from number `from` on, each by itself: joined behind those of the entries before, and all of them behind the format's
    /// number, they are the record's.
    pub fn encode_from(&self, from: usize) -> Vec<Vec<u8>> {
        let (entries, mut calls) = self.from(from);
        let one = |entry: &Entry| {
            let mut bytes = Vec::new();
            write(entry, &mut bytes, &mut calls);
            bytes
        };
        entries.iter().map(one).collect()
    }

    /// The entries from number `from` on, and how the calls before them were numbered.
    fn from(&self, from: usize) -> (&[Entry], Calls) {
        let calls = |entry: &Entry| match entry {
            Entry::Called { call, .. } => Some(*call),
            _ => None,
        };
        let (before, entries) = self.entries.split_at(from.min(self.entries.len()));
        (entries, Calls::after(before.iter().rev().find_map(calls)))
    }

    /// The entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What the run began with.
    pub fn started(&self) -> &Started {
        match self.entries.first() {
            Some(Entry::Started(started)) => started,
            _ => unreachable!("the first entry of a record is `Started`"),
        }
    }

    /// The first entries, `length` of them, one at least.
    pub(crate) fn prefix(&self, length: usize) -> Self {
        Self { entries: Arc::new(self.entries[..length].to_vec()) }
    }

    pub(crate) fn push(&mut self, entry: Entry) {
        Arc::make_mut(&mut self.entries).push(entry);
    }
}

/// One entry's bytes, `last_call` being the newest call before it, or 0.
pub fn encode_entry(entry: &Entry, last_call: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(entry, &mut bytes, &mut Calls::after(Some(last_call)));
    bytes
}

/// A read of the clock one millisecond later, by far the most frequent kind, is just the number of reads before it.
fn write_to<W: Write>(
    entry: &Entry,
    bytes: W,
    calls: &mut Calls,
) -> Result<(), minicbor::encode::Error<W::Error>> {
    let mut encoder = Encoder::new(bytes);
    match entry {
        Entry::Clock { reads, elapsed: 1 } => encoder.u64(*reads)?.ok(),
        entry => encoder.encode_with(entry, calls)?.ok(),
    }
}

fn write(entry: &Entry, bytes: &mut Vec<u8>, calls: &mut Calls) {
    // Writing to memory cannot fail.
    let _ = write_to(entry, bytes, calls);
}

/// What is left of the bytes that an entry was read from: to be written is what stands there.
struct Canonical<'a>(&'a [u8]);

/// Something else stands there.
#[derive(Debug)]
struct Other;

impl Write for Canonical<'_> {
    type Error = Other;

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), Other> {
        self.0 = self.0.strip_prefix(bytes).ok_or(Other)?;
        Ok(())
    }
}

fn read(decoder: &mut Decoder<'_>, calls: &mut Calls) -> Result<Entry, minicbor::decode::Error> {
    use minicbor::data::Type;
    match decoder.datatype()? {
        Type::U8 | Type::U16 | Type::U32 | Type::U64 => {
            Ok(Entry::Clock { reads: decoder.u64()?, elapsed: 1 })
        }
        _ => decoder.decode_with(calls),
    }
}
