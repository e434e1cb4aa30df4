//! A guest and a host that do what is possible, as numbers choose, and remember it.

use intermission_ledger::entry::{
    Ending, Lent, Outcome, Place, Profile, Question, QuestionKind, Request, Resolution, SourceKind, Spent,
    Started,
};
use intermission_ledger::{
    Admitted, Asked, Delivery, Facts, Ledger, Mark as ClockMark, Over, Phase, Record, RunId, Standing,
};

use crate::values::{arguments, value};

/// What the guest did and was told, since its source began.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Seen {
    Asked(Asked),
    Told(Delivery),
    Given(u32, Outcome),
    Ended(Ending),
}

/// A place between two things that happened.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) length: usize,
    pub(crate) facts: Facts,
    pub(crate) seen: Vec<Seen>,
    /// Whether the guest has been told all that a retry kept.
    pub(crate) told: bool,
}

#[derive(Debug)]
pub(crate) struct Scribe {
    pub(crate) ledger: Ledger,
    pub(crate) marks: Vec<Mark>,
    seen: Vec<Seen>,
    /// Whether the guest computes, and so can ask.
    in_slice: bool,
    /// Whether it stands still for this call.
    blocked: Option<u32>,
    runs: u8,
    now: u64,
}

const BEGIN: u64 = 1_000;

impl Scribe {
    pub(crate) fn write(choices: &[(u8, u8)]) -> Self {
        // Half of them record their reads.
        let ledger = Ledger::begin(started(choices.len() % 2 == 1));
        let mut scribe =
            Self { ledger, marks: vec![], seen: vec![], in_slice: true, blocked: None, runs: 0, now: BEGIN };
        scribe.mark();
        for (choice, seed) in choices {
            scribe.now += u64::from(*seed % 4);
            if scribe.ledger.facts().over.is_some() {
                scribe.after_the_end(choice % 8, *seed);
            } else if scribe.in_slice && scribe.blocked.is_none() {
                scribe.guest(choice % 16, *seed);
            } else {
                scribe.host(choice % 16, *seed);
            }
            scribe.mark();
        }
        scribe
    }

    pub(crate) fn prefix(&self, length: usize) -> Record {
        Record::from_entries(self.ledger.record().entries()[..length].to_vec()).unwrap()
    }

    fn mark(&mut self) {
        let told = self.ledger.phase() != Phase::Replaying;
        let (length, facts) = (self.ledger.record().entries().len(), self.ledger.facts().clone());
        self.marks.push(Mark { length, facts, seen: self.seen.clone(), told });
    }

    fn asks(&mut self, asked: Asked) {
        assert_eq!(self.ledger.admit(asked.clone()), Ok(Admitted::New));
        self.seen.push(Seen::Asked(asked));
    }

    fn guest(&mut self, choice: u8, seed: u8) {
        let call = self.ledger.facts().last_call + 1;
        match choice {
            0..4 => {
                let request = Request::Function { function: u32::from(seed % 2), arguments: arguments(seed) };
                self.asks(Asked::Call { call, request });
            }
            4 => self.blocks(call, Request::Function { function: 2, arguments: arguments(seed) }),
            5 => self.blocks(call, Request::Load { name: format!("/{seed}.js") }),
            6 => self
                .blocks(call, Request::Normalize { specifier: "./a.js".into(), importer: "main.js".into() }),
            7 if self.ledger.record().started().record_reads => {
                let mark = ClockMark { requests: 0, reads: 0, elapsed: u64::from(seed % 3) };
                self.asks(if seed < 128 { Asked::Clock(mark) } else { Asked::Random(value(seed).to_vec()) });
            }
            7 => self.asks(Asked::Clock(ClockMark {
                requests: 0,
                reads: seed.into(),
                elapsed: u64::from(seed) + 1,
            })),
            8 => {
                let timer = self.ledger.record().entries().len() as u32;
                let due = self.ledger.facts().clock + u64::from(seed);
                self.asks(Asked::TimerSet { timer, delay: seed.into(), due });
            }
            9 => {
                if let Some(timer) = self.timers_set().pop() {
                    self.asks(Asked::TimerCleared(timer));
                }
            }
            10 if seed < 60 => self.ends(Ending::Returned(value(seed))),
            11 => {
                let rejected = self.seen.iter().rev().find_map(|seen| match seen {
                    Seen::Told(Delivery::Settled { call, outcome: Outcome::Rejected(_), .. })
                    | Seen::Given(call, Outcome::Rejected(_)) => Some(*call),
                    _ => None,
                });
                if rejected.is_some() || seed < 20 {
                    self.ends(Ending::Threw { message: "Error: no".to_owned(), call: rejected });
                }
            }
            _ => self.rests(),
        }
    }

    /// The guest is idle. What a retry kept is told first.
    fn rests(&mut self) {
        self.in_slice = false;
        if let Some(delivery) = self.ledger.deliver().unwrap() {
            self.seen.push(Seen::Told(delivery));
            self.in_slice = true;
        }
    }

