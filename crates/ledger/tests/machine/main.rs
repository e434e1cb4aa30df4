//! The machine, told what a guest and a host do.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod clock;
mod dialect;
mod divergence;
mod ends;
mod lineage;
mod open_form;
mod refusals;
mod replay;
mod rest;
mod retry;
