//! What a record says so far: a fold over its entries, which is also the check that they make sense.

use std::collections::{BTreeMap, BTreeSet};

use minicbor::bytes::ByteVec;

use crate::entry::{Ending, Entry, Outcome, Question, QuestionKind, Request, Resolution, Spent, Started};
use crate::{InterruptionId, RunId};

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The run; that of the newest fork.
    pub run_id: RunId,
    /// The clock's last value.
    pub clock: u64,
    /// Calls without an outcome, by request index.
    pub open: BTreeMap<u32, OpenCall>,
    /// The highest request index.
    pub last_call: u32,
    /// When each timer is due that is set, and how many were set before it.
    timers: BTreeMap<u32, (u64, u64)>,
    /// The same by time: due, set, which.
    due: BTreeSet<(u64, u64, u32)>,
    /// Calls whose question is open.
    asking: BTreeSet<u32>,
    /// The host functions that were called, by their number, and what their schemas were.
    pub used: BTreeMap<u32, [u8; 16]>,
    /// What was used.
    pub spent: Spent,
    /// Whether and how it is over.
    pub over: Option<Over>,
    /// Whether nothing is awaited any more.
    pub closed: bool,
    /// Whether the guest has seen nothing since the run was put away.
    pub at_rest: bool,
    blocking: Vec<bool>,
    timers_set: u64,
}

/// How a run is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Over {
    /// The script has ended.
    Ended(Ending),
    /// It was cancelled.
    Cancelled,
}

/// A call without an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenCall {
    /// What it asks for.
    pub request: Request,
    /// What was done about it.
    pub standing: Standing,
    /// How many questions it has asked.
    pub questions: u32,
    /// Its latest question with its answer: what the host function is invoked again with.
    pub resume: Option<(Question, Resolution)>,
    /// The arguments that an approver put in place of the script's.
    pub edited: Option<ByteVec>,
}

/// What was done about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing.
    Called,
    /// The host function was invoked; what came of it nobody knows.
    Dispatched,
    /// It asks.
    Asking(Question),
    /// It was answered, and nothing was done since.
    Answered(Question, Resolution),
}

impl OpenCall {
    /// The arguments that the host function gets.
    pub fn effective_arguments(&self) -> Option<&[u8]> {
        match (&self.edited, &self.request) {
            (Some(edited), _) => Some(edited),
            (None, Request::Function { arguments, .. }) => Some(arguments),
            (None, _) => None,
        }
    }
}

impl Facts {
    pub(crate) fn new(started: &Started) -> Self {
        Self {
            run_id: started.run_id,
            clock: started.time,
            open: BTreeMap::new(),
            last_call: 0,
            timers: BTreeMap::new(),
            due: BTreeSet::new(),
            asking: BTreeSet::new(),
            used: BTreeMap::new(),
            spent: Spent::default(),
            over: None,
            closed: false,
            at_rest: false,
            blocking: started.functions.iter().map(|function| function.blocking).collect(),
            timers_set: 0,
        }
    }

    /// The pending questions, in order of their calls.
    pub fn questions(&self) -> impl Iterator<Item = (InterruptionId, &OpenCall, &Question)> {
        self.asking.iter().filter_map(|call| self.open.get(call)).filter_map(|call| match &call.standing {
            Standing::Asking(question) => {
                Some((InterruptionId::new(self.run_id, question.call, question.ordinal), call, question))
            }
            _ => None,
        })
    }

    /// The next timer: when it is due and which.
    pub fn next_timer(&self) -> Option<(u64, u32)> {
        self.due.first().map(|(due, _, timer)| (*due, *timer))
    }

    /// Whether the guest stands still until a call is answered.
    pub fn is_blocking(&self, request: &Request) -> bool {
        match request {
            Request::Function { function, .. } => {
                self.blocking.get(*function as usize).copied().unwrap_or(false)
            }
            Request::Normalize { .. } | Request::Load { .. } => true,
        }
    }

