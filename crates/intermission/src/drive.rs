//! The loop: guest, ledger, host, guest, until the script ends or asks.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream::{FuturesUnordered, StreamExt};
use intermission_engine::{Call, CallId, Event, Exhausted, Limit, Request, Step};
use intermission_ledger::{Delivery, Ledger, Phase};
use intermission_value::Value;
use tokio::time::Instant;

use crate::agenda::Agenda;
use crate::budget::Budget;
use crate::clock::RunClock;
use crate::convert::{guest_outcome, ledger_outcome};
use crate::dispatch::{Answer, Caller, Told};
use crate::events::Finished;
use crate::frontier::Frontier;
use crate::halt::Halt;
use crate::live::Live;
use crate::modules::ModuleLoader;
use crate::pace::Pace;
use crate::positions::Positions;
use crate::run_result::Report;
use crate::runner::Shared;
use crate::seat::Seat;
use crate::timing::Meter;
use crate::{LedgerSink, RunError};

/// One invocation, under way.
pub(crate) struct Drive<'r> {
    pub(crate) runner: &'r Shared,
    pub(crate) budget: Budget,
    pub(crate) caller: Caller,
    pub(crate) modules: Arc<dyn ModuleLoader>,
    pub(crate) positions: Positions,
    pub(crate) clock: RunClock,
    pub(crate) ledger: Ledger,
    /// How many of its entries are kept elsewhere already.
    pub(crate) kept: usize,
    /// Where the functions that were lent to the run are today; absent where the run began here.
    pub(crate) functions: Option<Vec<Option<usize>>>,
    /// How many entries the ledger had when the run came here, and how many the resume has added before anything ran.
    pub(crate) came: usize,
    pub(crate) added: usize,
    /// Whether nothing is invoked and nothing written.
    pub(crate) dry: bool,
    /// Away while a worker has it.
    pub(crate) sandbox: Option<Seat>,
    /// What is to be done at the frontier; gone once it is reached.
    pub(crate) frontier: Option<Frontier>,
    /// Whether everything so far was done and said before.
    pub(crate) replays: bool,
    pub(crate) agenda: Agenda,
    /// Calls of the slice that has just ended.
    pub(crate) made: Vec<CallId>,
    pub(crate) in_flight: FuturesUnordered<BoxFuture<'static, (CallId, Answer)>>,
    /// The calls of these.
    pub(crate) under_way: BTreeSet<CallId>,
    /// Calls that the guest waits for.
    pub(crate) pending: BTreeMap<CallId, Box<Call>>,
    pub(crate) finished: Finished,
    /// Where the ledger is kept meanwhile.
    pub(crate) sink: Option<Arc<dyn LedgerSink>>,
    /// The longest wait for a timer that keeps the sandbox.
    pub(crate) longest_wait: Duration,
    pub(crate) live: Live,
    pub(crate) meter: Meter,
    pub(crate) pace: Pace,
    /// Room for what a slice asks for.
    pub(crate) requests: Vec<Request>,
    pub(crate) report: Report,
}