    fn ends(&mut self, ending: Ending) {
        self.ledger.end(ending.clone()).unwrap();
        self.seen.push(Seen::Ended(ending));
    }

    fn blocks(&mut self, call: u32, request: Request) {
        self.asks(Asked::Call { call, request });
        assert_eq!(self.ledger.answer(call), Ok(None));
        self.blocked = Some(call);
    }

    fn host(&mut self, choice: u8, seed: u8) {
        let facts = self.ledger.facts();
        let of = |wanted: fn(&Standing) -> bool| -> Vec<u32> {
            // One that stands still has not yet heard what a retry kept: those calls are done.
            let only = self.blocked.filter(|_| self.ledger.phase() == Phase::Replaying);
            let open = facts.open.iter().filter(|(call, _)| only.is_none_or(|only| only == **call));
            let open = open.filter(|(_, open)| wanted(&open.standing));
            open.map(|(call, _)| *call).collect()
        };
        let pick = |calls: Vec<u32>| calls.get(usize::from(seed) % calls.len().max(1)).copied();
        match choice {
            0..3 => {
                let invokable = of(|standing| {
                    let done = matches!(
                        standing,
                        Standing::Answered(_, Resolution::Denied { .. } | Resolution::Happened(_))
                    );
                    !done && !matches!(standing, Standing::Asking(_))
                });
                if let Some(call) = pick(invokable) {
                    self.ledger.dispatch(call).unwrap();
                }
            }
            3..8 => {
                let able = of(|standing| matches!(standing, Standing::Dispatched));
                let able = match self.blocked {
                    Some(call) => able.into_iter().filter(|able| *able == call).collect(),
                    None => able,
                };
                if let Some(call) = pick(able) {
                    self.settles(call, seed);
                }
            }
            8 | 9 => {
                let able = of(|standing| matches!(standing, Standing::Called | Standing::Dispatched));
                if let Some(call) = pick(able) {
                    self.interrupts(call, seed);
                }
            }
            10 | 11 => {
                if let Some(call) = pick(of(|standing| matches!(standing, Standing::Asking(_)))) {
                    self.answers(call, seed);
                }
            }
            12 => {
                let _ = self.ledger.pause(spent(seed));
            }
            13 if self.blocked.is_none() => {
                if let Some((_, timer)) = self.ledger.facts().next_timer() {
                    let clock = self.ledger.fire(timer, self.now).unwrap();
                    self.seen.push(Seen::Told(Delivery::Fired { timer, clock }));
                    self.in_slice = true;
                }
            }
            14 => match seed % 8 {
                0 => self.ledger.cancel().unwrap(),
                1 => self.ledger.spend(spent(seed)).unwrap(),
                2 | 3 => self.ledger.note_use(u32::from(seed) % 3, [seed; 16]).unwrap(),
                4 => self.replace(Ledger::change_source(self.ledger.record().clone(), "2".to_owned())),
                5 => {
                    self.runs += 1;
                    let (record, run_id) = (self.ledger.record(), RunId::from_bytes([self.runs; 16]));
                    let fork = Ledger::fork(record, record.entries().len(), run_id).unwrap();
                    self.replace(fork);
                }
                _ => {}
            },
            _ => self.replace(self.ledger.record().clone()),
        }
    }

    fn settles(&mut self, call: u32, seed: u8) {
        let is_module = !matches!(self.ledger.facts().open[&call].request, Request::Function { .. });
        let outcome = match seed % 3 {
            0 => Outcome::Rejected(value(seed)),
            _ if is_module => Outcome::Fulfilled(value(3)),
            _ => Outcome::Fulfilled(value(seed)),
        };
        let clock = self.ledger.settle(call, self.now, outcome.clone()).unwrap();
        if self.ledger.facts().over.is_some() {
            return;
        }
        self.seen.push(match self.blocked.take() {
            Some(call) => Seen::Given(call, outcome),
            None => Seen::Told(Delivery::Settled { call, outcome, clock }),
        });
        self.in_slice = true;
    }

    fn interrupts(&mut self, call: u32, seed: u8) {
        let open = &self.ledger.facts().open[&call];
        let kind = match &open.standing {
            _ if self.ledger.facts().is_blocking(&open.request) => QuestionKind::OutcomeUnknown,
            Standing::Called => QuestionKind::Approval,
            _ if seed.is_multiple_of(2) => QuestionKind::Question,
            _ => QuestionKind::OutcomeUnknown,
        };
        if kind == QuestionKind::OutcomeUnknown && open.standing != Standing::Dispatched {
            return;
        }
        let some = |value| (seed.is_multiple_of(3)).then_some(value);
        let question = Question {
            call,
            ordinal: open.questions + 1,
            kind,
            payload: value(seed),
            state: some(value(seed / 2)),
            place: (seed.is_multiple_of(2)).then(|| Place { file: None, line: 1, column: seed.into() }),
            created: self.now,
            expires: (seed.is_multiple_of(3)).then_some(self.now + 5),
            default: some(value(seed / 3)),
        };
        self.ledger.interrupt(question).unwrap();
    }

