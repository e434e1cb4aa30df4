//! What passes between a guest and its sandbox while the guest runs.
//!
//! The guest's store is borrowed by the future that runs it, so what both sides need lies here, behind a lock that is
//! never contended: the guest runs, or its sandbox looks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use intermission_value::{Value, decode};

use crate::step::{Call, CallId, ConsoleEntry, End, Position, Question, Request};
use crate::{Clock, Exhausted, Limit, SandboxLimits, Start, Stop, Thrown};

/// `MESSAGE_` of guest/c/bridge.h.
#[derive(Clone, Copy)]
enum Message {
    Call,
    TimerSet,
    TimerClear,
    Console,
    Value,
    Thrown,
    Data,
    Unhandled,
    TooLarge,
    Random,
}

impl Message {
    fn of(kind: i32) -> Option<Self> {
        Some(match kind {
            1 => Self::Call,
            2 => Self::TimerSet,
            3 => Self::TimerClear,
            4 => Self::Console,
            5 => Self::Value,
            6 => Self::Thrown,
            7 => Self::Data,
            8 => Self::Unhandled,
            9 => Self::TooLarge,
            10 => Self::Random,
            _ => return None,
        })
    }
}

const MESSAGE_DATA: u32 = 7;

/// What a request takes besides its arguments, about.
const ENTRY_BYTES: u64 = 16;

#[derive(Clone)]
pub(crate) struct Mailbox(Arc<Mutex<Letters>>);

impl Mailbox {
    pub(crate) fn new(start: &Start<'_>, drops_console: bool, clock: Box<dyn Clock>) -> Self {
        Self(Arc::new(Mutex::new(Letters {
            inbox: Vec::new(),
            requests: Vec::new(),
            console: Vec::new(),
            console_bytes: 0,
            question: None,
            answer: None,
            yielding: false,
            value: None,
            thrown: None,
            data: None,
            unhandled: Vec::new(),
            calls: 0,
            last_file: Arc::default(),
            in_flight: 0,
            held: VecDeque::new(),
            held_bytes: 0,
            timers: 0,
            asked: 0,
            memory: 0,
            stop: None,
            limits: start.limits,
            record_reads: start.record_reads,
            read_bytes: start.read_bytes,
            reads_by: start.reads_by,
            drops_console,
            clock,
        })))
    }

    pub(crate) fn open(&self) -> MutexGuard<'_, Letters> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) struct Letters {
    /// What the guest may take.
    pub(crate) inbox: Vec<u8>,
    pub(crate) requests: Vec<Request>,
    console: Vec<Vec<u8>>,
    pub(crate) console_bytes: u64,
    pub(crate) question: Option<Question>,
    /// Rejected?
    pub(crate) answer: Option<bool>,
    /// The guest stands still for others.
    pub(crate) yielding: bool,
    value: Option<Vec<u8>>,
    thrown: Option<Thrown>,
    data: Option<Result<Vec<u8>, Thrown>>,
    unhandled: Vec<Thrown>,
    pub(crate) calls: u32,
    last_file: Arc<str>,
    in_flight: u32,
    /// Bytes of arguments of calls under way, in the order of the calls.
    held: VecDeque<(CallId, u64)>,
    held_bytes: u64,
    timers: u32,
    /// Bytes of what was asked for, about.
    asked: u64,
    /// The most linear memory that the guest had, in bytes.
    pub(crate) memory: u64,
    /// Why it is being stopped.
    pub(crate) stop: Option<Stop>,
    pub(crate) limits: SandboxLimits,
    record_reads: bool,
    /// What a read takes in the record besides.
    read_bytes: u64,
    /// The host function whose calls are reads.
    reads_by: Option<u32>,
    /// Whether what goes beyond the console's limit is dropped, and not the end of the run.
    drops_console: bool,
    clock: Box<dyn Clock>,
}

