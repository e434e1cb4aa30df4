//! A run as a test tells it: what the guest asks, what it is told, what the host does. Every sentence is checked as it is said.

use intermission_ledger::entry::{
    Ending, Lent, Outcome, Profile, Question, QuestionKind, Request, Resolution, SourceKind, Spent, Started,
};
use intermission_ledger::{
    Admitted, Asked, Delivery, Divergence, Entry, Ledger, LedgerError, Mark, Phase, Record, RunId,
};
use intermission_value::{Value, encode};

/// When every run begins.
pub(crate) const BEGIN: u64 = 1_000;

/// The numbers of the functions that are lent.
pub(crate) const ECHO: u32 = 0;
pub(crate) const SYNC: u32 = 1;

pub(crate) struct Run {
    pub(crate) ledger: Ledger,
    now: u64,
}

pub(crate) fn run() -> Run {
    Run { ledger: Ledger::begin(started()), now: BEGIN }
}

pub(crate) fn started() -> Started {
    let lent = |name: &str, blocking| Lent { name: name.to_owned(), blocking };
    Started {
        run_id: RunId::from_bytes([7; 16]),
        behavior: 0,
        source: "await t.echo(1)".to_owned(),
        kind: SourceKind::FunctionBody,
        name: "main.js".to_owned(),
        input: None,
        data: None,
        time: BEGIN,
        seed: [3; 32],
        stack: 1 << 20,
        profile: Profile::Full,
        allow_eval: false,
        functions: vec![lent("t.echo", false), lent("t.sync", true)],
        record_reads: false,
    }
}

pub(crate) fn bytes(value: impl Into<Value>) -> intermission_ledger::entry::Encoded {
    encode(&value.into()).unwrap().into()
}

/// A call of `t.echo` with its own number.
pub(crate) fn call(call: u32) -> Asked {
    call_with(call, Value::array([call]))
}

pub(crate) fn call_with(call: u32, arguments: Value) -> Asked {
    Asked::Call { call, request: Request::Function { function: ECHO, arguments: bytes(arguments) } }
}

/// A call that the guest stands still for.
pub(crate) fn blocking(call: u32) -> Asked {
    let request = Request::Function { function: SYNC, arguments: bytes(Value::array([call])) };
    Asked::Call { call, request }
}

pub(crate) fn load(call: u32, name: &str) -> Asked {
    Asked::Call { call, request: Request::Load { name: name.to_owned() } }
}

pub(crate) fn import(call: u32, specifier: &str) -> Asked {
    let request = Request::Normalize { specifier: specifier.to_owned(), importer: "main.js".to_owned() };
    Asked::Call { call, request }
}

pub(crate) fn clock(reads: u64, elapsed: u64) -> Asked {
    Asked::Clock(Mark { requests: 0, reads, elapsed })
}

pub(crate) fn timer(timer: u32, delay: u64) -> Asked {
    Asked::TimerSet { timer, delay, due: BEGIN + delay }
}

pub(crate) fn cleared(timer: u32) -> Asked {
    Asked::TimerCleared(timer)
}

pub(crate) fn fulfilled(value: &str) -> Outcome {
    Outcome::Fulfilled(bytes(value))
}

pub(crate) fn rejected(value: &str) -> Outcome {
    Outcome::Rejected(bytes(value))
}

pub(crate) fn returned(value: &str) -> Ending {
    Ending::Returned(bytes(value))
}

pub(crate) fn threw(call: u32) -> Ending {
    Ending::Threw { message: format!("Error: {call}"), call: Some(call) }
}

pub(crate) fn question(call: u32, ordinal: u32, kind: QuestionKind) -> Question {
    Question {
        call,
        ordinal,
        kind,
        payload: bytes("sure?"),
        state: None,
        place: None,
        created: BEGIN,
        expires: None,
        default: None,
    }
}

pub(crate) const SPENT: Spent = Spent { fuel: 10, cpu: 20, console: 30 };

impl Run {
    /// The host's clock shows `now` from here on.
    pub(crate) fn at(mut self, now: u64) -> Self {
        self.now = now;
        self
    }

    /// The guest does what it never did before.
    pub(crate) fn makes<const N: usize>(mut self, asked: [Asked; N]) -> Self {
        for asked in asked {
            assert_eq!(self.ledger.admit(asked.clone()), Ok(Admitted::New), "{asked:?}");
        }
        self
    }

    /// The guest does what it did before.
    pub(crate) fn repeats<const N: usize>(mut self, asked: [Asked; N]) -> Self {
        for asked in asked {
            assert_eq!(self.ledger.admit(asked.clone()), Ok(Admitted::Recorded), "{asked:?}");
        }
        self
    }

    /// The idle guest is told the outcome of `call` again.
    pub(crate) fn hears(mut self, call: u32, outcome: Outcome) -> Self {
        let delivery = self.ledger.deliver().unwrap();
        let Some(Delivery::Settled { call: told, outcome: what, clock }) = delivery else {
            panic!("{delivery:?}, not the outcome of call {call}");
        };
        assert_eq!((told, what, clock), (call, outcome, self.ledger.clock()));
        self
    }

