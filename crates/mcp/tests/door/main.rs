//! The server, as clients meet it: over stdio's framing, over HTTP, with elicitation, without, and over a restart.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;
mod client;
mod discovery;
mod http;
mod runs;
