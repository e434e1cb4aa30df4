//! An uninterrupted run: the sandbox alone, told what a finished ledger says, in its order and by its clock.
//!
//! It shares neither the ledger's machine nor the loop of the library. What it says is what JavaScript says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use intermission::ConsoleEntry;
use intermission::ledger::entry::{Ending, Outcome, Request as Asked};
use intermission::ledger::{Entry, Record};
use intermission::value::decode;
use intermission_engine::{Clock, Engine, Event, FunctionTable, Question, Request, SourceKind, Start, Step};
use intermission_source::{Kind, Options, prepare};

/// What an uninterrupted run shows of itself.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    pub(crate) ending: Option<Ending>,
    pub(crate) console: Vec<ConsoleEntry>,
    pub(crate) data: Option<Vec<u8>>,
}

/// Runs what the record began with, and tells it what the record says.
///
/// # Errors
/// Where the guest does something else than the record says.
pub(crate) fn uninterrupted(engine: &Engine, record: &Record) -> Result<Shown, String> {
    let started = record.started();
    let script = prepare(&started.source, &Options::default()).map_err(|error| error.to_string())?;
    let functions =
        FunctionTable::new(started.functions.iter().map(|lent| (lent.name.as_str(), lent.blocking)));
    let reads = Reads(Arc::new(Mutex::new(Reading { value: started.time, ..Reading::default() })));
    let start = Start {
        text: &script.text,
        kind: match script.kind {
            Kind::FunctionBody => SourceKind::FunctionBody,
            Kind::Module => SourceKind::Module,
        },
        functions: &functions,
        data: started.data.as_deref(),
        seed: started.seed,
        record_reads: started.record_reads,
        ..Start::function_body("")
    };
    let mut sandbox = engine.start(start, reads.clone()).map_err(|error| error.to_string())?;
    let blocking = |asked: &Asked| match asked {
        Asked::Function { function, .. } => started.functions[*function as usize].blocking,
        Asked::Normalize { .. } | Asked::Load { .. } => true,
    };
    let mut told = Told::new(record);
    let mut event = Event::Start;
    loop {
        reads.enter(told.reads(blocking));
        let step = sandbox.advance(event).map_err(|stop| stop.to_string())?;
        for request in sandbox.take_requests() {
            told.request(&request)?;
        }
        event = match step {
            Step::Yielded => Event::Resumed,
            Step::Blocked(question) => Event::Answered(told.answer(question, &reads)?),
            Step::Idle => match told.next() {
                Some(Entry::Settled { call, elapsed, outcome }) => {
                    reads.pass(*elapsed);
                    Event::Settled { call: *call, outcome: guest(outcome) }
                }
                Some(Entry::TimerFired { timer, elapsed }) => {
                    reads.pass(*elapsed);
                    Event::Due(*timer)
                }
                other => return Err(format!("it waits, where the ledger has {other:?}")),
            },
            Step::Ended(end) => {
                let ending = match told.next() {
                    Some(Entry::Ended(ending)) => Some(ending.clone()),
                    other => return Err(format!("it ends, where the ledger has {other:?}")),
                };
                if let (Some(Ending::Returned(bytes)), result) = (&ending, &end.result)
                    && result.as_deref().ok() != Some(&**bytes)
                {
                    return Err(format!("it ends with {result:?}, in the ledger with {bytes:?}"));
                }
                return Ok(Shown { ending, console: sandbox.take_console(), data: end.data.ok() });
            }
        };
    }
}

fn guest(outcome: &Outcome) -> intermission_engine::Outcome {
    match outcome {
        Outcome::Fulfilled(bytes) => intermission_engine::Outcome::Fulfilled(bytes.to_vec()),
        Outcome::Rejected(bytes) => intermission_engine::Outcome::Rejected(bytes.to_vec()),
    }
}

/// What the guest can see, entry by entry.
struct Told<'r>(VecDeque<&'r Entry>);

impl<'r> Told<'r> {
    fn new(record: &'r Record) -> Self {
        Self(record.entries().iter().filter(|entry| entry.is_guest() && **entry != Entry::Paused).collect())
    }