    /// The idle guest is told again that `timer` is due.
    pub(crate) fn wakes(mut self, timer: u32) -> Self {
        let clock_after = |ledger: &Ledger| ledger.clock();
        let delivery = self.ledger.deliver();
        assert_eq!(delivery, Ok(Some(Delivery::Fired { timer, clock: clock_after(&self.ledger) })));
        self
    }

    /// The blocked guest is given the outcome of `call` again.
    pub(crate) fn gets(mut self, call: u32, outcome: Outcome) -> Self {
        let answer = self.ledger.answer(call);
        assert_eq!(answer, Ok(Some((outcome, self.ledger.clock()))));
        self
    }

    /// The record has nothing more for the idle guest.
    pub(crate) fn hears_nothing(mut self) -> Self {
        assert_eq!(self.ledger.deliver(), Ok(None));
        self
    }

    pub(crate) fn dispatches<const N: usize>(mut self, calls: [u32; N]) -> Self {
        for call in calls {
            assert_eq!(self.ledger.dispatch(call), Ok(()));
        }
        self
    }

    pub(crate) fn settles(mut self, call: u32, outcome: Outcome) -> Self {
        self.ledger.settle(call, self.now, outcome).unwrap();
        self
    }

    pub(crate) fn fires(mut self, timer: u32) -> Self {
        self.ledger.fire(timer, self.now).unwrap();
        self
    }

    pub(crate) fn asks(self, call: u32) -> Self {
        self.asks_as(call, 1, QuestionKind::Question)
    }

    pub(crate) fn asks_as(mut self, call: u32, ordinal: u32, kind: QuestionKind) -> Self {
        assert_eq!(self.ledger.interrupt(question(call, ordinal, kind)), Ok(()));
        self
    }

    pub(crate) fn resolves(mut self, call: u32, resolution: Resolution) -> Self {
        assert_eq!(self.ledger.resolve(call, self.now, resolution), Ok(()));
        self
    }

    pub(crate) fn pauses(mut self) -> Self {
        assert_eq!(self.ledger.pause(SPENT), Ok(()));
        self
    }

    pub(crate) fn ends(mut self, ending: Ending) -> Self {
        assert_eq!(self.ledger.end(ending), Ok(()));
        self
    }

    pub(crate) fn closes(mut self) -> Self {
        assert_eq!(self.ledger.close(), Ok(()));
        self
    }

    pub(crate) fn cancels(mut self) -> Self {
        assert_eq!(self.ledger.cancel(), Ok(()));
        self
    }

    /// Whatever `act` does to the ledger is refused, with this text, and changes nothing.
    pub(crate) fn refuses<T: std::fmt::Debug>(
        mut self,
        act: impl FnOnce(&mut Ledger) -> Result<T, LedgerError>,
        why: &'static str,
    ) -> Self {
        let (record, facts) = (self.ledger.record().clone(), self.ledger.facts().clone());
        assert_eq!(act(&mut self.ledger).unwrap_err(), LedgerError::Refused(why));
        assert_eq!(self.ledger.record(), &record);
        assert_eq!(self.ledger.facts(), &facts);
        self
    }

    pub(crate) fn stands(self, phase: Phase) -> Self {
        assert_eq!(self.ledger.phase(), phase);
        self
    }

    /// Kept as bytes, read by somebody else, from the top.
    pub(crate) fn resumed(self) -> Self {
        let bytes = self.ledger.record().encode();
        self.over(Record::decode(&bytes).unwrap())
    }

    /// The same of the first entries only.
    pub(crate) fn resumed_after(self, entries: usize) -> Self {
        let first = self.ledger.record().entries()[..entries].to_vec();
        self.over(Record::from_entries(first).unwrap())
    }

    /// Resumed with the call made again whose rejection ended the run.
    pub(crate) fn retried(self) -> Self {
        let record = Ledger::retry(self.ledger.record().clone()).unwrap();
        self.over(record).resumed()
    }

    fn over(self, record: Record) -> Self {
        Self { ledger: Ledger::resume(record).unwrap(), now: self.now }
    }

    /// How the guest's `asked` differs from the record.
    pub(crate) fn diverges(mut self, asked: Asked) -> Divergence {
        diverged(self.ledger.admit(asked))
    }

    pub(crate) fn record(&self) -> &Record {
        self.ledger.record()
    }

    /// The record's entries in short: `called 1`, `paused`.
    pub(crate) fn entries(&self) -> Vec<String> {
        self.record().entries().iter().map(short).collect()
    }
}

pub(crate) fn diverged<T: std::fmt::Debug>(result: Result<T, LedgerError>) -> Divergence {
    match result {
        Err(LedgerError::Diverged(divergence)) => *divergence,
        other => panic!("{other:?}, not a divergence"),
    }
}

fn short(entry: &Entry) -> String {
    let name = entry.name();
    match entry {
        Entry::Called { call, .. }
        | Entry::Settled { call, .. }
        | Entry::Dispatched { call }
        | Entry::Resolved { call, .. }
        | Entry::Abandoned { call }
        | Entry::Retried { call } => format!("{name} {call}"),
        Entry::Interrupted(question) => format!("{name} {}", question.call),
        Entry::TimerSet { timer, .. } | Entry::TimerCleared { timer } | Entry::TimerFired { timer, .. } => {
            format!("{name} {timer}")
        }
        _ => name.to_owned(),
    }
}
