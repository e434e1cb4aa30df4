//! Tokens, from outside: what is read back, and above all what is not.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod canonical;
mod claims;
mod cose;
mod forge;
mod hostile;
mod keys;
mod kit;
mod limits;
mod museum;
mod round_trip;
mod tampering;
