//! All `unsafe` of the project but for a line of the build script, each piece with its reason.
#![expect(
    unsafe_code,
    reason = "loading precompiled code and a flag shared with running code cannot be said in safe Rust"
)]

use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

use wasmtime::{AsContext, Engine, Memory, Module, Result};

/// Loads machine code that the build script made.
///
/// # Errors
/// When the code was made with other settings or for a processor with features that this one lacks.
pub(crate) fn load(engine: &Engine, code: &[u8]) -> Result<Module> {
    // SAFETY: the bytes are `include_bytes!` of what this crate's build script compiled; nothing else reaches this function.
    unsafe { Module::deserialize(engine, code) }
}

/// The pages of an instance's memory that its image fills. They stay where they are for as long as the instance lives, however its memory grows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImagePages {
    base: NonNull<u8>,
    /// In bytes; whole pages.
    length: usize,
}

// SAFETY: it is an address; who may use it when is said at `forget`.
unsafe impl Send for ImagePages {}

impl ImagePages {
    /// The first `length` bytes of `memory`, which belongs to `store`.
    pub(crate) fn of(memory: Memory, store: impl AsContext, length: usize) -> Self {
        let length = length.min(memory.data_size(&store));
        Self { base: NonNull::new(memory.data_ptr(store)).expect("no memory is at the null address"), length }
    }

    /// Where they are in the process.
    pub(crate) fn addresses(self) -> Range<usize> {
        let base = self.base.as_ptr().addr();
        base..base + self.length
    }

    /// Gives the pages at `addresses` back to the system: what the image has there shows through again, and what was written there is gone. Where the system
    /// has no such call, or it fails, nothing happens.
    ///
    /// The instance must be alive and not entered meanwhile.
    pub(crate) fn forget(self, addresses: Range<usize>) {
        let all = self.addresses();
        assert!(all.start <= addresses.start && addresses.end <= all.end, "pages of another memory");
        #[cfg(target_os = "linux")]
        // SAFETY: the range is part of the instance's linear memory, which is mapped privately, and nobody else's: the instance is alive. No reference into it
        // exists, since nobody is in the instance.
        let _ = unsafe {
            let start = self.base.as_ptr().add(addresses.start - all.start);
            rustix::mm::madvise(start.cast(), addresses.len(), rustix::mm::Advice::LinuxDontNeed)
        };
    }
}

/// `PAUSE` and `STOP` of `guest/src/stop_checks.rs`.
const PAUSE: u32 = 1;
const STOP: u32 = 2;

/// The flag in a guest's second memory: a bit asks it to pause at the next loop that can, another stops it at the next loop of any kind.
///
/// It points into the memory slot of one instance. [`crate::ticker`] uses it only between a guest's entry and its exit, under a lock that the
/// exit takes, so the instance outlives every use. A panic does not change that: the guest's entry catches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StopFlag(NonNull<AtomicU32>);

// SAFETY: it is an address of an atomic; where it may be used is said above.
unsafe impl Send for StopFlag {}
// SAFETY: as above.
unsafe impl Sync for StopFlag {}

impl StopFlag {
    /// The flag in `memory`, which belongs to `store`.
    pub(crate) fn of(memory: Memory, store: impl AsContext) -> Self {
        #[expect(clippy::cast_ptr_alignment, reason = "memories begin at page boundaries")]
        let word = memory.data_ptr(store).cast::<AtomicU32>();
        Self(NonNull::new(word).expect("a memory of one page is not at the null address"))
    }

    /// Asks the guest to pause.
    pub(crate) fn ask_to_pause(self) {
        self.word().fetch_or(PAUSE, Ordering::Relaxed);
    }

    /// Takes that back; a guest that is to stop stops.
    pub(crate) fn has_paused(self) {
        self.word().fetch_and(!PAUSE, Ordering::Relaxed);
    }

    /// Stops the guest for good.
    pub(crate) fn stop(self) {
        self.word().fetch_or(STOP, Ordering::Relaxed);
    }

    /// Whether the guest is to stop.
    pub(crate) fn stops(self) -> bool {
        self.word().load(Ordering::Relaxed) & STOP != 0
    }

    /// Whether anything is asked.
    pub(crate) fn is_raised(self) -> bool {
        self.word().load(Ordering::Relaxed) != 0
    }

    /// Nothing is asked any more.
    pub(crate) fn lower(self) {
        self.word().store(0, Ordering::Relaxed);
    }

    fn word<'a>(self) -> &'a AtomicU32 {
        // SAFETY: the instance is alive (see the type), a page is larger than a word, memories begin at page boundaries, and compiled
        // code reads the word with an atomic load.
        unsafe { self.0.as_ref() }
    }
}