impl Letters {
    /// Notes why the guest is being stopped, once.
    pub(crate) fn stop(&mut self, stop: Stop) -> wasmtime::Error {
        self.stop.get_or_insert(stop);
        wasmtime::Error::msg("stopped")
    }

    fn bound(&mut self, limit: Limit, allowed: impl Into<u64>, used: u64) -> wasmtime::Result<()> {
        let allowed = allowed.into();
        if used > allowed {
            return Err(self.stop(Exhausted { limit, allowed, used }.into()));
        }
        Ok(())
    }

    /// A message of the guest. Nothing of it is trusted.
    pub(crate) fn receive(&mut self, kind: i32, id: u32, bytes: &[u8]) -> wasmtime::Result<()> {
        let malformed = || Stop::Trapped("a malformed message".to_owned());
        let Some(message) = Message::of(kind) else { return Err(self.stop(malformed())) };
        match message {
            Message::Call => {
                let call = self.call(id, bytes)?;
                self.hold(id, call.arguments.len() as u64)?;
                self.in_flight += 1;
                self.bound(Limit::InFlight, self.limits.in_flight, self.in_flight.into())?;
                self.requests.push(Request::Call(call));
            }
            Message::TimerSet => {
                let Ok(delay) = bytes.try_into().map(f64::from_le_bytes) else {
                    return Err(self.stop(malformed()));
                };
                self.note_asked(0)?;
                self.timers += 1;
                self.bound(Limit::Timers, self.limits.timers, self.timers.into())?;
                self.requests.push(Request::TimerSet { timer: id, delay });
            }
            Message::TimerClear => {
                self.note_asked(0)?;
                self.timer_gone();
                self.requests.push(Request::TimerCleared(id));
            }
            Message::Random => {
                self.note_asked(self.read_bytes + bytes.len() as u64)?;
                self.requests.push(Request::Random(bytes.to_vec()));
            }
            Message::Console => {
                self.console_bytes += bytes.len() as u64;
                if self.drops_console && self.console_bytes > self.limits.console.into() {
                    return Ok(());
                }
                self.bound(Limit::Console, self.limits.console, self.console_bytes)?;
                self.console.push(bytes.to_vec());
            }
            Message::Value => {
                self.bound(Limit::Result, self.limits.result, bytes.len() as u64)?;
                self.value = Some(bytes.to_vec());
            }
            Message::Data => {
                self.bound(Limit::Result, self.limits.result, bytes.len() as u64)?;
                self.data = Some(Ok(bytes.to_vec()));
            }
            Message::Thrown => {
                let thrown = Thrown::from_message(bytes);
                if id == MESSAGE_DATA {
                    self.data = Some(Err(thrown));
                } else {
                    self.thrown = Some(thrown);
                }
            }
            Message::Unhandled => {
                self.unhandled.push(Thrown::from_message(bytes));
            }
            Message::TooLarge => {
                let (limit, allowed) = match Message::of(id as i32) {
                    Some(Message::Call) => (Limit::Arguments, self.limits.arguments),
                    _ => (Limit::Result, self.limits.result),
                };
                self.bound(limit, allowed, u64::from(allowed) + 1)?;
            }
        }
        Ok(())
    }

    /// Of a message: function, line, column, length of the file's name, the name, arguments.
    pub(crate) fn call(&mut self, id: CallId, bytes: &[u8]) -> wasmtime::Result<Call> {
        let malformed = || Stop::Trapped("a malformed call".to_owned());
        let Some((head, rest)) = bytes.split_first_chunk::<16>() else { return Err(self.stop(malformed())) };
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let read = if self.reads_by == Some(word(0)) {
            self.read_bytes
        } else {
            self.count_call()?;
            0
        };
        let Some((file, arguments)) = rest.split_at_checked(word(12) as usize) else {
            return Err(self.stop(malformed()));
        };
        self.bound(Limit::Arguments, self.limits.arguments, arguments.len() as u64)?;
        self.note_asked(read + arguments.len() as u64)?;
        let position = (word(4) > 0).then(|| Position { line: word(4), column: word(8) });
        let file = position.map(|_| self.file(file));
        Ok(Call { id, function: word(0), file, position, arguments: arguments.to_vec() })
    }

