//! What a sandbox that waits for long gives back, and that it goes on as if it had not.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{engine, first, start};
use intermission_engine::{
    Call, End, Event, FunctionTable, Outcome, Question, Request, Sandbox, Start, Step, Usage,
};
use intermission_value::{Value, decode, encode};

/// Surely longer than what makes a sandbox give its pages back.
const LONG: usize = 100;

/// Writes to many pages, reads many, grows its memory, and asks on the way: every other time by a call that blocks.
const BUSY: &str = "
    const kept = [];
    for (let i = 0; i < 60; i++) {
        const text = JSON.stringify({ i, at: new Date(i * 1e9).toISOString(), big: 2n ** BigInt(i) + '' });
        kept.push(text.replace(/\\d+/g, (digits) => digits.length).padEnd(i * 500, '.'));
        kept.sort((a, b) => a.length - b.length);
        const answer = i % 2 ? await ask(i) : askNow(i);
        if (answer !== i) throw new Error(`${answer}, not ${i}`);
    }
    return [kept.length, kept.join('').length, new Map(kept.map((text, i) => [i, text.slice(0, 40)]))]
";

fn functions() -> FunctionTable {
    FunctionTable::new([("ask", false), ("askNow", true)].into_iter())
}

fn echo(call: &Call) -> Outcome {
    Outcome::Fulfilled(encode(&first(call)).unwrap())
}

/// Runs to the end; `meanwhile` happens whenever the sandbox waits.
fn run(sandbox: &mut Sandbox, mut meanwhile: impl FnMut()) -> (End, Usage) {
    let mut event = Event::Start;
    loop {
        event = match sandbox.advance(event).unwrap() {
            Step::Ended(end) => return (end, sandbox.usage()),
            Step::Yielded => Event::Resumed,
            Step::Blocked(Question::Call(call)) => Event::Answered(echo(&call)),
            Step::Blocked(question) => panic!("nobody answers {question:?}"),
            Step::Idle => {
                let requests = sandbox.take_requests();
                let [Request::Call(call)] = requests.as_slice() else { panic!("{requests:?}") };
                Event::Settled { call: call.id, outcome: echo(call) }
            }
        };
        meanwhile();
    }
}

#[test]
fn a_sandbox_goes_on_after_long_rests_as_if_there_had_been_none() {
    let (engine, functions) = (engine(), functions());
    let begin = || start(&engine, Start { functions: &functions, ..Start::function_body(BUSY) });
    let (end, usage) = run(&mut begin(), || {});
    let value = decode(end.result.as_ref().unwrap(), usize::MAX).unwrap();
    let Value::Array(parts) = &value else { panic!("{value:?}") };
    assert_eq!(parts[0], Some(Value::from(60.0)));
    assert!(usage.memory > 4 << 20, "it did not grow: {usage:?}");
    // Others of the same image rest meanwhile, one of them since before its start.
    let (mut resting, _early) = (begin(), begin());
    let (end_of_resting, usage_of_resting) = run(&mut resting, || (0..LONG).for_each(|_| engine.tick()));
    assert_eq!(end_of_resting.result, end.result);
    assert_eq!(
        (usage_of_resting.fuel, usage_of_resting.memory, usage_of_resting.calls),
        (usage.fuel, usage.memory, usage.calls)
    );
}

#[test]
fn a_place_that_a_long_rest_has_made_small_is_as_good_as_new_for_the_next() {
    let (engine, functions) = (engine(), functions());
    let begin = || start(&engine, Start { functions: &functions, ..Start::function_body(BUSY) });
    let (end, usage) = run(&mut begin(), || {});
    for _ in 0..20 {
        let mut given_up = begin();
        assert_eq!(given_up.advance(Event::Start).map(|step| matches!(step, Step::Blocked(_))), Ok(true));
        (0..LONG).for_each(|_| engine.tick());
        drop(given_up);
        let (end_of_next, usage_of_next) = run(&mut begin(), || {});
        assert_eq!((end_of_next.result, usage_of_next.fuel), (end.result.clone(), usage.fuel));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn sandboxes_that_rest_for_long_give_back_the_pages_that_they_have_only_read() {
    let (engine, functions) = (engine(), functions());
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
        let step = sandbox.advance(Event::Settled { call: call.id, outcome: echo(call) }).unwrap();
        let Step::Ended(End { result: Ok(bytes), .. }) = step else { panic!("{step:?}") };
        assert_eq!(decode(&bytes, usize::MAX), Ok(Value::from("1,2,3")));
    }
}

/// What the images of this process's sandboxes have in memory, in KiB.
#[cfg(target_os = "linux")]
#[derive(Debug)]
struct Resident {
    total: u64,
    written: u64,
}

#[cfg(target_os = "linux")]
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
