//! What doors to other languages share: from what such a language wants to what the library takes, and the way back for what the library asks of it besides host calls. A door has a run driven as a [`Task`]; how messages
//! cross its own boundary is its own affair.
//!
//! Names in messages are those of JavaScript, whatever the language: `deadlineMs`.

mod asks;
mod hooks;
mod input;
mod message;
mod options;
mod refusal;
mod span;
mod task;
mod waker;

pub use self::asks::{Ask, Asks};
pub use self::input::{Bytes, Given, Resume, Run, continuation, host_error, interrupt};
pub use self::message::maybe;
pub use self::options::{Callers, EngineOptions, LimitOptions, RunnerOptions, SayCall, given};
pub use self::refusal::Refusal;
pub use self::span::Span;
pub use self::task::{Came, Task, Work};
pub use self::waker::{TaskWaker, Wake, waker};
