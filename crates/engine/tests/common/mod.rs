//! A host for tests: an engine without a ticker, and a loop that answers calls at once.
#![expect(clippy::allow_attributes, reason = "each test file uses what it needs")]
#![allow(dead_code, unreachable_pub, reason = "each test file uses what it needs")]

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};

use intermission_engine::{
    Call, ConsoleEntry, End, Engine, EngineConfig, Event, FixedClock, FunctionTable, Outcome, Request, Sandbox,
    SandboxLimits, Start, Step, Stop, Usage,
};
use intermission_value::{Value, decode, encode};

pub const NOW: u64 = 1_700_000_000_000;

/// Eight slots, one lane, ticks only when a test says so.
pub fn engine() -> Engine {
    Engine::new(EngineConfig { slots: NonZeroU32::new(8).unwrap(), lanes: NonZeroU32::MIN, tick: None }).unwrap()
}

pub fn start(engine: &Engine, start: Start<'_>) -> Sandbox {
    engine.start(start, FixedClock(NOW)).unwrap()
}

/// What came of a script.
#[derive(Debug)]
pub struct Ran {
    pub end: Result<End, Stop>,
    pub console: Vec<ConsoleEntry>,
    pub usage: Usage,
    pub calls: Vec<Call>,
}

impl Ran {
    pub fn value(&self) -> Value {
        match &self.end {
            Ok(End { result: Ok(bytes), .. }) => decode(bytes, usize::MAX).unwrap(),
            other => panic!("no value: {other:?}"),
        }
    }

    pub fn thrown(&self) -> String {
        match &self.end {
            Ok(End { result: Err(thrown), .. }) => {
                format!("{}: {}", thrown.name.as_deref().unwrap_or("?"), thrown.message.as_deref().unwrap_or("?"))
            }
            other => panic!("it did not throw: {other:?}"),
        }
    }

    pub fn stop(&self) -> Stop {
        self.end.as_ref().expect_err("it was not stopped").clone()
    }

    pub fn text(&self) -> Vec<&str> {
        self.console.iter().map(|entry| entry.text.as_str()).collect()
    }
}

/// Runs to the end. Every call is answered with its first argument, in call order; timers fire in the order in which they were set.
pub fn drive(mut sandbox: Sandbox) -> Ran {
    let mut calls = Vec::new();
    let end = run_to_end(&mut sandbox, &mut calls);
    Ran { end, console: sandbox.take_console(), usage: sandbox.usage(), calls }
}

fn run_to_end(sandbox: &mut Sandbox, calls: &mut Vec<Call>) -> Result<End, Stop> {
    let mut waiting = std::collections::VecDeque::new();
    let mut step = sandbox.advance(Event::Start)?;
    loop {
        waiting.extend(sandbox.take_requests());
        step = match step {
            Step::Ended(end) => return Ok(end),
            Step::Yielded => sandbox.advance(Event::Resumed)?,
            Step::Blocked(question) => panic!("nobody answers {question:?}"),
            Step::Idle => match waiting.pop_front().expect("a deadlock") {
                Request::Call(call) => {
                    let answer = encode(&first(&call)).unwrap();
                    calls.push(call.clone());
                    sandbox.advance(Event::Settled { call: call.id, outcome: Outcome::Fulfilled(&answer) })?
                }
                Request::TimerSet { timer, .. } => sandbox.advance(Event::Due(timer))?,
                Request::TimerCleared(_) => Step::Idle,
            },
        };
    }
}

/// The first argument of a call.
pub fn first(call: &Call) -> Value {
    match decode(&call.arguments, usize::MAX).unwrap() {
        Value::Array(arguments) => arguments.into_iter().next().flatten().unwrap_or_default(),
        other => panic!("arguments are an array, not {other:?}"),
    }
}

/// Runs a function body that may call `t.echo`.
pub fn run(text: &str) -> Ran {
    run_with(text, SandboxLimits::default())
}

pub fn run_with(text: &str, limits: SandboxLimits) -> Ran {
    let functions = FunctionTable::new([("t.echo", false)].into_iter());
    let engine = engine();
    drive(start(&engine, Start { functions: &functions, limits, ..Start::function_body(text) }))
}

/// Runs `body` while another thread raises the stop flag again and again.
pub fn ticking<T>(engine: &Engine, body: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                engine.tick();
                std::thread::yield_now();
            }
        });
        let done = body();
        over.store(true, Ordering::Relaxed);
        done
    })
}