    /// Most calls come from the file that the one before came from.
    fn file(&mut self, name: &[u8]) -> Arc<str> {
        if self.last_file.as_bytes() != name {
            self.last_file = String::from_utf8_lossy(name).into();
        }
        Arc::clone(&self.last_file)
    }

    /// A read of the clock: the run's time.
    pub(crate) fn now(&mut self) -> wasmtime::Result<u64> {
        if self.record_reads {
            self.note_asked(self.read_bytes)?;
        }
        Ok(self.clock.now(self.requests.len()))
    }

    /// Everything that is asked for is remembered: a script that asks without end must not fill the host's memory.
    fn note_asked(&mut self, bytes: u64) -> wasmtime::Result<()> {
        self.asked += ENTRY_BYTES + bytes;
        self.bound(Limit::Ledger, self.limits.ledger, self.asked)
    }

    /// What a script has under way at its host counts like memory of its own.
    fn hold(&mut self, call: CallId, bytes: u64) -> wasmtime::Result<()> {
        self.held.push_back((call, bytes));
        self.held_bytes += bytes;
        self.bound(Limit::Memory, self.limits.memory, self.memory + self.held_bytes)
    }

    /// A call has its outcome.
    pub(crate) fn settled(&mut self, call: CallId) {
        self.in_flight = self.in_flight.saturating_sub(1);
        if let Ok(at) = self.held.binary_search_by_key(&call, |(call, _)| *call) {
            self.held_bytes -= self.held.remove(at).map_or(0, |(_, bytes)| bytes);
        }
    }

    pub(crate) fn count_call(&mut self) -> wasmtime::Result<()> {
        self.calls += 1;
        self.bound(Limit::Calls, self.limits.calls, self.calls.into())
    }

    pub(crate) fn timer_gone(&mut self) {
        self.timers = self.timers.saturating_sub(1);
    }

    /// What the guest has told of the end, when it says that this is it.
    pub(crate) fn end(&mut self) -> Option<End> {
        let result = match (self.thrown.take(), self.value.take()) {
            (Some(thrown), _) => Err(Box::new(thrown)),
            (None, Some(value)) => Ok(value),
            (None, None) => return None,
        };
        let data = self.data()?.map_err(Box::new);
        Some(End { result, data, unhandled: std::mem::take(&mut self.unhandled) })
    }

    /// `data`, as the guest last told it.
    pub(crate) fn data(&mut self) -> Option<Result<Vec<u8>, Thrown>> {
        self.data.take()
    }

    /// The rejections that the guest last told.
    pub(crate) fn unhandled(&mut self) -> Vec<Thrown> {
        std::mem::take(&mut self.unhandled)
    }

    /// The console's new entries, in order.
    pub(crate) fn console(&mut self) -> Vec<ConsoleEntry> {
        self.console.drain(..).filter_map(|bytes| console_entry(&bytes)).collect()
    }
}

fn console_entry(bytes: &[u8]) -> Option<ConsoleEntry> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (line, arguments) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let Value::Array(line) = decode(line, usize::MAX).ok()? else { return None };
    let [Some(Value::String(method)), Some(Value::String(text))] = <[_; 2]>::try_from(line).ok()? else {
        return None;
    };
    let arguments = match decode(arguments, usize::MAX) {
        Ok(Value::Array(arguments)) => arguments.into_iter().map(Option::unwrap_or_default).collect(),
        // Two functions in a Set look the same as texts: then the line has to do.
        _ => Vec::new(),
    };
    Some(ConsoleEntry {
        method: method.to_string_lossy().into_owned(),
        text: text.to_string_lossy().into_owned(),
        arguments,
    })
}
