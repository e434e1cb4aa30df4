//! The fold of entries into facts, which is also the check that they make sense: what cannot have happened is refused, and then nothing has changed.

use crate::entry::{Ending, Entry, Outcome, Question, Request};
use crate::{Facts, MAX_TIME, OpenCall, Over, RunId};

/// Why an entry cannot follow on those before it.
pub(crate) type Nonsense = &'static str;

const NOT_OPEN: Nonsense = "a call that is not open";

impl Facts {
    /// Adds an entry, if it can follow on what is there.
    pub(crate) fn apply(&mut self, entry: &Entry) -> Result<(), Nonsense> {
        self.may_follow(entry)?;
        match entry {
            Entry::Called { call, request } => self.called(*call, request)?,
            Entry::Settled { call, elapsed, outcome } => self.settled(*call, *elapsed, outcome)?,
            Entry::Clock { reads, elapsed } => self.read_clock(*reads, *elapsed)?,
            Entry::Random { .. } if self.records_reads() => {}
            Entry::Random { .. } => return Err("a read in a run that does not record its reads"),
            Entry::TimerSet { timer, due, .. } => self.set(*timer, *due)?,
            Entry::TimerCleared { timer } => self.unset(*timer)?,
            Entry::TimerFired { timer, elapsed } => self.fired(*timer, *elapsed)?,
            Entry::Paused => self.may_pause()?,
            Entry::Ended(ending) => self.ended(ending)?,
            Entry::Cancelled => self.over = Some(Over::Cancelled),
            Entry::Closed => self.closed = true,
            Entry::Dispatched { call } => self.dispatched(*call)?,
            Entry::Interrupted(question) => self.asked(question)?,
            Entry::Resolved { call, resolution, .. } => {
                self.open(*call)?.answer(resolution)?;
                self.asking.remove(call);
            }
            Entry::Abandoned { call } => self.given_up(*call)?,
            Entry::Retried { call } => {
                self.open(*call)?.make_again();
                self.kept.remove(call);
            }
            Entry::Forked { run_id, from, .. } => self.forked(*run_id, *from)?,
            Entry::Used { function, fingerprint } => self.first_used(*function, *fingerprint)?,
            Entry::Spent(spent) => self.spent = *spent,
            Entry::Started(_) => return Err("a second beginning"),
            Entry::SourceChanged { .. } => {}
        }
        self.rest(entry);
        Ok(())
    }

    /// Adds an entry that a retry keeps: it still happened, but the guest knows nothing of it yet.
    pub(crate) fn keep(&mut self, entry: &Entry) -> Result<(), Nonsense> {
        let Entry::Settled { call, outcome, .. } = entry else { return self.apply(entry) };
        let open = self.open.get(call).ok_or(NOT_OPEN)?;
        open.may_have(outcome)?;
        if self.is_blocking(&open.request) {
            return Err("an outcome of a blocking call that a retry would keep");
        }
        if self.kept.get(call).is_some_and(|kept| kept != outcome) {
            return Err("another outcome than the call had before");
        }
        self.kept.insert(*call, outcome.clone());
        Ok(())
    }

    fn may_follow(&self, entry: &Entry) -> Result<(), Nonsense> {
        if matches!(entry, Entry::Forked { .. } | Entry::SourceChanged { .. }) {
            return Ok(());
        }
        if self.closed {
            return Err("something behind the closing");
        }
        match &self.over {
            None => self.may_follow_on_the_guest(entry),
            Some(over) => may_follow_on_the_end(over, entry),
        }
    }

    fn may_follow_on_the_guest(&self, entry: &Entry) -> Result<(), Nonsense> {
        if matches!(entry, Entry::Abandoned { .. } | Entry::Closed) {
            return Err("the end of what is awaited, in a run that is not over");
        }
        if !entry.is_guest() {
            return Ok(());
        }
        let stands_still = match (self.blocked, entry) {
            (None, _) | (Some(_), Entry::Paused) => false,
            (Some(blocked), Entry::Settled { call, .. }) => *call != blocked,
            (Some(_), _) => true,
        };
        if stands_still {
            return Err("something of a guest that stands still for a blocking call");
        }
        if self.idle && !matches!(entry, Entry::Settled { .. } | Entry::TimerFired { .. } | Entry::Paused) {
            return Err("something of a guest that was put away");
        }
        Ok(())
    }

    fn after(&self, elapsed: u64) -> Result<u64, Nonsense> {
        let clock = self.clock.checked_add(elapsed).filter(|clock| *clock <= MAX_TIME);
        clock.ok_or("a time beyond all time")
    }

    fn read_clock(&mut self, reads: u64, elapsed: u64) -> Result<(), Nonsense> {
        if self.records_reads() && reads > 0 {
            return Err("reads that are no entries, in a run that records its reads");
        }
        if !self.records_reads() && elapsed == 0 {
            return Err("a clock that gave another value and the same");
        }
        self.clock = self.after(elapsed)?;
        Ok(())
    }

    fn open(&mut self, call: u32) -> Result<&mut OpenCall, Nonsense> {
        self.open.get_mut(&call).map(Box::as_mut).ok_or(NOT_OPEN)
    }

