//! Which pages of a private mapping have only been read.

use std::ops::Range;

/// The parts of `addresses`, a private mapping of a file, whose pages are in memory and still the file's: they can be had again from there. None where the
/// system does not tell.
///
/// Source: the kernel's `Documentation/admin-guide/mm/pagemap.rst`.
#[cfg(target_os = "linux")]
pub(crate) fn only_read(addresses: Range<usize>) -> Vec<Range<usize>> {
    let size = rustix::param::page_size();
    let mut entries = vec![0; addresses.len() / size * ENTRY];
    // Opened each time: what is open tells of the process that opened it, after a fork too.
    let read = std::fs::File::open("/proc/self/pagemap").and_then(|pagemap| {
        std::os::unix::fs::FileExt::read_exact_at(
            &pagemap,
            &mut entries,
            (addresses.start / size * ENTRY) as u64,
        )
    });
    if read.is_err() {
        return Vec::new();
    }
    let (entries, _) = entries.as_chunks::<ENTRY>();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        if !is_a_files(u64::from_ne_bytes(*entry)) {
            continue;
        }
        let page = addresses.start + at * size..addresses.start + (at + 1) * size;
        match ranges.last_mut() {
            Some(last) if last.end == page.start => last.end = page.end,
            _ => ranges.push(page),
        }
    }
    ranges
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn only_read(_addresses: Range<usize>) -> Vec<Range<usize>> {
    Vec::new()
}

/// Bytes that tell of a page.
#[cfg(target_os = "linux")]
const ENTRY: usize = 8;

/// Whether a page is in memory and a file's. One that was written to is the process's own, whether in memory or swapped out; of one that nobody touched there is
/// nothing to say.
#[cfg(target_os = "linux")]
fn is_a_files(entry: u64) -> bool {
    const IS_THERE: u64 = 1 << 63;
    const IS_OF_A_FILE: u64 = 1 << 61;
    entry & (IS_THERE | IS_OF_A_FILE) == IS_THERE | IS_OF_A_FILE
}
