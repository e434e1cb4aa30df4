//! Makes sandboxes that wait for long small.
//!
//! All sandboxes of an image share its pages until they write to them, but a page that one has only read counts in the process's resident memory once for each. So
//! one that has rested for a while gives those pages back. They come again as they are read.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use slab::Slab;

use crate::pagemap;
use crate::raw::ImagePages;

/// Ticks after which a sandbox has rested for a while: to read its pages again then takes little beside what it has waited for.
const A_WHILE: u32 = 20;

/// How many give their pages back at one tick: who wants to enter a sandbox of the lane waits for it.
const AT_ONCE: usize = 8;

/// The sandboxes of a lane that rest at this moment.
#[derive(Default)]
pub(crate) struct Resting(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    all: Slab<Sleeper>,
    /// How many of them have all their pages yet.
    whole: usize,
}

enum Sleeper {
    Whole { pages: ImagePages, ticks: u32 },
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
        let mut inner = self.open();
        inner.whole += 1;
        Rest { key: inner.all.insert(Sleeper::Whole { pages, ticks: 0 }), resting: Arc::clone(self) }
    }

    /// One tick. Whether any is left that has its pages.
    pub(crate) fn tick(&self) -> bool {
        let mut inner = self.open();
        if inner.whole == 0 {
            return false;
        }
        let mut shrunk = 0;
        for (_, sleeper) in &mut inner.all {
            let Sleeper::Whole { pages, ticks } = sleeper else { continue };
            *ticks = ticks.saturating_add(1);
            if *ticks >= A_WHILE && shrunk < AT_ONCE {
                for addresses in pagemap::unwritten(pages.addresses()) {
                    pages.forget(addresses);
                }
                *sleeper = Sleeper::Small;
                shrunk += 1;
            }
        }
        inner.whole -= shrunk;
        inner.whole > 0
    }

    fn open(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Rest {
    fn drop(&mut self) {
        let mut inner = self.resting.open();
        if let Sleeper::Whole { .. } = inner.all.remove(self.key) {
            inner.whole -= 1;
        }
    }
}