    /// Reads of the clock are told ahead.
    fn next(&mut self) -> Option<&'r Entry> {
        while let Some(Entry::Clock { .. }) = self.0.front() {
            self.0.pop_front();
        }
        self.0.pop_front()
    }

    /// The reads of the slice that comes next: after how many requests, after how many reads, by how much.
    fn reads(&self, blocking: impl Fn(&Asked) -> bool) -> VecDeque<(usize, u64, u64)> {
        let (mut reads, mut requests) = (VecDeque::new(), 0);
        for entry in &self.0 {
            match entry {
                Entry::Clock { reads: after, elapsed } => reads.push_back((requests, *after, *elapsed)),
                Entry::Called { request, .. } if !blocking(request) => requests += 1,
                Entry::TimerSet { .. } | Entry::TimerCleared { .. } | Entry::Random { .. } => requests += 1,
                _ => break,
            }
        }
        reads
    }

    fn request(&mut self, request: &Request) -> Result<(), String> {
        let recorded = self.next();
        let same = match (request, recorded) {
            (
                Request::Call(call),
                Some(Entry::Called { call: id, request: Asked::Function { function, arguments } }),
            ) => (call.id, call.function, &call.arguments[..]) == (*id, *function, &**arguments),
            (
                Request::TimerSet { timer, delay },
                Some(Entry::TimerSet { timer: id, delay: recorded, .. }),
            ) => (*timer, *delay as u64) == (*id, *recorded),
            (Request::Random(bytes), Some(Entry::Random { value })) => bytes[..] == value[..],
            (Request::TimerCleared(timer), Some(Entry::TimerCleared { timer: id })) => timer == id,
            _ => false,
        };
        if same { Ok(()) } else { Err(format!("it asks for {request:?}, in the ledger is {recorded:?}")) }
    }

    fn answer(&mut self, question: Question, reads: &Reads) -> Result<intermission_engine::Outcome, String> {
        let recorded = self.next();
        let (id, asked, text) = match question {
            Question::Call(call) => {
                let arguments = call.arguments.into();
                (call.id, Asked::Function { function: call.function, arguments }, None)
            }
            Question::Normalize { id, specifier, importer } => {
                (id, Asked::Normalize { specifier, importer }, Some(Text::Name))
            }
            Question::Load { id, name } => (id, Asked::Load { name }, Some(Text::Module)),
        };
        if !matches!(recorded, Some(Entry::Called { call, request }) if (*call, request) == (id, &asked)) {
            return Err(format!("it asks for {asked:?}, in the ledger is {recorded:?}"));
        }
        match self.next() {
            Some(Entry::Settled { call, elapsed, outcome }) if *call == id => {
                reads.pass(*elapsed);
                match (outcome, text) {
                    (Outcome::Fulfilled(bytes), Some(kind)) => kind.read(bytes),
                    (outcome, _) => Ok(guest(outcome)),
                }
            }
            other => Err(format!("it waits for call {id}, in the ledger is {other:?}")),
        }
    }
}

/// What the guest gets as a text, and the ledger has as a value.
#[derive(Clone, Copy)]
enum Text {
    Name,
    Module,
}

impl Text {
    fn read(self, bytes: &[u8]) -> Result<intermission_engine::Outcome, String> {
        let value = decode(bytes, usize::MAX).map_err(|error| error.to_string())?;
        let text = value.as_str().ok_or_else(|| format!("no text: {value:?}"))?.to_owned();
        let text = match self {
            Self::Name => text,
            Self::Module => {
                let kind = intermission_source::SourceKind::Imported;
                let options = Options { kind, ..Options::default() };
                prepare(&text, &options).map_err(|error| error.to_string())?.text
            }
        };
        Ok(intermission_engine::Outcome::Fulfilled(text.into_bytes()))
    }
}

/// A clock that says what the ledger says.
#[derive(Clone)]
struct Reads(Arc<Mutex<Reading>>);

#[derive(Default)]
struct Reading {
    value: u64,
    coming: VecDeque<(usize, u64, u64)>,
    /// Requests, and reads since the last of them or of the last new value.
    at: (usize, u64),
}

impl Reads {
    fn enter(&self, coming: VecDeque<(usize, u64, u64)>) {
        let mut reading = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (reading.coming, reading.at) = (coming, (0, 0));
    }

    fn pass(&self, elapsed: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).value += elapsed;
    }
}

impl Clock for Reads {
    fn now(&mut self, requests: usize) -> u64 {
        let mut reading = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if reading.at.0 != requests {
            reading.at = (requests, 0);
        }
        match reading.coming.front().copied() {
            Some((after, reads, elapsed)) if (after, reads) == reading.at => {
                reading.value += elapsed;
                reading.at.1 = 0;
                reading.coming.pop_front();
            }
            _ => reading.at.1 += 1,
        }
        reading.value
    }
}
