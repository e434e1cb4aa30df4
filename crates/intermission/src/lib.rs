//! Scripts that can stop, ask, and carry on.
//!
//! A [`Runner`] runs untrusted JavaScript and TypeScript, mostly written by language models, in a WebAssembly sandbox. A script can do nothing but
//! compute and call the [`HostFunction`]s that it was lent. Every run is bounded by [`Limits`], and gives back a
//! [`RunResult`]: its value or why there is none, its console, what it used.

/// The README's examples run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

mod abort;
mod admit;
mod agenda;
mod answer;
mod begin;
mod budget;
mod claims;
mod clock;
pub mod codec;
mod continuation;
mod convert;
mod declarations;
mod dispatch;
mod diverged;
mod drive;
mod ending;
mod error;
mod events;
mod execution;
mod faulty;
mod frontier;
mod going_on;
mod halt;
mod host_call;
mod host_error;
mod host_function;
mod host_functions;
mod id;
mod inspection;
mod interruption;
mod invoke;
mod limits;
mod live;
mod modules;
mod pace;
mod policy;
mod positions;
mod premises;
mod resume;
mod resume_error;
mod run_handle;
mod run_input;
mod run_result;
mod runner;
mod schema;
mod script_error;
mod scripts;
mod seat;
mod sink;
mod slices;
mod snapshots;
mod timing;
mod wait_for;
mod word;
mod workers;

pub use abort::{AbortController, AbortSignal};
pub use claims::{Claimed, Claims, MemoryClaims, Point, answers_text};
pub use clock::{SystemTimeSource, TimeSource};
pub use continuation::Continuation;
pub use diverged::Diverged;
pub use error::RunError;
pub use execution::{Execution, Progress};
pub use host_call::{HostCall, Resume};
pub use host_error::{HostError, Interrupt};
pub use host_function::{Declared, Effect, HostFunction, Reconciled};
pub use host_functions::{HostFunctions, HostFunctionsError};
pub use id::InvocationId;
pub use inspection::Inspection;
pub use intermission_engine::{ConsoleEntry, EngineError, Exhausted, Frame, Limit, Position, Profile};
pub use intermission_ledger::{self as ledger, InterruptionId, RunId};
pub use intermission_source::{SourceError, SourceKind};
pub use intermission_value::{self as value, Value};
pub use interruption::{Answer, Interruption, InterruptionKind, Resolution};
pub use limits::Limits;
pub use live::RunEvent;
pub use modules::ModuleLoader;
pub use policy::{Decision, Ground, Policy, ProposedCall};
pub use resume::{ResumeFrom, ResumeInput};
pub use resume_error::ResumeError;
pub use run_handle::RunHandle;
pub use run_input::RunInput;
pub use run_result::{DetachedCall, Fate, Report, RunResult, Stats};
pub use runner::{Runner, RunnerBuilder};
pub use script_error::ScriptError;
pub use sink::{Batch, LedgerSink, SinkError};
pub use slices::{
    Entering, ErrorOrigin, Slice, SliceCall, SliceError, SliceOutcome, SliceRead, Slices, SlicesInput,
    SlicesRealm,
};
