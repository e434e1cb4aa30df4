//! The steps of a run: what goes in, what comes out, in which order.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{NOW, drive, engine, first, run, start, started};
use intermission_engine::{
    Event, FunctionTable, Outcome, Position, Profile, Question, Request, SourceKind, Start, Step,
};
use intermission_value::{Value, decode, encode};

fn number(value: f64) -> Vec<u8> {
    encode(&Value::from(value)).unwrap()
}

#[test]
fn a_getter_among_the_arguments_may_call_too() {
    let ran = run(
        "let b; const a = t.echo({ get x() { b = t.echo(1); return 2 } }); return [(await a).x, await b]",
    );
    assert_eq!(ran.value(), Value::array([2.0, 1.0]));
}

#[test]
fn an_error_whose_details_cannot_be_told_keeps_its_name_message_and_place() {
    let ran = run("const e = new TypeError('bad'); e.set = new Set([() => 1, () => 1]); throw e");
    assert_eq!(ran.thrown(), "TypeError: bad");
    let ran = run("const e = new TypeError('bad'); e.big = 'x'.repeat(9e6); throw e");
    assert_eq!(ran.thrown(), "TypeError: bad");
    let ran = run("const e = new Error('deep'); e.errors = Array(100).fill(e); throw e");
    assert_eq!(ran.thrown(), "Error: deep");
}

#[test]
fn rejections_that_nobody_handles_are_told_in_bounded_number() {
    let ran = run("for (let i = 0; i < 1000; i++) Promise.reject('x'.repeat(100000))");
    assert_eq!(ran.end.unwrap().unhandled.len(), 100);
}

#[test]
fn a_function_body_may_await_and_return() {
    let ran = run("const a = await t.echo(20); const b = await t.echo(22); return a + b");
    assert_eq!(ran.value(), Value::from(42.0));
    assert_eq!(ran.usage.calls, 2);
}

#[test]
fn calls_of_one_slice_come_in_call_order_with_their_places() {
    let engine = engine();
    let functions = FunctionTable::new([("t.a", false), ("b", false)].into_iter());
    let text = "const x = [t.a(1), b('two')];\n  x.push(t.a());\nreturn Promise.all(x)";
    let mut sandbox = start(&engine, Start { functions: &functions, ..Start::function_body(text) });
    assert_eq!(sandbox.advance(Event::Start), Ok(Step::Idle));
    let requests = sandbox.take_requests();
    let calls: Vec<_> = requests
        .iter()
        .map(|request| match request {
            Request::Call(call) => (call.id, call.function, call.position.unwrap(), first(call)),
            other => panic!("{other:?}"),
        })
        .collect();
    let at = |line, column| Position { line, column };
    assert_eq!(
        calls,
        [
            (1, 0, at(1, 14), Value::from(1.0)),
            (2, 1, at(1, 20), Value::from("two")),
            (3, 0, at(2, 12), Value::Undefined),
        ]
    );
}

#[test]
fn outcomes_settle_in_the_order_in_which_they_are_given() {
    let engine = engine();
    let functions = FunctionTable::new([("f", false)].into_iter());
    let text = "const order = []; await Promise.all([f(1), f(2), f(3)].map(p => p.then(v => order.push(v)))); return order";
    let mut sandbox = start(&engine, Start { functions: &functions, ..Start::function_body(text) });
    assert_eq!(sandbox.advance(Event::Start), Ok(Step::Idle));
    for (call, value) in [(3, 30.0), (1, 10.0)] {
        let step = sandbox.advance(Event::Settled { call, outcome: Outcome::Fulfilled(number(value)) });
        assert_eq!(step, Ok(Step::Idle));
    }
    let step = sandbox.advance(Event::Settled { call: 2, outcome: Outcome::Fulfilled(number(20.0)) });
    let Ok(Step::Ended(end)) = step else { panic!("{step:?}") };
    assert_eq!(decode(&end.result.unwrap(), usize::MAX).unwrap(), Value::array([30.0, 10.0, 20.0]));
}

