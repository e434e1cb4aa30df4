//! The native layer of the Node package: the library's steps, in few and coarse calls. What crosses is bytes, the canonical form of `docs/values.md`, which TypeScript
//! writes and reads (`ts/value`). Nobody but `ts/native.ts` calls this.
//!
//! A run is a task with a number that JavaScript chose. Whatever moves a task on (`advance`, `settle`, `answer`, ...)
//! polls it at once, on the calling thread, and gives what came out as one message, or nothing. What wakes a task from elsewhere calls `wake(number)` on the event loop.
//! Durable runs (`runs.rs`) are driven on threads of their own instead, and ask for their host functions.
//!
//! Its tests are those of the package, in JavaScript: under Rust's own there is no Node, and nothing is compiled.
#![cfg(not(test))]

mod engine;
mod ledger;
mod message;
mod policy;
mod progress;
mod runner;
mod runs;
mod say;
mod slices;
