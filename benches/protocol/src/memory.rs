//! What the process has in memory, in KiB, as Linux counts it.

/// A field of `/proc/self/<file>`; `None` on a system that has no such thing.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/self/{file}")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Resident now, pages that are shared with others or mapped more than once counted each time.
pub(crate) fn resident() -> Option<u64> {
    field("status", "VmRSS")
}

/// Resident at most so far.
pub(crate) fn peak() -> Option<u64> {
    field("status", "VmHWM")
}

/// The machine's memory that it takes: each page once, however often it is mapped, and of pages that others share its share.
pub(crate) fn physical() -> Option<u64> {
    field("smaps_rollup", "Pss")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_that_was_written_is_resident_and_physical() {
        let (resident_before, physical_before) = (resident().unwrap(), physical().unwrap());
        let written = std::hint::black_box(vec![1_u8; 32 << 20]);
        assert!(resident().unwrap() >= resident_before + (31 << 10));
        assert!(physical().unwrap() >= physical_before + (31 << 10));
        assert!(peak().unwrap() >= resident().unwrap() - (1 << 10));
        drop(written);
    }

    #[test]
    fn a_field_that_is_not_there_has_no_value() {
        assert_eq!(field("status", "VmNothing"), None);
        assert_eq!(field("nothing", "VmRSS"), None);
    }
}
