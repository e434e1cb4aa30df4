//! The conformance corpus: pages of `conformance/cases`, read, and run through a door.
//!
//! A [`Page`] is prose with scripts; each of its [`Case`]s says what the host does and what is right, step by step, in no language in particular:
//! `conformance/README.md`. A [`Door`] translates steps for one surface of the project, lending scripts what a [`World`] does. [`check`] takes a case
//! through a door and says what is not as the page says.

mod call;
mod case;
mod check;
mod child;
mod door;
mod expect;
mod harness;
mod host;
#[cfg(feature = "mcp")]
mod mcp_server;
mod mismatch;
mod page;
mod page_error;
mod same;
mod sections;
mod step;
mod world;

pub use call::{Called, Made};
pub use case::{Case, Language, Need, Source};
pub use check::check;
pub use child::ChildDoor;
pub use door::{Answered, Door, Ended, Failure, Question, Resume, Run, Seen, Setting};
pub use expect::{Asked, Fails};
pub use harness::{corpus, run_corpus, trial};
pub use host::{Behavior, Effect, Function, Host, HostError, Verdict};
#[cfg(feature = "mcp")]
pub use mcp_server::McpServer;
pub use mismatch::Mismatch;
pub use page::{Page, read_folder};
pub use page_error::PageError;
pub use same::same;
pub use step::{Answer, Do, Reply, Rival, Step, To};
pub use world::{Done, Invocation, Outcome, Resumed, World, effects};