#[test]
fn a_rejection_is_thrown_at_the_await_with_the_place_of_the_call() {
    let engine = engine();
    let functions = FunctionTable::new([("f", false)].into_iter());
    let text =
        "try {\n  await f();\n} catch (e) { return [e instanceof RangeError, e.message, e.code, e.stack] }";
    let mut sandbox = start(&engine, Start { functions: &functions, ..Start::function_body(text) });
    assert_eq!(sandbox.advance(Event::Start), Ok(Step::Idle));
    let mut error = intermission_value::ErrorValue::new("RangeError", "too far");
    error.code = Some(intermission_value::ErrorCode::String("FAR".into()));
    let bytes = encode(&Value::Error(Box::new(error))).unwrap();
    let step = sandbox.advance(Event::Settled { call: 1, outcome: Outcome::Rejected(bytes) });
    let Ok(Step::Ended(end)) = step else { panic!("{step:?}") };
    let expected = Value::Array(vec![
        Some(true.into()),
        Some("too far".into()),
        Some("FAR".into()),
        Some("    at script.js:2:9\n".into()),
    ]);
    assert_eq!(decode(&end.result.unwrap(), usize::MAX).unwrap(), expected);
}

#[test]
fn a_blocking_call_stops_the_guest_on_the_spot() {
    let engine = engine();
    let functions = FunctionTable::new([("ask", true), ("later", false)].into_iter());
    let text = "later(1); const a = ask(2); later(3); return a + 1";
    let mut sandbox = start(&engine, Start { functions: &functions, ..Start::function_body(text) });
    let Ok(Step::Blocked(Question::Call(call))) = sandbox.advance(Event::Start) else {
        panic!("it should ask")
    };
    assert_eq!((call.id, call.function, first(&call)), (2, 0, Value::from(2.0)));
    assert_eq!(sandbox.take_requests().len(), 1);
    let step = sandbox.advance(Event::Answered(Outcome::Fulfilled(number(41.0))));
    let Ok(Step::Ended(end)) = step else { panic!("{step:?}") };
    assert_eq!(end.result.unwrap(), number(42.0));
    assert_eq!(sandbox.take_requests().len(), 1);
}

#[test]
fn a_blocking_call_can_throw() {
    let engine = engine();
    let functions = FunctionTable::new([("ask", true)].into_iter());
    let text = "try { ask() } catch (e) { return e }";
    let mut sandbox = start(&engine, Start { functions: &functions, ..Start::function_body(text) });
    assert!(matches!(sandbox.advance(Event::Start), Ok(Step::Blocked(_))));
    let step = sandbox.advance(Event::Answered(Outcome::Rejected(number(7.0))));
    let Ok(Step::Ended(end)) = step else { panic!("{step:?}") };
    assert_eq!(end.result.unwrap(), number(7.0));
}

#[test]
fn a_module_asks_for_the_names_and_texts_of_others_and_its_value_is_its_default_export() {
    let engine = engine();
    let text = "import { half } from './math.js'; export default half(input)";
    let eight = number(8.0);
    let module = Start { kind: SourceKind::Module, input: Some(&eight), ..Start::function_body(text) };
    let mut sandbox = start(&engine, module);
    let mut asked = Vec::new();
    let mut step = sandbox.advance(Event::Start).unwrap();
    let end = loop {
        step = match step {
            Step::Blocked(Question::Normalize { specifier, importer, .. }) => {
                asked.push(format!("{importer} wants {specifier}"));
                sandbox.advance(Event::Answered(Outcome::Fulfilled(b"math.js".to_vec()))).unwrap()
            }
            Step::Blocked(Question::Load { name, .. }) => {
                asked.push(format!("load {name}"));
                sandbox
                    .advance(Event::Answered(Outcome::Fulfilled(b"export const half = n => n / 2".to_vec())))
                    .unwrap()
            }
            Step::Ended(end) => break end,
            other => panic!("{other:?}"),
        };
    };
    assert_eq!(asked, ["script.js wants ./math.js", "load math.js"]);
    assert_eq!(end.result.unwrap(), number(4.0));
}