    fn called(&mut self, call: u32, request: &Request) -> Result<(), Nonsense> {
        if Some(call) != self.last_call.checked_add(1) {
            return Err("a call out of order");
        }
        if matches!(request, Request::Function { function, .. } if !self.is_lent(*function)) {
            return Err("a call of a function that was not lent");
        }
        self.last_call = call;
        self.open.insert(call, Box::new(OpenCall::new(request.clone())));
        self.blocked = self.is_blocking(request).then_some(call);
        Ok(())
    }

    fn settled(&mut self, call: u32, elapsed: u64, outcome: &Outcome) -> Result<(), Nonsense> {
        self.open(call)?.may_have(outcome)?;
        if self.kept.get(&call).is_some_and(|kept| kept != outcome) {
            return Err("another outcome than the call had before");
        }
        self.clock = self.after(elapsed)?;
        if matches!(outcome, Outcome::Rejected(_)) {
            self.rejected.insert(call);
        }
        self.open.remove(&call);
        self.kept.remove(&call);
        if self.blocked == Some(call) {
            self.blocked = None;
        }
        Ok(())
    }

    fn set(&mut self, timer: u32, due: u64) -> Result<(), Nonsense> {
        let due = self.clock.checked_add(due).ok_or("a timer beyond all time")?;
        if self.timers.contains_key(&timer) {
            return Err("a timer that is set already");
        }
        self.timers.insert(timer, (due, self.timers_set));
        self.due.insert((due, self.timers_set, timer));
        self.timers_set += 1;
        Ok(())
    }

    fn unset(&mut self, timer: u32) -> Result<(), Nonsense> {
        let (due, set) = self.timers.remove(&timer).ok_or("a timer that is not set")?;
        self.due.remove(&(due, set, timer));
        Ok(())
    }

    fn fired(&mut self, timer: u32, elapsed: u64) -> Result<(), Nonsense> {
        let clock = self.after(elapsed)?;
        if self.timers.get(&timer).is_some_and(|(due, _)| *due > clock) {
            return Err("a timer that fires before it is due");
        }
        self.unset(timer)?;
        self.clock = clock;
        Ok(())
    }

    /// Whether the run can be put away: it waits for answers or timers alone.
    pub(crate) fn may_pause(&self) -> Result<(), Nonsense> {
        if self.asking.len() != self.open.len() {
            return Err("a pause with calls under way");
        }
        if self.open.is_empty() && self.timers.is_empty() {
            return Err("a pause with nothing to wait for");
        }
        if self.at_rest {
            return Err("a second pause at one place");
        }
        Ok(())
    }

    fn ended(&mut self, ending: &Ending) -> Result<(), Nonsense> {
        if let Ending::Threw { call: Some(call), .. } = ending
            && !self.rejected.contains(call)
        {
            return Err("an end by a rejection that never was");
        }
        self.over = Some(Over::Ended(ending.clone()));
        Ok(())
    }

    fn dispatched(&mut self, call: u32) -> Result<(), Nonsense> {
        if self.kept.contains_key(&call) {
            return Err("a dispatch of a call whose outcome is known");
        }
        self.open(call)?.dispatch()
    }

    fn asked(&mut self, question: &Question) -> Result<(), Nonsense> {
        if self.kept.contains_key(&question.call) {
            return Err("a question of a call whose outcome is known");
        }
        let blocking = self.open.get(&question.call).is_some_and(|call| self.is_blocking(&call.request));
        self.open(question.call)?.ask(question, blocking)?;
        self.asking.insert(question.call);
        Ok(())
    }

    fn given_up(&mut self, call: u32) -> Result<(), Nonsense> {
        if !self.open(call)?.is_asking() {
            return Err("a question given up that is not open");
        }
        self.abandoned.extend(self.open.remove_entry(&call));
        self.asking.remove(&call);
        Ok(())
    }

    fn forked(&mut self, run_id: RunId, from: RunId) -> Result<(), Nonsense> {
        if from != self.run_id || run_id == from {
            return Err("a fork of another run, or to itself");
        }
        self.run_id = run_id;
        Ok(())
    }

    fn first_used(&mut self, function: u32, fingerprint: [u8; 16]) -> Result<(), Nonsense> {
        if !self.is_lent(function) {
            return Err("the use of a function that was not lent");
        }
        if self.used.contains_key(&function) {
            return Err("the first use of a function that was used before");
        }
        self.used.insert(function, fingerprint);
        Ok(())
    }

    /// What tells of the run and not of something that happened in it leaves it at rest.
    fn rest(&mut self, entry: &Entry) {
        if entry.is_guest() {
            self.idle = matches!(entry, Entry::Paused);
        }
        match entry {
            Entry::Paused => self.at_rest = true,
            Entry::Spent(_) | Entry::SourceChanged { .. } | Entry::Forked { .. } => {}
            _ => self.at_rest = false,
        }
    }
}

fn may_follow_on_the_end(over: &Over, entry: &Entry) -> Result<(), Nonsense> {
    let fits = match entry {
        Entry::Settled { .. }
        | Entry::Interrupted(_)
        | Entry::Abandoned { .. }
        | Entry::Spent(_)
        | Entry::Closed => true,
        // Calls of the last slice.
        Entry::Dispatched { .. } | Entry::Used { .. } => matches!(over, Over::Ended(_)),
        _ => false,
    };
    if fits { Ok(()) } else { Err("something that cannot be behind the end") }
}
