//! What tags 28 and 29 say about each other.

use crate::Reason;

/// Everything shared so far, by index.
#[derive(Default)]
pub(super) struct Shares(Vec<Share>);

struct Share {
    /// Where its tag stands.
    offset: usize,
    referred: bool,
    target: Target,
}

/// What kind of object is shared.
#[derive(Clone, Copy)]
pub(super) enum Target {
    Array,
    Buffer(Buffer),
    Other,
}

#[derive(Clone, Copy)]
pub(super) struct Buffer {
    length: u64,
    /// Whether it is itself in the value, not only under views.
    in_value: bool,
    /// From where to where views cover it.
    covered: Option<(u64, u64)>,
}

impl Buffer {
    pub(super) const fn new(length: u64, in_value: bool) -> Self {
        Self { length, in_value, covered: None }
    }
}

impl Shares {
    /// Nothing is shared any more.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The index of a new one.
    pub(super) fn begin(&mut self, offset: usize, target: Target) -> u32 {
        self.0.push(Share { offset, referred: false, target });
        self.0.len() as u32 - 1
    }

    /// A reference to an object as a value.
    pub(super) fn refer(&mut self, index: u64) -> Result<u32, Reason> {
        let share = self.get(index)?;
        share.referred = true;
        if let Target::Buffer(buffer) = &mut share.target {
            buffer.in_value = true;
        }
        Ok(index as u32)
    }

    /// A reference to an array as a value.
    pub(super) fn refer_to_array(&mut self, index: u64) -> Result<u32, Reason> {
        match self.get(index)?.target {
            Target::Array => self.refer(index),
            _ => Err(Reason::ReferenceTarget),
        }
    }

    /// A reference of a view to its buffer.
    pub(super) fn refer_to_buffer(&mut self, index: u64) -> Result<u32, Reason> {
        let share = self.get(index)?;
        share.referred = true;
        match share.target {
            Target::Buffer(_) => Ok(index as u32),
            _ => Err(Reason::ReferenceTarget),
        }
    }

    /// A view covers `length` bytes from `offset` of the buffer `index`.
    pub(super) fn cover(&mut self, index: u32, offset: u64, length: u64) -> Result<(), Reason> {
        let Target::Buffer(buffer) = &mut self.get(u64::from(index))?.target else {
            return Err(Reason::ReferenceTarget);
        };
        let end = offset.checked_add(length).filter(|end| *end <= buffer.length).ok_or(Reason::ViewBounds)?;
        let (from, to) = buffer.covered.unwrap_or((offset, end));
        buffer.covered = Some((from.min(offset), to.max(end)));
        Ok(())
    }

    /// At the end of the value: the first that is not as it must be, with the place of its tag.
    pub(super) fn finish(&self) -> Result<(), (Reason, usize)> {
        self.0.iter().try_for_each(|share| {
            if !share.referred {
                return Err((Reason::UnusedShare, share.offset));
            }
            match share.target {
                Target::Buffer(Buffer { length, in_value: false, covered: Some((from, to)) })
                    if from >= SPAN_ALIGNMENT || to != length =>
                {
                    Err((Reason::ViewSpan, share.offset))
                }
                _ => Ok(()),
            }
        })
    }

    fn get(&mut self, index: u64) -> Result<&mut Share, Reason> {
        let index = usize::try_from(index).map_err(|_| Reason::UnknownReference)?;
        self.0.get_mut(index).ok_or(Reason::UnknownReference)
    }
}

/// The span of a buffer that is sent begins at a multiple of this, so that every view on it stays aligned.
const SPAN_ALIGNMENT: u64 = 8;
