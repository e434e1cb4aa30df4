//! The clock that the guest reads: live, or read by read as recorded.

use std::collections::VecDeque;

use crate::fault::{Fault, Faults};

/// A read that gave another value than the one before, or any where each is recorded: [`crate::Entry::Clock`], and how many requests of the slice stand before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Requests (calls, timers) that the guest had made before, in this slice.
    pub requests: usize,
    /// Reads since the last guest entry that gave the old value.
    pub reads: u64,
    /// Milliseconds since the last value.
    pub elapsed: u64,
}

/// What the ledger knows of the reads of the next slice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SliceReads {
    pub(crate) marks: VecDeque<Mark>,
    /// How many requests of the slice are recorded, where the record ends within it: what comes behind is live.
    pub(crate) live_from: Option<usize>,
}

impl SliceReads {
    /// Whether some of the slice is live.
    pub fn is_live(&self) -> bool {
        self.live_from.is_some()
    }

    pub(crate) fn live() -> Self {
        Self { marks: VecDeque::new(), live_from: Some(0) }
    }
}

/// One clock, in whole milliseconds since 1970. It never goes back, and a replay gives the same values read by read.
#[derive(Clone, Debug)]
pub struct GuestClock {
    value: u64,
    requests: usize,
    reads: u64,
    slice: SliceReads,
    marks: Vec<Mark>,
    each: bool,
    faults: Faults,
}

impl GuestClock {
    /// A clock that shows `value`.
    pub fn new(value: u64) -> Self {
        let (slice, marks) = (SliceReads::default(), Vec::new());
        Self { value, requests: 0, reads: 0, slice, marks, each: false, faults: Faults::default() }
    }

    /// The same, marking each read where `each`: [`Started::record_reads`](crate::entry::Started::record_reads).
    #[must_use]
    pub fn marking_each(mut self, each: bool) -> Self {
        self.each = each;
        self
    }

    /// The same with faults: for tests.
    #[must_use]
    pub fn with_faults(mut self, faults: Faults) -> Self {
        self.faults = faults;
        self
    }

    /// The last value that the guest could see.
    pub fn value(&self) -> u64 {
        self.value
    }

    /// The guest is told something that happened at `value`, and enters a slice whose reads are `slice`.
    pub fn enter(&mut self, value: u64, slice: SliceReads) {
        self.value = self.value.max(value);
        (self.requests, self.reads) = (0, 0);
        self.slice = slice;
    }

    /// The guest, having made so many requests in this slice, reads the clock. `now` is the host's time; it is asked only when the read is live.
    pub fn read(&mut self, requests: usize, now: impl FnOnce() -> u64) -> u64 {
        if requests != self.requests {
            (self.requests, self.reads) = (requests, 0);
        }
        let elapsed = match self.slice.marks.front() {
            Some(mark) if (mark.requests, mark.reads) == (requests, self.reads) => {
                let elapsed = mark.elapsed;
                self.slice.marks.pop_front();
                elapsed
            }
            None if self.slice.live_from.is_some_and(|from| requests >= from) => {
                let now = now();
                if self.faults.has(Fault::ClockGoesBack) {
                    self.value = self.value.min(now);
                }
                now.saturating_sub(self.value)
            }
            _ => 0,
        };
        if elapsed == 0 && !self.each {
            self.reads += 1;
        } else {
            self.marks.push(Mark { requests, reads: self.reads, elapsed });
            self.value = self.value.saturating_add(elapsed);
            self.reads = 0;
        }
        self.value
    }

    /// The reads of the slice that gave another value, or all where each is marked, in order.
    pub fn take_marks(&mut self) -> Vec<Mark> {
        std::mem::take(&mut self.marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(requests: usize, reads: u64, elapsed: u64) -> Mark {
        Mark { requests, reads, elapsed }
    }

    #[test]
    fn a_live_read_is_the_later_of_the_last_value_and_the_hosts_time() {
        let mut clock = GuestClock::new(100);
        clock.enter(100, SliceReads::live());
        let reads = [(0, 100), (0, 90), (0, 103), (0, 103), (1, 103), (1, 110)]
            .map(|(requests, now)| clock.read(requests, || now));
        assert_eq!(reads, [100, 100, 103, 103, 103, 110]);
        assert_eq!(clock.take_marks(), [mark(0, 2, 3), mark(1, 1, 7)]);
    }

    #[test]
    fn a_replay_gives_the_same_values_read_by_read_and_asks_nobody() {
        let mut clock = GuestClock::new(100);
        let marks = [mark(0, 2, 3), mark(1, 1, 7)];
        clock.enter(100, SliceReads { marks: marks.into(), live_from: None });
        let reads = [0, 0, 0, 0, 1, 1, 1].map(|requests| clock.read(requests, || panic!("a live read")));
        assert_eq!(reads, [100, 100, 103, 103, 103, 110, 110]);
        assert_eq!(clock.take_marks(), marks);
    }

    #[test]
    fn reads_behind_the_last_recorded_request_are_live() {
        let mut clock = GuestClock::new(100);
        clock.enter(100, SliceReads { marks: [mark(0, 0, 5)].into(), live_from: Some(1) });
        let reads = [(0, 900), (0, 900), (1, 120)].map(|(requests, now)| clock.read(requests, || now));
        assert_eq!(reads, [105, 105, 120]);
    }

    #[test]
    fn what_the_guest_is_told_moves_the_clock_and_never_back() {
        let mut clock = GuestClock::new(100);
        clock.enter(150, SliceReads::live());
        assert_eq!(clock.read(0, || 120), 150);
        clock.enter(140, SliceReads::live());
        assert_eq!(clock.value(), 150);
    }
}
