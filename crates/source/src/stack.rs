//! A stack that suffices, however a text nests.
//!
//! Parsers recurse. What they take was measured over 140 hostile patterns in an optimised build: at most 1.9
//! KiB for a bracket (`({a:`), 0.8 KiB for a decorator (`@@@`), and for everything else 340 bytes per byte of
//! text (`a=>a=>`).

use crate::nesting::Nesting;

const PER_BRACKET: usize = 4 * 1024 * UNOPTIMISED;
const PER_DECORATOR: usize = 1024 * UNOPTIMISED;
const PER_BYTE: usize = 400 * UNOPTIMISED;
const BASE: usize = 96 * 1024 * UNOPTIMISED;

/// Frames are larger in a build without optimisation.
const UNOPTIMISED: usize = if cfg!(debug_assertions) { 4 } else { 1 };

/// Runs the closure on a stack that suffices to parse a text of this length and nesting, and to walk its
/// tree. Only a text that might need more than is left gets a stack of its own; its memory is taken page by
/// page, as it is used.
pub(crate) fn with_stack_for<R>(bytes: usize, nesting: Nesting, run: impl FnOnce() -> R) -> R {
    let Nesting { open, decorators } = nesting;
    let enough = BASE + PER_BYTE * bytes + PER_BRACKET * open + PER_DECORATOR * decorators;
    stacker::maybe_grow(enough, enough, run)
}
