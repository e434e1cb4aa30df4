//! A stack that suffices, however a text nests.
//!
//! Parsers recurse. What they take was measured over 140 hostile patterns in an optimised build: at most 1.9
//! KiB for a bracket (`({a:`), 0.8 KiB for a decorator (`@@@`), and for everything else 340 bytes per byte of
//! text (`a=>a=>`).

use crate::error::SourceError;
use crate::nesting::{Nesting, check_nesting};
use crate::skim::Grammar;

const PER_BRACKET: usize = 4 * 1024 * UNOPTIMISED;
const PER_DECORATOR: usize = 1024 * UNOPTIMISED;
const PER_BYTE: usize = 400 * UNOPTIMISED;
const BASE: usize = 96 * 1024 * UNOPTIMISED;

/// Frames are larger in a build without optimisation.
const UNOPTIMISED: usize = if cfg!(debug_assertions) { 4 } else { 1 };

/// Runs the closure on a stack that suffices to parse this text and to walk its tree. Only a text that might need more
/// than is left gets a stack of its own; its memory is taken page by page, as it is used.
///
/// # Errors
///
/// As [`check_nesting`]: there is no stack for a text that nests absurdly.
pub(crate) fn with_room_for<R>(
    text: &str,
    grammar: Grammar,
    run: impl FnOnce() -> R,
) -> Result<R, SourceError> {
    let Nesting { open, decorators } = check_nesting(text, grammar)?;
    let enough = BASE + PER_BYTE * text.len() + PER_BRACKET * open + PER_DECORATOR * decorators;
    Ok(stacker::maybe_grow(enough, enough, run))
}
