//! Whether two cores are really there: others may be using them.
#![expect(clippy::disallowed_methods, reason = "work in a given time is what is measured")]

use std::time::{Duration, Instant};

use crate::error::Error;

const TIME: Duration = Duration::from_millis(200);

/// What two threads get done, as a multiple of what one does: 2 where both cores are free.
pub(super) fn growth() -> f64 {
    let alone = spin();
    let together: u64 = std::thread::scope(|scope| {
        let threads = [scope.spawn(spin), scope.spawn(spin)];
        threads.into_iter().filter_map(|thread| thread.join().ok()).sum()
    });
    together as f64 / alone as f64
}

/// Turns of a loop.
fn spin() -> u64 {
    let began = Instant::now();
    let mut turns = 0;
    while began.elapsed() < TIME {
        for _ in 0..1000 {
            turns = std::hint::black_box(turns + 1);
        }
    }
    turns
}

/// The first two CPUs that this process may use, as `taskset` takes them.
pub(super) fn first_two() -> Result<[String; 2], Error> {
    let path = "/proc/self/status";
    let status = std::fs::read_to_string(path).map_err(Error::at(path.as_ref()))?;
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap_or_default();
    let cpus = expand(list.trim());
    match cpus[..] {
        [one, other, ..] => Ok([one.to_string(), format!("{one},{other}")]),
        _ => Err(Error::OneCore),
    }
}

/// `0-2,5` to 0, 1, 2, 5.
fn expand(ranges: &str) -> Vec<u32> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse().ok()?..=last.parse().ok()?)
    };
    ranges.split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_cpus_is_expanded() {
        assert_eq!(expand("0-2,5"), [0, 1, 2, 5]);
        assert_eq!(expand("3"), [3]);
        assert!(expand("").is_empty());
    }
}
