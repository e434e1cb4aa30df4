//! The guest does not do what the record says.

use std::fmt;

use intermission_value::{Value, decode, first_difference};

use crate::entry::{Ending, Entry, Request};

/// What the guest did, at a place where a record says what it does.
#[derive(Clone, Debug, PartialEq)]
pub enum Attempt {
    /// It asked for this.
    Entry(Entry),
    /// It is idle: it waits to be told something.
    Idle,
}

/// A replay that does not follow its record. It is found before any host function is invoked.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// The index of the entry in the record, from 0.
    pub entry: usize,
    /// What it says.
    pub recorded: Entry,
    /// What the guest did instead.
    pub attempted: Attempt,
    /// The names of the host functions, by their number.
    pub functions: Vec<String>,
}

/// Why it may have come to that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The same call with other arguments.
    Arguments,
    /// A call of something else.
    Function,
    /// A call that the record does not have.
    CallTooMany,
    /// A recorded call that the script no longer makes.
    CallMissing,
    /// The script ends where the record goes on.
    EndedEarly,
    /// The script goes on where the record ends.
    EndedLate,
    /// It ends with another value.
    Value,
    /// The clock is read more or fewer times.
    Clock,
    /// Randomness is read more or fewer times.
    Random,
    /// Timers are set or cleared otherwise.
    Timer,
}

impl Cause {
    /// In a sentence, with what to do.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Arguments => {
                "the script computes other arguments than before: was it, or what it imports, changed?"
            }
            Self::Function => "the script calls another function than before: was it changed?",
            Self::CallTooMany => "the script makes a call that it did not make before: was it changed?",
            Self::CallMissing => "the script no longer makes a call that it made before: was it changed?",
            Self::EndedEarly => "the script ends earlier than before: was it changed?",
            Self::EndedLate => "the script goes on where it ended before: was it changed?",
            Self::Value => "the script ends with another value than before: was it changed?",
            Self::Clock => "the script reads the clock at other places than before: was it changed?",
            Self::Random => {
                "the script reads Math.random or crypto at other places than before: was it changed?"
            }
            Self::Timer => "the script sets or clears other timers than before: was it changed?",
        }
    }
}

impl Divergence {
    /// The stable code.
    pub const CODE: &'static str = "DIVERGED";

    /// The likely cause.
    pub fn cause(&self) -> Cause {
        let is_timer = |entry: &Entry| {
            matches!(entry, Entry::TimerSet { .. } | Entry::TimerCleared { .. } | Entry::TimerFired { .. })
        };
        match (&self.recorded, &self.attempted) {
            (
                Entry::Called { request: recorded, .. },
                Attempt::Entry(Entry::Called { request: attempted, .. }),
            ) => match (recorded, attempted) {
                (Request::Function { function: one, .. }, Request::Function { function: other, .. })
                    if one == other =>
                {
                    Cause::Arguments
                }
                _ => Cause::Function,
            },
            (Entry::Ended(_), Attempt::Entry(Entry::Ended(_))) => Cause::Value,
            (_, Attempt::Entry(Entry::Ended(_))) => Cause::EndedEarly,
            (Entry::Ended(_), _) => Cause::EndedLate,
            (Entry::Clock { .. }, _) | (_, Attempt::Entry(Entry::Clock { .. })) => Cause::Clock,
            (Entry::Random { .. }, _) | (_, Attempt::Entry(Entry::Random { .. })) => Cause::Random,
            (recorded, Attempt::Entry(attempted)) if is_timer(recorded) || is_timer(attempted) => {
                Cause::Timer
            }
            (_, Attempt::Entry(_)) => Cause::CallTooMany,
            (recorded, Attempt::Idle) if is_timer(recorded) => Cause::Timer,
            (_, Attempt::Idle) => Cause::CallMissing,
        }
    }

    /// The request index of the call that diverges, where it is a call.
    pub fn call(&self) -> Option<u32> {
        match (&self.attempted, &self.recorded) {
            (Attempt::Entry(Entry::Called { call, .. }), _) | (_, Entry::Called { call, .. }) => Some(*call),
            _ => None,
        }
    }

    /// Where the arguments first differ, for example `args[0].to`.
    pub fn argument_path(&self) -> Option<String> {
        let (
            Entry::Called { request: Request::Function { arguments: recorded, .. }, .. },
            Attempt::Entry(Entry::Called { request: Request::Function { arguments: attempted, .. }, .. }),
        ) = (&self.recorded, &self.attempted)
        else {
            return None;
        };
        if self.cause() != Cause::Arguments {
            return None;
        }
        let (recorded, attempted) = (decode(recorded, usize::MAX).ok()?, decode(attempted, usize::MAX).ok()?);
        first_difference(&recorded, &attempted).map(|path| format!("args{path}"))
    }

    /// What the record says, in short.
    pub fn recorded_text(&self) -> String {
        self.describe(&self.recorded)
    }

    /// What the guest did, in short.
    pub fn attempted_text(&self) -> String {
        match &self.attempted {
            Attempt::Entry(entry) => self.describe(entry),
            Attempt::Idle => "waiting".to_owned(),
        }
    }

    fn describe(&self, entry: &Entry) -> String {
        match entry {
            Entry::Called { call, request: Request::Function { function, arguments } } => {
                let name = self.functions.get(*function as usize).map_or("?", String::as_str);
                format!("call {call}, {name}({})", arguments_text(arguments))
            }
            Entry::Called { request: Request::Normalize { specifier, importer }, .. } => {
                format!("an import of {specifier:?} by {importer}")
            }
            Entry::Called { request: Request::Load { name }, .. } => format!("loading {name}"),
            Entry::Settled { call, .. } => format!("waiting for call {call}"),
            Entry::Clock { .. } => "a read of the clock".to_owned(),
            Entry::Random { .. } => "a read of randomness".to_owned(),
            Entry::TimerSet { timer, delay, .. } => format!("setting timer {timer} to {delay} ms"),
            Entry::TimerCleared { timer } => format!("clearing timer {timer}"),
            Entry::TimerFired { timer, .. } => format!("waiting for timer {timer}"),
            Entry::Paused => "waiting".to_owned(),
            Entry::Ended(Ending::Returned(value)) => format!("the end, with {}", value_text(value)),
            Entry::Ended(Ending::Threw { message, .. }) => format!("the end, with {message}"),
            other => other.name().to_owned(),
        }
    }
}

const SHOWN: usize = 120;

fn shorten(text: String) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn value_text(bytes: &[u8]) -> String {
    decode(bytes, usize::MAX).map_or_else(|_| "?".to_owned(), |value| shorten(format!("{value:?}")))
}

fn arguments_text(bytes: &[u8]) -> String {
    match decode(bytes, usize::MAX) {
        Ok(Value::Array(arguments)) => {
            let texts: Vec<String> =
                arguments.into_iter().map(|argument| format!("{:?}", argument.unwrap_or_default())).collect();
            shorten(texts.join(", "))
        }
        _ => "?".to_owned(),
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entry, .. } = self;
        write!(
            f,
            "the script does not do what it did before, at entry {entry} of the ledger: recorded is {}, now it is {}",
            self.recorded_text(),
            self.attempted_text()
        )?;
        if let Some(path) = self.argument_path() {
            write!(f, "; the first difference is at {path}")?;
        }
        write!(f, " ({})", self.cause().explanation())
    }
}

impl std::error::Error for Divergence {}
