//! Runs over a store in a file.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod answers;
mod bed;
mod closing;
mod events;
mod leaving;
mod life;
mod museum;
mod refused;
mod uncertain;