    /// Adds an entry, if it can follow on what is there.
    pub(crate) fn apply(&mut self, entry: &Entry) -> Result<(), &'static str> {
        self.may_follow(entry)?;
        if entry.is_guest() {
            self.at_rest = matches!(entry, Entry::Paused);
        }
        match entry {
            Entry::Called { call, request } => self.called(*call, request)?,
            Entry::Settled { call, elapsed, outcome } => self.settled(*call, *elapsed, outcome)?,
            Entry::Clock { elapsed, .. } => self.pass(*elapsed)?,
            Entry::TimerSet { timer, due, .. } => {
                let due = self.clock.checked_add(*due).ok_or("a timer beyond all time")?;
                self.clear_timer(*timer);
                self.timers.insert(*timer, (due, self.timers_set));
                self.due.insert((due, self.timers_set, *timer));
                self.timers_set += 1;
            }
            Entry::TimerCleared { timer } => drop(self.clear_timer(*timer)),
            Entry::TimerFired { timer, elapsed } => {
                self.clear_timer(*timer).ok_or("a timer that is not set")?;
                self.pass(*elapsed)?;
            }
            Entry::Ended(ending) => self.over = Some(Over::Ended(ending.clone())),
            Entry::Closed if self.over.is_none() => return Err("the closing of a run that is not over"),
            Entry::Closed => self.closed = true,
            Entry::Cancelled => self.over = Some(Over::Cancelled),
            Entry::Dispatched { call } => self.open(*call)?.dispatch()?,
            Entry::Interrupted(question) => {
                self.open(question.call)?.ask(question)?;
                self.asking.insert(question.call);
            }
            Entry::Resolved { call, resolution, .. } => {
                self.open(*call)?.answer(resolution)?;
                self.asking.remove(call);
            }
            Entry::Abandoned { call } => {
                self.open.remove(call).ok_or("a call that is not open")?;
                self.asking.remove(call);
            }
            Entry::Forked { run_id, .. } => self.run_id = *run_id,
            Entry::Used { function, fingerprint } => drop(self.used.insert(*function, *fingerprint)),
            Entry::Spent(spent) => self.spent = *spent,
            Entry::Retried { call } => self.open(*call)?.make_again(),
            Entry::Started(_) | Entry::Paused | Entry::SourceChanged { .. } => {}
        }
        Ok(())
    }

    fn may_follow(&self, entry: &Entry) -> Result<(), &'static str> {
        let after_the_end = matches!(
            entry,
            Entry::Settled { .. }
                | Entry::Dispatched { .. }
                | Entry::Used { .. }
                | Entry::Interrupted(_)
                | Entry::Resolved { .. }
                | Entry::Abandoned { .. }
                | Entry::Spent(_)
                | Entry::Forked { .. }
                | Entry::Cancelled
                | Entry::Closed
        );
        if self.closed && !matches!(entry, Entry::Forked { .. }) {
            return Err("something behind the closing");
        }
        if self.over.is_some() && !after_the_end {
            Err("something of the guest behind its end")
        } else {
            Ok(())
        }
    }

    fn pass(&mut self, elapsed: u64) -> Result<(), &'static str> {
        self.clock = self.clock.checked_add(elapsed).ok_or("a time beyond all time")?;
        Ok(())
    }

    fn clear_timer(&mut self, timer: u32) -> Option<(u64, u64)> {
        let (due, set) = self.timers.remove(&timer)?;
        self.due.remove(&(due, set, timer));
        Some((due, set))
    }

    fn open(&mut self, call: u32) -> Result<&mut OpenCall, &'static str> {
        self.open.get_mut(&call).ok_or("a call that is not open")
    }

    fn called(&mut self, call: u32, request: &Request) -> Result<(), &'static str> {
        if Some(call) != self.last_call.checked_add(1) {
            return Err("a call out of order");
        }
        if matches!(request, Request::Function { function, .. } if *function as usize >= self.blocking.len())
        {
            return Err("a call of a function that was not lent");
        }
        self.last_call = call;
        let open = OpenCall {
            request: request.clone(),
            standing: Standing::Called,
            questions: 0,
            resume: None,
            edited: None,
        };
        self.open.insert(call, open);
        Ok(())
    }

    fn settled(&mut self, call: u32, elapsed: u64, _: &Outcome) -> Result<(), &'static str> {
        if matches!(self.open(call)?.standing, Standing::Asking(_)) {
            return Err("an outcome of a call whose question is open");
        }
        self.open.remove(&call);
        self.pass(elapsed)
    }
}

impl OpenCall {
    fn dispatch(&mut self) -> Result<(), &'static str> {
        if matches!(self.standing, Standing::Asking(_)) {
            return Err("a dispatch of a call whose question is open");
        }
        self.standing = Standing::Dispatched;
        Ok(())
    }

    /// Its outcome is void. What was answered stays answered, but for a no.
    fn make_again(&mut self) {
        self.standing = match &self.resume {
            Some((question, resolution @ (Resolution::Answered(_) | Resolution::Approved { .. }))) => {
                Standing::Answered(question.clone(), resolution.clone())
            }
            _ => Standing::Called,
        };
    }

    fn ask(&mut self, question: &Question) -> Result<(), &'static str> {
        let fits = match question.kind {
            QuestionKind::Approval => self.standing == Standing::Called,
            QuestionKind::Question | QuestionKind::OutcomeUnknown => self.standing == Standing::Dispatched,
        };
        if !fits || question.ordinal != self.questions + 1 {
            return Err("a question that does not fit");
        }
        self.questions += 1;
        self.standing = Standing::Asking(question.clone());
        Ok(())
    }

    fn answer(&mut self, resolution: &Resolution) -> Result<(), &'static str> {
        let Standing::Asking(question) = &self.standing else { return Err("an answer to no question") };
        if !resolution.fits(question.kind) {
            return Err("an answer of another kind than the question");
        }
        if question.kind != QuestionKind::OutcomeUnknown {
            self.resume = Some((question.clone(), resolution.clone()));
        }
        if let Resolution::Approved { arguments: Some(arguments) } = resolution {
            self.edited = Some(arguments.clone());
        }
        self.standing = Standing::Answered(question.clone(), resolution.clone());
        Ok(())
    }
}

impl Resolution {
    /// Whether a question of this kind can be answered so.
    pub fn fits(&self, kind: QuestionKind) -> bool {
        match self {
            Self::Answered(_) => kind == QuestionKind::Question,
            Self::Approved { .. } | Self::Denied { .. } => kind == QuestionKind::Approval,
            Self::Happened(_) | Self::DidNotHappen => kind == QuestionKind::OutcomeUnknown,
            Self::Expired => true,
        }
    }
}
