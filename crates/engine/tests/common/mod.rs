//! A host for tests: an engine without a ticker, and a loop that answers calls at once.
#![allow(dead_code, unreachable_pub, reason = "each test file uses what it needs")]

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use intermission_engine::{
    Call, Clock, ConsoleEntry, End, Engine, EngineConfig, Event, FunctionTable, Outcome, Request, Sandbox,
    SandboxLimits, Start, Step, Stop, Usage,
};
use intermission_value::{Value, decode, encode};

pub const NOW: u64 = 1_700_000_000_000;

/// Eight slots, one lane, ticks only when a test says so.
pub fn engine() -> Engine {
    Engine::new(EngineConfig { slots: NonZeroU32::new(8).unwrap(), lanes: NonZeroU32::MIN, tick: None })
        .unwrap()
}

/// A clock that the host moves: timers fire at the time at which they are due.
#[derive(Clone, Default)]
pub struct HostClock(Arc<AtomicU64>);

impl Clock for HostClock {
    fn now(&mut self, _requests: usize) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A sandbox and the clock that it sees, which begins at [`NOW`].
pub struct Started(pub Sandbox, pub HostClock);

pub fn start(engine: &Engine, start: Start<'_>) -> Sandbox {
    started(engine, start).0
}

pub fn started(engine: &Engine, start: Start<'_>) -> Started {
    let clock = HostClock(Arc::new(AtomicU64::new(NOW)));
    Started(engine.start(start, clock.clone()).unwrap(), clock)
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
                format!(
                    "{}: {}",
                    thrown.name.as_deref().unwrap_or("?"),
                    thrown.message.as_deref().unwrap_or("?")
                )
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

/// Runs to the end. Every call is answered with its first argument, in call order, before any timer; timers fire by due time, then in the order in which
/// they were set, and the clock moves to the time at which they are due.
pub fn drive(Started(mut sandbox, clock): Started) -> Ran {
    let mut calls = Vec::new();
    let end = run_to_end(&mut sandbox, &clock, &mut calls);
    Ran { end, console: sandbox.take_console(), usage: sandbox.usage(), calls }
}

fn run_to_end(sandbox: &mut Sandbox, clock: &HostClock, calls: &mut Vec<Call>) -> Result<End, Stop> {
    let mut waiting = VecDeque::new();
    let mut timers = BTreeMap::new();
    let mut step = sandbox.advance(Event::Start)?;
    loop {
        for request in sandbox.take_requests() {
            match request {
                Request::Call(call) => waiting.push_back(call),
                Request::TimerSet { timer, delay } => {
                    let due = clock.0.load(Ordering::Relaxed) + delay as u64;
                    timers.insert((due, timers.len(), timer), timer);
                }
                Request::Random(_) => {}
                Request::TimerCleared(cleared) => timers.retain(|_, timer| *timer != cleared),
            }
        }
        step = match step {
            Step::Ended(end) => return Ok(end),
            Step::Yielded => sandbox.advance(Event::Resumed)?,
            Step::Blocked(question) => panic!("nobody answers {question:?}"),
            Step::Idle => {
                let Some(call) = waiting.pop_front() else {
                    let ((due, ..), timer) = timers.pop_first().expect("a deadlock");
                    clock.0.fetch_max(due, Ordering::Relaxed);
                    step = sandbox.advance(Event::Due(timer))?;
                    continue;
                };
                let answer = encode(&first(&call)).unwrap();
                let id = call.id;
                calls.push(call);
                sandbox.advance(Event::Settled { call: id, outcome: Outcome::Fulfilled(answer) })?
            }
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
    drive(started(&engine, Start { functions: &functions, limits, ..Start::function_body(text) }))
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
