//! The numbers of the byte form: tags, simple values, bounds.

/// How many containers may stand inside each other.
pub const MAX_DEPTH: usize = 1_000;

/// 2^53 - 1, the greatest integer `n` such that `n` and `n + 1` are both exact (ECMA-262, `Number.MAX_SAFE_INTEGER`).
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// The greatest distance of a Date from the epoch, in milliseconds (ECMA-262, 21.4.1.1).
pub(crate) const MAX_TIME: i64 = 8_640_000_000_000_000;

pub(crate) mod simple {
    pub(crate) const HOLE: u8 = 0;
    pub(crate) const FALSE: u8 = 20;
    pub(crate) const TRUE: u8 = 21;
    pub(crate) const NULL: u8 = 22;
    pub(crate) const UNDEFINED: u8 = 23;
}

pub(crate) mod tag {
    pub(crate) const DATE: u64 = 1;
    pub(crate) const POSITIVE_BIGINT: u64 = 2;
    pub(crate) const NEGATIVE_BIGINT: u64 = 3;
    pub(crate) const SHARE: u64 = 28;
    pub(crate) const REFERENCE: u64 = 29;
    pub(crate) const REGEXP: u64 = 35;
    pub(crate) const SET: u64 = 258;
    pub(crate) const MAP: u64 = 259;
    pub(crate) const WTF8: u64 = 273;
    pub(crate) const NULL_PROTOTYPE: u64 = 40_500;
    pub(crate) const SHARED_VIEW: u64 = 40_502;
    pub(crate) const ERROR: u64 = 40_503;
}
