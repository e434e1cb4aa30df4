//! What sandboxes have in memory. A file of its own: the figures are of the whole process.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{engine, first, start};
use intermission_engine::{End, Event, FunctionTable, Outcome, Request, Start, Step};
use intermission_value::{Value, decode, encode};

/// Surely longer than what makes a sandbox give its pages back.
const LONG: usize = 100;

#[test]
fn sandboxes_that_rest_for_long_give_back_the_pages_that_they_have_only_read() {
    let (engine, functions) = (engine(), FunctionTable::new([("ask", false)].into_iter()));
    let text = "return await ask([1, 2, 3].map((n) => `${n}`).join())";
    let begin = || start(&engine, Start { functions: &functions, ..Start::function_body(text) });
    let mut all: Vec<_> = (0..8).map(|_| begin()).collect();
    for sandbox in &mut all {
        assert_eq!(sandbox.advance(Event::Start), Ok(Step::Idle));
    }
    let before = resident();
    (0..LONG).for_each(|_| engine.tick());
    let after = resident();
    assert!(before.total > 8 * 400, "{before:?}");
    assert_eq!(after.written, before.written, "what was written stays");
    assert!(after.total - after.written < 100, "{before:?}, then {after:?}");
    for sandbox in &mut all {
        let [Request::Call(call)] = &sandbox.take_requests()[..] else { panic!("no call") };
        let step = sandbox
            .advance(Event::Settled {
                call: call.id,
                outcome: Outcome::Fulfilled(encode(&first(call)).unwrap()),
            })
            .unwrap();
        let Step::Ended(End { result: Ok(bytes), .. }) = step else { panic!("{step:?}") };
        assert_eq!(decode(&bytes, usize::MAX), Ok(Value::from("1,2,3")));
    }
}

/// What the images of this process's sandboxes have in memory, in KiB.
#[derive(Debug)]
struct Resident {
    total: u64,
    written: u64,
}

fn resident() -> Resident {
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut resident = Resident { total: 0, written: 0 };
    let mut of_an_image = false;
    for line in maps.lines() {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap();
        if !first.ends_with(':') {
            of_an_image = line.contains("wasm-memory-image");
        } else if of_an_image && (first == "Rss:" || first == "Anonymous:") {
            let size: u64 = words.next().unwrap().parse().unwrap();
            if first == "Rss:" { resident.total += size } else { resident.written += size }
        }
    }
    resident
}
