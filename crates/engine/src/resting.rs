//! Makes sandboxes that wait for long small.
//!
//! All sandboxes of an image share its pages until they write to them, but a page that one has only read counts in the process's resident memory once for each. So
//! one that has rested for a while gives those pages back. They come again as they are read.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use slab::Slab;

use crate::pagemap;
use crate::raw::ImagePages;

/// Ticks after which a sandbox has rested for a while: to read its pages again then takes little beside what it has waited for.
const A_WHILE: u32 = 20;

/// How many give their pages back at one tick: it takes some 100 µs each, and the next tick waits for it.
const AT_ONCE: usize = 2;

/// The sandboxes of a lane that rest at this moment.
#[derive(Default)]
pub(crate) struct Resting {
    sleepers: Mutex<Sleepers>,
    shrunk: Condvar,
}

#[derive(Default)]
struct Sleepers {
    all: Slab<Sleeper>,
    /// How many of them have all their pages yet.
    whole: usize,
}

enum Sleeper {
    Whole {
        pages: ImagePages,
        ticks: u32,
    },
    /// The ticker is at its pages.
    Shrinking,
    Small,
}

/// A sandbox rests, as long as this lives: nobody is in it, and it is there.
pub(crate) struct Rest {
    resting: Arc<Resting>,
    key: usize,
}

impl Resting {
    /// A sandbox begins to rest.
    pub(crate) fn begin(self: &Arc<Self>, pages: ImagePages) -> Rest {
        let mut sleepers = self.open();
        sleepers.whole += 1;
        Rest { key: sleepers.all.insert(Sleeper::Whole { pages, ticks: 0 }), resting: Arc::clone(self) }
    }

    /// One tick. Whether any is left that has its pages.
    pub(crate) fn tick(&self) -> bool {
        let due = self.open().tick();
        for key in due {
            // Whoever wants to enter another goes on meanwhile.
            let Some(pages) = self.open().begin_to_shrink(key) else { continue };
            for addresses in pagemap::only_read(pages.addresses()) {
                pages.forget(addresses);
            }
            self.open().all[key] = Sleeper::Small;
            self.shrunk.notify_all();
        }
        self.open().whole > 0
    }

    fn open(&self) -> MutexGuard<'_, Sleepers> {
        self.sleepers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sleepers {
    /// Some of those that have rested for a while.
    fn tick(&mut self) -> Vec<usize> {
        let mut due = Vec::new();
        if self.whole == 0 {
            return due;
        }
        for (key, sleeper) in &mut self.all {
            if let Sleeper::Whole { ticks, .. } = sleeper {
                *ticks = ticks.saturating_add(1);
                if *ticks >= A_WHILE && due.len() < AT_ONCE {
                    due.push(key);
                }
            }
        }
        due
    }

    /// The pages of one that still rests as long.
    fn begin_to_shrink(&mut self, key: usize) -> Option<ImagePages> {
        let sleeper = self.all.get_mut(key)?;
        let Sleeper::Whole { pages, ticks: A_WHILE.. } = *sleeper else { return None };
        *sleeper = Sleeper::Shrinking;
        self.whole -= 1;
        Some(pages)
    }
}

impl Drop for Rest {
    fn drop(&mut self) {
        let sleepers = self.resting.open();
        let is_being_shrunk = |sleepers: &mut Sleepers| matches!(sleepers.all[self.key], Sleeper::Shrinking);
        let waited = self.resting.shrunk.wait_while(sleepers, is_being_shrunk);
        let mut sleepers = waited.unwrap_or_else(PoisonError::into_inner);
        if let Sleeper::Whole { .. } = sleepers.all.remove(self.key) {
            sleepers.whole -= 1;
        }
    }
}