impl Drive<'_> {
    /// Drives the script to its end, or to where it is put away: from its top, or from where it `stands`. What it said is in the report, whatever comes of it.
    pub(crate) async fn finish(&mut self, stands: bool) -> Result<Value, Halt> {
        self.invoke_early()?;
        let mut event = if stands { self.live_event().await? } else { Event::Start };
        loop {
            let step = self.slice(event).await?;
            self.admit_requests()?;
            event = match step {
                Step::Idle => match self.ledger.deliver()? {
                    Some(delivery) => self.recorded_event(delivery),
                    None => self.live_event().await?,
                },
                Step::Blocked(question) => Event::Answered(self.answer(question).await?),
                Step::Ended(end) => return self.end(end).await,
                Step::Yielded => unreachable!("a slice is driven to its end"),
            };
        }
    }

    /// One slice. It begins here; if it takes long, a worker finishes it.
    async fn slice(&mut self, event: Event) -> Result<Step, Halt> {
        let reads = self.ledger.slice_reads();
        let replays = !reads.is_live();
        if !replays && !self.dry {
            self.meter_live_slices();
        }
        self.clock.enter(self.ledger.clock(), reads);
        let mut sandbox = self.sandbox.take().expect("it comes back after each slice");
        let mut step = if replays {
            self.budget.advance_bounded(&mut sandbox, event)
        } else {
            self.budget.advance(&mut sandbox, event)
        };
        if matches!(step, Ok(Step::Yielded)) {
            let workers = &self.runner.premises.workers;
            (sandbox, step) = self.beside(workers.finish(sandbox, self.budget.clone())).await?;
        }
        let cpu = sandbox.usage().cpu;
        self.sandbox = Some(sandbox);
        if self.pace.is_due(cpu, replays) {
            self.give_way(cpu).await?;
        }
        Ok(step?)
    }

    /// Waits for `work`; calls that are under way go on meanwhile.
    pub(crate) async fn beside<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                Some((call, answer)) = self.in_flight.next() => self.has_finished(call, answer),
            }
        }
    }

    pub(crate) fn has_finished(&mut self, call: CallId, answer: Answer) {
        self.finished.look_again();
        self.finished.add(self.clock.now(), call, answer);
    }

    async fn give_way(&mut self, cpu: Duration) -> Result<(), RunError> {
        tokio::task::yield_now().await;
        self.budget.check(cpu)?;
        if let Some(sandbox) = &mut self.sandbox {
            self.budget.bound(sandbox);
        }
        self.pace.look(cpu);
        Ok(())
    }

    async fn give_way_now(&mut self) -> Result<(), Halt> {
        if self.budget.left().is_zero() {
            return Err(self.budget.overdue().into());
        }
        tokio::task::yield_now().await;
        Ok(())
    }

    /// What the guest was told before, and is told again.
    fn recorded_event(&mut self, delivery: Delivery) -> Event {
        match delivery {
            Delivery::Settled { call, outcome, .. } => {
                self.pending.remove(&call);
                Event::Settled { call, outcome: guest_outcome(outcome) }
            }
            Delivery::Fired { timer, .. } => Event::Due(timer),
        }
    }

    /// The first thing that happens now: a call that finishes, a timer that is due. What the script has asked for is set going before.
    async fn live_event(&mut self) -> Result<Event, Halt> {
        self.check_size()?;
        if self.dry {
            return Err(Halt::Paused);
        }
        debug_assert_eq!(self.ledger.phase(), Phase::Live);
        self.reach_frontier();
        self.invoke_made()?;
        self.commit().await?;
        let began = Instant::now();
        loop {
            self.look_for_finished();
            self.hear_live().await?;
            self.expire().await?;
            self.wait_for_lower_calls().await;
            if let Some(event) = self.next_event()? {
                debug_assert!(!self.is_ahead());
                self.report.stats.waited += began.elapsed();
                return Ok(event);
            }
            let acted = self.act_on_agenda()?;
            self.commit().await?;
            if acted {
                // What it has set going may be done already.
            } else if self.in_flight.is_empty() && self.finished.is_empty() {
                if self.asked_too_late() {
                    // Its time was over when it was asked: the next look acts on that. It may ask so again.
                    self.give_way_now().await?;
                    continue;
                }
                self.rest().await?;
                self.wait_for_news().await?;
            } else if self.finished.is_empty() {
                self.wait_for_news().await?;
            }
        }
    }

    /// What was written is kept, and the calls that it says were dispatched begin: whatever the script is told next, they have.
    pub(crate) async fn begin_dispatched(&mut self) -> Result<(), RunError> {
        self.commit().await?;
        self.look_for_finished();
        Ok(())
    }

    fn check_size(&self) -> Result<(), RunError> {
        let (allowed, used) = (self.caller.limits.ledger, self.ledger.size());
        if used > allowed {
            return Err(Exhausted { limit: Limit::Ledger, allowed, used }.into());
        }
        Ok(())
    }

    pub(crate) fn look_for_finished(&mut self) {
        let now = self.clock.now();
        self.finished.look_again();
        while let Some(Some((call, answer))) = self.in_flight.next().now_or_never() {
            self.finished.add(now, call, answer);
        }
    }

    /// Of what has happened already, the earlier goes first, and a call before a timer.
    fn next_event(&mut self) -> Result<Option<Event>, Halt> {
        let (now, finished) = (self.clock.now(), self.finished.first_at());
        let timer = self.ledger.facts().next_timer().filter(|(due, _)| {
            *due <= now && finished.is_none_or(|finished| *due < finished) && self.agenda.lets_fire(*due)
        });
        if let Some((_, timer)) = timer {
            self.ledger.fire(timer, now)?;
            return Ok(Some(Event::Due(timer)));
        }
        let Some((call, answer)) = self.finished.take() else { return Ok(None) };
        self.under_way.remove(&call);
        self.agenda.finished(call);
        match answer? {
            Told::Outcome(outcome) => {
                self.pending.remove(&call);
                tracing::debug!(run_id = %self.ledger.facts().run_id, request_index = call, "a host call is settled");
                self.ledger.settle(call, now, ledger_outcome(outcome.clone()))?;
                Ok(Some(Event::Settled { call, outcome }))
            }
            Told::Interrupt(interrupt) => {
                self.interrupted(call, *interrupt)?;
                Ok(None)
            }
            Told::Again => self.invoke_again(call).map(|()| None).map_err(Halt::from),
            Told::Nothing => self.ask_what_happened(call).map(|()| None).map_err(Halt::from),
        }
    }

    async fn wait_for_news(&mut self) -> Result<(), Halt> {
        let now = self.clock.now();
        let until_due = self.next_by_itself(now).map(|due| due.saturating_sub(now));
        tokio::select! {
            biased;
            () = self.budget.aborted() => Err(RunError::Aborted.into()),
            Some((call, answer)) = self.in_flight.next() => {
                self.has_finished(call, answer);
                Ok(())
            }
            () = self.live.news() => Ok(()),
            () = tokio::time::sleep(Duration::from_millis(until_due.unwrap_or(0))), if until_due.is_some() => Ok(()),
            () = tokio::time::sleep_until(self.budget.ends_at()) => Err(self.budget.overdue().into()),
        }
    }
}
