//! Which pages of a private mapping have not been written to.

use std::ops::Range;

/// The parts of `addresses`, a private mapping of a file, whose pages are as the file has them, so that they can be had again from there. None where the system does
/// not tell.
///
/// Source: the kernel's `Documentation/admin-guide/mm/pagemap.rst`.
#[cfg(target_os = "linux")]
pub(crate) fn unwritten(addresses: Range<usize>) -> Vec<Range<usize>> {
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
        if is_written(u64::from_ne_bytes(*entry)) {
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
pub(crate) fn unwritten(_addresses: Range<usize>) -> Vec<Range<usize>> {
    Vec::new()
}

/// Bytes that tell of a page.
#[cfg(target_os = "linux")]
const ENTRY: usize = 8;

/// A page that was written to is the process's own: in memory without being a file's, or swapped out (or on its way elsewhere, which looks the same). One that is
/// neither was not touched.
#[cfg(target_os = "linux")]
fn is_written(entry: u64) -> bool {
    const IS_THERE: u64 = 1 << 63;
    const IS_SWAPPED: u64 = 1 << 62;
    const IS_OF_A_FILE: u64 = 1 << 61;
    entry & IS_SWAPPED != 0 || entry & (IS_THERE | IS_OF_A_FILE) == IS_THERE
}