#[test]
fn timers_are_requests_in_the_order_of_the_script_and_fire_when_they_are_said_to_be_due() {
    let engine = engine();
    let text = "const log = []; const id = setTimeout(() => log.push('never'), 5); setTimeout(v => log.push(v), 10, 'ten'); \
                clearTimeout(id); await sleep(20); return log";
    let mut sandbox = start(&engine, Start::function_body(text));
    assert_eq!(sandbox.advance(Event::Start), Ok(Step::Idle));
    let requests = sandbox.take_requests();
    assert_eq!(
        requests,
        [
            Request::TimerSet { timer: 1, delay: 5.0 },
            Request::TimerSet { timer: 2, delay: 10.0 },
            Request::TimerCleared(1),
            Request::TimerSet { timer: 3, delay: 20.0 },
        ]
    );
    assert_eq!(sandbox.advance(Event::Due(2)), Ok(Step::Idle));
    let Ok(Step::Ended(end)) = sandbox.advance(Event::Due(3)) else { panic!("it should end") };
    assert_eq!(decode(&end.result.unwrap(), usize::MAX).unwrap(), Value::array(["ten"]));
}

#[test]
fn input_and_data_are_given_and_data_comes_back() {
    let engine = engine();
    let input = encode(&Value::object([("n", 2.0)])).unwrap();
    let data = encode(&Value::object([("seen", 0.0)])).unwrap();
    let text = "data.seen = input.n; return typeof input";
    let ran = drive(started(
        &engine,
        Start { input: Some(&input), data: Some(&data), ..Start::function_body(text) },
    ));
    assert_eq!(ran.value(), Value::from("object"));
    let data = ran.end.unwrap().data.unwrap();
    assert_eq!(decode(&data, usize::MAX).unwrap(), Value::object([("seen", 2.0)]));
}

#[test]
fn data_can_be_asked_for_while_the_run_waits() {
    let engine = engine();
    let functions = FunctionTable::new([("f", false)].into_iter());
    let text = "data = { step: 1 }; await f(); data.step = 2";
    let mut sandbox = start(&engine, Start { functions: &functions, ..Start::function_body(text) });
    assert_eq!(sandbox.advance(Event::Start), Ok(Step::Idle));
    assert_eq!(sandbox.advance(Event::Report), Ok(Step::Idle));
    let data = sandbox.take_data().unwrap().unwrap();
    assert_eq!(decode(&data, usize::MAX).unwrap(), Value::object([("step", 1.0)]));
}

#[test]
fn the_console_is_captured_in_order_with_text_and_values() {
    let ran = run("console.log('a', 1); console.warn({ b: [1, 2] }); console.table([{ k: 1 }]); return 0");
    let seen: Vec<_> = ran.console.iter().map(|entry| (entry.method.as_str(), entry.text.as_str())).collect();
    assert_eq!(
        seen,
        [
            ("log", "a 1"),
            ("warn", "{ b: [ 1, 2 ] }"),
            ("table", "┌─────────┬───┐\n│ (index) │ k │\n├─────────┼───┤\n│ 0       │ 1 │\n└─────────┴───┘"),
        ]
    );
    assert_eq!(ran.console[0].arguments, [Value::from("a"), Value::from(1.0)]);
}

#[test]
fn a_line_of_the_console_is_not_lost_with_arguments_that_cannot_be_told() {
    let ran = run("console.log(new Set([() => 1, () => 1]))");
    assert_eq!(ran.text(), ["Set(2) { [Function (anonymous)], [Function (anonymous)] }"]);
    assert_eq!(ran.console[0].arguments, []);
}

#[test]
fn the_same_start_gives_the_same_run() {
    let text = "const out = []; for (let i = 0; i < 50; i++) { out.push(Math.random(), Date.now(), crypto.randomUUID()); \
                await t.echo(i) } return out";
    let (first, second) = (run(text), run(text));
    assert_eq!(first.value(), second.value());
    assert_eq!((first.usage.fuel, first.usage.memory), (second.usage.fuel, second.usage.memory));
}

#[test]
fn another_seed_gives_other_random_numbers_and_the_clock_is_the_runs() {
    let engine = engine();
    let run = |seed| {
        let text = "return [Math.random(), crypto.randomUUID(), Date.now(), performance.now(), new Date().getTime()]";
        drive(started(&engine, Start { seed, ..Start::function_body(text) })).value()
    };
    let (one, two) = (run([1; 32]), run([2; 32]));
    assert_ne!(one.at(0), two.at(0));
    assert_ne!(one.at(1), two.at(1));
    assert_eq!(one.at(2), Some(&Value::from(NOW as f64)));
    assert_eq!(one.at(3), Some(&Value::from(0.0)));
    assert_eq!(one.at(4), one.at(2));
}

