//! The corpus through the Node package, which `crates/node/build.sh` has to have built: every step has a runner of its own.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod node;
mod reply;

use std::process::ExitCode;

use intermission_testkit::run_corpus;
use node::Node;

fn main() -> ExitCode {
    run_corpus("node", node::offers, Node::start)
}
