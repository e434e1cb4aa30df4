//! The format that is written, against what was written before.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod example;
mod fingerprint;
mod museum;
mod samples;