#[test]
fn code_from_strings_is_refused_unless_it_is_allowed() {
    let engine = engine();
    let text = "return [() => eval('1 + 1'), () => new Function('return 2')(), \
                () => (async () => {}).constructor('return 2')].map(f => { try { return typeof f() } catch (e) { return e.name } })";
    let run =
        |allow_eval| drive(started(&engine, Start { allow_eval, ..Start::function_body(text) })).value();
    assert_eq!(run(false), Value::array(["EvalError"; 3]));
    assert_eq!(run(true), Value::array(["number", "number", "function"]));
}

#[test]
fn the_bare_realm_has_the_language_and_the_console_and_nothing_else() {
    let engine = engine();
    let text = "console.log('here'); return ['setTimeout', 'URL', 'crypto', 'structuredClone', 'AbortSignal', 'Map', 'console', \
                'Intl', 'WebAssembly', 'SharedArrayBuffer', 'Atomics'].filter(name => name in globalThis)";
    let ran = drive(started(&engine, Start { profile: Profile::Bare, ..Start::function_body(text) }));
    assert_eq!(ran.value(), Value::array(["Map", "console"]));
    assert_eq!(ran.text(), ["here"]);
}

#[test]
fn an_expression_can_come_before_a_function_body_and_leaves_its_places_alone() {
    let engine = engine();
    let first = "globalThis.there = 'before'";
    let text = "'use strict'; return [there, (function () { return this === undefined })()]";
    let ran = drive(started(&engine, Start { first, ..Start::function_body(text) }));
    assert_eq!(ran.value(), Value::array([Value::from("before"), Value::from(true)]));
    let ran = drive(started(&engine, Start { first, ..Start::function_body("throw new Error('x')") }));
    let thrown = ran.end.unwrap().result.unwrap_err();
    assert_eq!((thrown.frames[0].line, thrown.frames[0].column), (1, 11));
}

#[test]
fn a_thrown_error_keeps_what_it_carries_and_shows_the_scripts_frames() {
    let text = "function inner() {\n  const why = new Error('why');\n  const e = new TypeError('bad', { cause: why });\n  e.code = 'E1';\n  throw e;\n}\ninner()";
    let ran = run(text);
    assert_eq!(ran.thrown(), "TypeError: bad");
    let thrown = ran.end.unwrap().result.unwrap_err();
    assert_eq!(thrown.properties, Some(Value::object([("code", "E1")])));
    assert_eq!(thrown.cause.as_ref().unwrap().message.as_deref(), Some("why"));
    let places: Vec<_> =
        thrown.frames.iter().map(|frame| (frame.function.as_deref(), frame.line, frame.column)).collect();
    assert_eq!(places, [(Some("inner"), 3, 43), (None, 7, 1)]);
}

#[test]
fn anything_can_be_thrown() {
    let thrown = run("throw { code: 42 }").end.unwrap().result.unwrap_err();
    assert_eq!((&thrown.name, &thrown.value), (&None, &Some(Value::object([("code", 42.0)]))));
}

#[test]
fn a_rejection_that_nobody_handles_is_told_at_the_end() {
    let ran = run(
        "Promise.reject(new Error('lost')); const p = Promise.reject(1); await null; p.catch(() => {}); return 5",
    );
    assert_eq!(ran.value(), Value::from(5.0));
    let unhandled = ran.end.unwrap().unhandled;
    assert_eq!(unhandled.len(), 1);
    assert_eq!(unhandled[0].message.as_deref(), Some("lost"));
}

#[test]
fn what_cannot_be_sent_is_refused_with_its_path() {
    assert_eq!(
        run("return { a: [1, () => 2] }").thrown(),
        "TypeError: cannot send the result.a[1]: a function"
    );
    let ran =
        run("try { await t.echo({ x: Symbol('s') }) } catch (e) { return [e.name, e.message, e.code] }");
    let expected = Value::array(["TypeError", "cannot send args[0].x: a symbol", "VALUE_REFUSED"]);
    assert_eq!(ran.value(), expected);
}

#[test]
fn a_syntax_error_has_a_place() {
    let ran = run("const a = 1;\nconst a = 2;");
    let thrown = ran.end.unwrap().result.unwrap_err();
    assert_eq!(thrown.name.as_deref(), Some("SyntaxError"));
    assert_eq!(thrown.frames[0].line, 2);
}
