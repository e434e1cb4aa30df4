//! The sandbox: guest in, steps out.
//!
//! The only crate that knows wasmtime. It runs a script in a WebAssembly instance a *slice* at a time and says what the script asks for; what becomes of
//! that is not its business. It waits for nothing and has no clock, randomness or input of its own, so that
//! the guest is a function of what it is fed.
//!
//! - [`Engine`]: compiled code and pools of memory, shared by all runs of a process.
//! - [`Start`]: what a run begins with.
//! - [`Sandbox`]: one run. [`Sandbox::advance`] takes an [`Event`] and gives a [`Step`].
//! - [`Request`]: what the script wants: host calls, timers.
//! - [`Limit`], [`Exhausted`], [`Stop`]: what a script may use, and how it is stopped: its instance is dropped, so nothing in the script can see or prevent
//!   it.

mod engine;
mod frame;
mod guest;
mod imports;
mod lane;
mod limits;
mod mailbox;
mod meter;
mod pagemap;
mod raw;
mod resting;
mod sandbox;
mod settings;
mod step;
mod stopper;
mod thrown;
mod ticker;
mod url;

pub use engine::{Clock, Engine, EngineConfig, EngineError, FixedClock, Profile, SourceKind, Start};
pub use frame::FunctionTable;
pub use limits::{Exhausted, Limit, SandboxLimits};
pub use sandbox::{Sandbox, Usage};
pub use step::{
    Call, CallId, ConsoleEntry, End, Event, Outcome, Position, Question, Request, Step, Stop, TimerId,
};
pub use stopper::Stopper;
pub use thrown::{Frame, Thrown};
