//! The timers of a run, in the order in which they are due.

use std::collections::BTreeMap;

use intermission_engine::TimerId;

/// Ordered by due time, then by the order in which they were set.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    due: BTreeMap<(u64, u64), TimerId>,
    places: BTreeMap<TimerId, (u64, u64)>,
    set: u64,
}

impl Timers {
    /// Sets a timer for `delay` milliseconds after `now`. A fraction of a millisecond is dropped, as browsers do.
    pub(crate) fn set(&mut self, timer: TimerId, now: u64, delay: f64) {
        let place = (now.saturating_add(delay.max(0.0) as u64), self.set);
        self.set += 1;
        self.due.insert(place, timer);
        self.places.insert(timer, place);
    }

    pub(crate) fn clear(&mut self, timer: TimerId) {
        if let Some(place) = self.places.remove(&timer) {
            self.due.remove(&place);
        }
    }

    /// When the next is due, in milliseconds since 1970.
    pub(crate) fn next_due(&self) -> Option<u64> {
        self.due.keys().next().map(|(due, _)| *due)
    }

    /// Takes the next, if it is due at `now`.
    pub(crate) fn take_due(&mut self, now: u64) -> Option<TimerId> {
        let entry = self.due.first_entry()?;
        if entry.key().0 > now {
            return None;
        }
        let timer = entry.remove();
        self.places.remove(&timer);
        Some(timer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_fire_by_due_time_then_by_the_order_they_were_set() {
        let mut timers = Timers::default();
        timers.set(1, 100, 50.0);
        timers.set(2, 100, 10.9);
        timers.set(3, 100, 10.0);
        timers.set(4, 100, 5.0);
        timers.clear(4);
        assert_eq!(timers.next_due(), Some(110));
        assert_eq!(timers.take_due(109), None);
        let fired: Vec<_> = std::iter::from_fn(|| timers.take_due(150)).collect();
        assert_eq!(fired, [2, 3, 1]);
        assert_eq!(timers.next_due(), None);
    }
}
