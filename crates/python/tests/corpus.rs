//! The corpus through the Python package, which `crates/python/build.sh` has to have built: every step has a runner of its own.

use std::path::Path;
use std::process::{Command, ExitCode};

use intermission_testkit::{ChildDoor, run_corpus};

fn main() -> ExitCode {
    run_corpus("python", ChildDoor::offers, || {
        let room = Path::new(env!("CARGO_MANIFEST_DIR"));
        let built = room.join("python/intermission/_native.abi3.so");
        assert!(built.exists(), "build the Python package first: crates/python/build.sh debug");
        let door = room.join("tests/corpus/door.py");
        ChildDoor::start(
            ChildDoor::offers,
            Command::new("python3").arg(door).env("PYTHONPATH", room.join("python")),
        )
    })
}
