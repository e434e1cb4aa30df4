//! Runs that ask, are put away, and go on.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod again;
mod cases;
mod divergence;
mod handle;
mod host;
mod in_place;
mod limits;
mod policy;
mod reads;
mod refusals;
mod time;
mod tokens;
