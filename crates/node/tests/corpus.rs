//! The corpus through the Node package, which `crates/node/build.sh` has to have built: every step has a runner of its own.

use std::path::Path;
use std::process::{Command, ExitCode};

use intermission_testkit::{ChildDoor, run_corpus};

fn main() -> ExitCode {
    run_corpus("node", ChildDoor::offers_runs, || {
        let door = Path::new(env!("CARGO_MANIFEST_DIR")).join("build/corpus/door.js");
        assert!(door.exists(), "build the Node package first: crates/node/build.sh debug");
        ChildDoor::start(ChildDoor::offers_runs, Command::new("node").arg(door))
    })
}