    fn answers(&mut self, call: u32, seed: u8) {
        let Standing::Asking(question) = &self.ledger.facts().open[&call].standing else { return };
        let resolution = match (question.kind, seed % 4) {
            (_, 0) => Resolution::Expired,
            (QuestionKind::Question | QuestionKind::Event, _) => Resolution::Answered(value(seed)),
            (QuestionKind::Approval, 1) => {
                Resolution::Denied { reason: (seed.is_multiple_of(2)).then(|| "no".to_owned()) }
            }
            (QuestionKind::Approval, 2) => Resolution::Approved { arguments: Some(arguments(seed)) },
            (QuestionKind::Approval, _) => Resolution::Approved { arguments: None },
            (QuestionKind::OutcomeUnknown, 1) => Resolution::Happened(Outcome::Rejected(value(seed))),
            (QuestionKind::OutcomeUnknown, _) => Resolution::DidNotHappen,
        };
        self.ledger.resolve(call, self.now, resolution).unwrap();
    }

    fn after_the_end(&mut self, choice: u8, seed: u8) {
        let dispatched =
            self.ledger.facts().open.iter().find(|(_, open)| open.standing == Standing::Dispatched);
        let dispatched = dispatched.map(|(call, _)| *call);
        let threw =
            matches!(&self.ledger.facts().over, Some(Over::Ended(Ending::Threw { call: Some(_), .. })));
        match (choice, dispatched) {
            (0..3, Some(call)) if !self.ledger.facts().closed => self.settles(call, seed),
            (3, Some(call)) if !self.ledger.facts().closed => self.interrupts(call, seed),
            (4, _) => self.ledger.close().unwrap(),
            (5.., _) if threw => self.retries(),
            _ => {}
        }
    }

    fn retries(&mut self) {
        let Some(Over::Ended(Ending::Threw { call: Some(call), .. })) = self.ledger.facts().over else {
            return;
        };
        let Ok(record) = Ledger::retry(self.ledger.record().clone()) else { return };
        let cut = self.seen.iter().rposition(|seen| match seen {
            Seen::Told(Delivery::Settled { call: told, .. }) | Seen::Given(told, _) => *told == call,
            _ => false,
        });
        self.seen.truncate(cut.unwrap());
        self.in_slice = false;
        self.blocked = None;
        if let Some(Seen::Asked(Asked::Call { call: last, request })) = self.seen.last()
            && self.ledger.facts().is_blocking(request)
        {
            self.blocked = Some(*last);
        }
        self.replace(record);
        // The guest waits, unless it stands still, and hears at once what was kept.
        if self.blocked.is_none() {
            self.rests();
        }
    }

    /// Another process goes on with `record`.
    fn replace(&mut self, record: Record) {
        self.ledger = Ledger::resume(record).unwrap();
        replay(&mut self.ledger, &self.seen);
        if let Some(call) = self.blocked {
            assert_eq!(self.ledger.answer(call), Ok(None));
        } else if self.ledger.facts().over.is_none()
            && self.ledger.phase() == Phase::Replaying
            && !self.in_slice
        {
            self.rests();
        }
    }

    /// In the order in which they were set.
    fn timers_set(&self) -> Vec<u32> {
        let mut set = vec![];
        for seen in &self.seen {
            match seen {
                Seen::Asked(Asked::TimerSet { timer, .. }) => set.push(*timer),
                Seen::Asked(Asked::TimerCleared(timer)) | Seen::Told(Delivery::Fired { timer, .. }) => {
                    set.retain(|set| set != timer);
                }
                _ => {}
            }
        }
        set
    }
}

/// A guest that does what it did before.
pub(crate) fn replay(ledger: &mut Ledger, seen: &[Seen]) {
    for seen in seen {
        match seen {
            Seen::Asked(asked) => assert_eq!(ledger.admit(asked.clone()), Ok(Admitted::Recorded)),
            Seen::Told(delivery) => assert_eq!(ledger.deliver(), Ok(Some(delivery.clone()))),
            Seen::Given(call, outcome) => {
                assert_eq!(ledger.answer(*call), Ok(Some((outcome.clone(), ledger.clock()))));
            }
            Seen::Ended(ending) => assert_eq!(ledger.end(ending.clone()), Ok(())),
        }
    }
}

fn spent(seed: u8) -> Spent {
    Spent { fuel: seed.into(), cpu: u64::from(seed) * 2, console: 7 }
}

fn started(record_reads: bool) -> Started {
    let lent = |name: &str, blocking| Lent { name: name.to_owned(), blocking };
    Started {
        run_id: RunId::from_bytes([0xff; 16]),
        behavior: 0,
        source: "the scribe's".to_owned(),
        kind: SourceKind::Auto,
        name: "main.js".to_owned(),
        input: Some(value(5)),
        data: None,
        time: BEGIN,
        seed: [9; 32],
        stack: 1 << 20,
        profile: Profile::Bare,
        allow_eval: true,
        functions: vec![lent("a", false), lent("b.c", false), lent("d", true)],
        record_reads,
    }
}
