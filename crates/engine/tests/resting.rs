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
