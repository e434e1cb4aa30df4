//! Which blocks of a realm a run writes to.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

const PAGE: usize = 4096;

/// The blocks of a realm: where each lies, and its number in the order of asking.
#[derive(Default)]
pub(crate) struct Blocks {
    by_address: BTreeMap<usize, Block>,
    /// The memory at the last look.
    seen: Vec<u8>,
    written: BTreeSet<u32>,
}

#[derive(Clone, Copy)]
struct Block {
    number: u32,
    size: usize,
}

/// A bit for each block, by its number: whether it lies near.
pub(crate) struct Places(Vec<u8>);

impl Blocks {
    /// Notes what the guest tells of a block: its address and size. A block that lay there before is gone.
    pub(crate) fn add(&mut self, number: u32, told: &[u8]) {
        if let Some((address, rest)) = told.split_first_chunk()
            && let Some((size, [])) = rest.split_first_chunk()
        {
            let size = u32::from_le_bytes(*size) as usize;
            self.by_address.insert(u32::from_le_bytes(*address) as usize, Block { number, size });
        }
    }

    /// The realm is made; from here on it is looked at.
    pub(crate) fn begin(&mut self, memory: &[u8]) {
        self.seen = memory.to_vec();
    }

    /// Finds the blocks that were written to since the last look.
    pub(crate) fn look(&mut self, memory: &[u8]) {
        for (index, page) in memory.chunks(PAGE).enumerate() {
            let from = index * PAGE;
            if self.seen.get(from..from + page.len()) != Some(page) {
                self.look_at_page(memory, from..from + page.len());
            }
        }
    }

    fn look_at_page(&mut self, memory: &[u8], page: Range<usize>) {
        self.seen.resize(memory.len(), 0);
        let first = self.by_address.range(..=page.start).next_back();
        let blocks = first.into_iter().chain(self.by_address.range(page.start + 1..page.end));
        for (address, Block { number, size }) in blocks {
            let place = (*address).max(page.start)..(*address + *size).min(page.end);
            if !place.is_empty() && self.seen[place.clone()] != memory[place] {
                self.written.insert(*number);
            }
        }
        self.seen[page.clone()].copy_from_slice(&memory[page]);
    }

    /// The blocks that were written to.
    pub(crate) fn written(&self) -> Places {
        let mut bits = vec![0; self.written.last().map_or(0, |last| (*last / 8 + 1) as usize)];
        for number in &self.written {
            bits[(number / 8) as usize] |= 1 << (number % 8);
        }
        Places(bits)
    }
}

impl Places {
    pub(crate) fn bits(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(told: &[(u32, u32, u32)]) -> Blocks {
        let mut blocks = Blocks::default();
        for (number, address, size) in told {
            blocks.add(*number, &[address.to_le_bytes(), size.to_le_bytes()].concat());
        }
        blocks.begin(&[0; 2 * PAGE]);
        blocks
    }

    fn memory(written: usize) -> Vec<u8> {
        let mut memory = vec![0; 2 * PAGE];
        memory[written] = 1;
        memory
    }

    #[test]
    fn a_block_that_was_written_to_has_its_bit_and_no_other() {
        let mut blocks = blocks(&[(0, 0, 4), (3, 4, 4), (9, 8, 4)]);
        assert_eq!(blocks.written().bits(), [0_u8; 0]);
        blocks.look(&memory(7));
        blocks.look(&memory(8));
        assert_eq!(blocks.written().bits(), [0b1000, 0b10]);
    }

    #[test]
    fn what_is_written_and_written_back_is_seen() {
        let mut blocks = blocks(&[(1, 16, 4)]);
        blocks.look(&memory(19));
        blocks.look(&[0; 2 * PAGE]);
        assert_eq!(blocks.written().bits(), [0b10]);
    }

    #[test]
    fn a_block_of_two_pages_is_seen_in_both() {
        for written in [PAGE - 1, PAGE, PAGE + 3] {
            let mut blocks = blocks(&[(0, 0, 4), (2, PAGE as u32 - 4, 8)]);
            blocks.look(&memory(written));
            assert_eq!(blocks.written().bits(), [0b100], "{written}");
        }
    }

    #[test]
    fn a_block_is_the_last_that_was_given_its_address() {
        let mut blocks = blocks(&[(0, 0, 8), (1, 0, 2)]);
        blocks.look(&memory(4));
        assert_eq!(blocks.written().bits(), [0_u8; 0]);
        blocks.look(&memory(1));
        assert_eq!(blocks.written().bits(), [0b10]);
    }
}
