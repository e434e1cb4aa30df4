//! From what was asked for to a run under way.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use intermission_engine::{Exhausted, FunctionTable, Limit, Sandbox, SourceKind, Start};
use intermission_ledger::entry::Started;
use intermission_ledger::{Ledger, RunId};
use intermission_source::{Kind, Options};
use intermission_value::{Value, encode};
use rand::Rng;
use tokio::sync::OwnedSemaphorePermit;

use crate::abort::AbortOnDrop;
use crate::agenda::Agenda;
use crate::budget::Budget;
use crate::clock::RunClock;
use crate::convert::{ledger_kind, ledger_profile, profile, source_kind};
use crate::dispatch::Caller;
use crate::drive::Drive;
use crate::events::Finished;
use crate::frontier::Frontier;
use crate::id::InvocationId;
use crate::interruption::pending;
use crate::live::Live;
use crate::modules::ModuleLoader;
use crate::pace::Pace;
use crate::positions::Positions;
use crate::run_handle::Line;
use crate::run_result::{Report, RunResult, Stats};
use crate::runner::Shared;
use crate::seat::Seat;
use crate::sink::keep;
use crate::snapshots::Guest;
use crate::timing::Meter;
use crate::{AbortSignal, Continuation, LedgerSink, Limits, RunError, RunInput};

/// A ledger and all that it takes to go on with it.
pub(crate) struct Invocation {
    pub(crate) ledger: Ledger,
    /// What was answered meanwhile; absent of a run that begins.
    pub(crate) frontier: Option<Frontier>,
    /// Where the functions that were lent to the run are today; absent of a run that begins.
    pub(crate) functions: Option<Vec<Option<usize>>>,
    /// How many entries the resume has added: another source, a retry.
    pub(crate) added: usize,
    /// Whether nothing is invoked and nothing written: only what the record says is said again.
    pub(crate) dry: bool,
    pub(crate) limits: Limits,
    pub(crate) modules: Arc<dyn ModuleLoader>,
    pub(crate) aborts: Vec<AbortSignal>,
    /// Where the ledger is kept meanwhile.
    pub(crate) sink: Option<Arc<dyn LedgerSink>>,
    /// The longest wait for a timer that keeps the sandbox.
    pub(crate) longest_wait: Duration,
    pub(crate) live: Live,
}

impl Invocation {
    /// Of a run that begins, with what the runner has.
    pub(crate) fn new(runner: &Shared, ledger: Ledger) -> Self {
        Self {
            ledger,
            frontier: None,
            functions: None,
            added: 0,
            dry: false,
            limits: runner.limits,
            modules: Arc::clone(&runner.modules),
            aborts: Vec::new(),
            sink: runner.sink.clone(),
            longest_wait: Duration::MAX,
            live: Live::default(),
        }
    }

    /// How much of its ledger is kept already: all of a run that goes on, but for what the resume itself has added.
    fn kept(&self) -> usize {
        if self.frontier.is_some() { self.ledger.record().entries().len() - self.added } else { 0 }
    }

    /// To be held by a handle.
    pub(crate) fn on(mut self, line: Line) -> Self {
        self.aborts.push(line.cancel.signal());
        self.live = line.live;
        self
    }
}

/// The first invocation of a run.
///
/// # Errors
/// What makes it impossible to begin.
pub(crate) fn first(runner: &Shared, run_id: RunId, input: RunInput<'_>) -> Result<Invocation, RunError> {
    let limits = input.limits.unwrap_or(runner.limits);
    check_source_size(input.source.len(), &limits)?;
    let bytes = |value: &Value| match value {
        Value::Undefined => Ok(None),
        value => encode(value).map(|bytes| Some(bytes.into())),
    };
    let started = Started {
        run_id,
        behavior: 0,
        kind: ledger_kind(input.kind),
        name: input.name.into_owned(),
        input: bytes(&input.input)?,
        data: bytes(&input.data)?,
        time: runner.time.now(),
        seed: input.seed.unwrap_or_else(|| {
            let mut seed = [0; 32];
            rand::rng().fill_bytes(&mut seed);
            seed
        }),
        stack: limits.js_stack,
        profile: ledger_profile(runner.profile),
        allow_eval: runner.allow_eval,
        functions: runner.host_functions.as_lent(),
        record_reads: runner.record_reads,
        source: input.source.into_owned(),
    };
    Ok(Invocation {
        limits,
        modules: input.modules.unwrap_or_else(|| Arc::clone(&runner.modules)),
        aborts: input.abort.into_iter().collect(),
        ..Invocation::new(runner, Ledger::begin(started).with_faults(runner.faults))
    })
}

/// Runs a script against its record. Nothing is invoked.
pub(crate) async fn replay(runner: &Shared, continuation: Continuation) -> RunResult {
    let run_id = continuation.run_id();
    let ledger = match continuation.into_ledger() {
        Ok(ledger) => ledger,
        Err(error) => return never_begun(run_id, RunError::Trapped(error.to_string())),
    };
    let invocation = Invocation {
        functions: Some(runner.host_functions.find(&ledger.record().started().functions)),
        frontier: Some(Frontier::default()),
        dry: true,
        ..Invocation::new(runner, ledger)
    };
    invoke(runner, invocation).await
}

/// What comes of a run, begun or not.
pub(crate) async fn run(runner: &Shared, run_id: RunId, begun: Result<Invocation, RunError>) -> RunResult {
    match begun {
        Ok(invocation) => invoke(runner, invocation).await,
        Err(error) => never_begun(run_id, error),
    }
}

/// Drives an invocation to its result.
pub(crate) async fn invoke(runner: &Shared, mut invocation: Invocation) -> RunResult {
    let spent = Duration::from_micros(invocation.ledger.facts().spent.cpu);
    let replayed = invocation.frontier.is_some().then_some(spent);
    let aborts = std::mem::take(&mut invocation.aborts);
    let budget = Budget::new(&invocation.limits, replayed, aborts);
    let invocation_id = InvocationId::new();
    let mut report = Report::new(invocation.ledger.facts().run_id, invocation_id);
    let (mut guest, stands) = match guest(runner, &invocation, &budget).await {
        Ok(ready) => ready,
        Err(RunError::Aborted)
            if invocation.live.is_cancelled() && invocation.ledger.facts().over.is_none() =>
        {
            return cancelled_before(invocation, report).await;
        }
        Err(error) => return failed_before(error, invocation, report),
    };
    // Lives as long as this future: host functions are told when nobody waits any more, however the run ends.
    let abort = AbortOnDrop::default();
    let _stops = budget.stop_on_abort(&guest.seat);
    budget.bound(&mut guest.seat);
    let kept = invocation.kept();
    if stands {
        invocation.ledger.stand_at_frontier();
        report.replayed = guest.console.len();
    }
    report.console = guest.console;
    report.stats.in_place = stands;
    let mut drive = Drive {
        runner,
        caller: Caller {
            invocation_id,
            abort: abort.0.clone(),
            functions: runner.host_functions.clone(),
            outbox: invocation.live.outbox(),
            redact: runner.redact,
            limits: invocation.limits,
        },
        pace: Pace::new(budget.started),
        requests: Vec::new(),
        budget,
        modules: invocation.modules,
        positions: guest.positions,
        clock: guest.clock,
        kept,
        meter: Meter::new(spent, guest.seat.usage().cpu, invocation.frontier.is_none()),
        ledger: invocation.ledger,
        functions: invocation.functions,
        came: kept,
        added: invocation.added,
        dry: invocation.dry,
        sandbox: Some(guest.seat),
        replays: invocation.frontier.is_some() && !stands,
        frontier: invocation.frontier,
        agenda: Agenda::default(),
        made: Vec::new(),
        in_flight: FuturesUnordered::new(),
        under_way: BTreeSet::new(),
        pending: guest.pending,
        finished: Finished::new(runner.faults),
        sink: invocation.sink,
        longest_wait: invocation.longest_wait,
        live: invocation.live,
        report,
    };
    let value = drive.finish(stands).await;
    drive.close(value).await
}

/// A run that is cancelled before it is begun is over all the same.
async fn cancelled_before(mut invocation: Invocation, mut report: Report) -> RunResult {
    let kept = invocation.kept();
    let ledger = &mut invocation.ledger;
    report.abandoned = pending(ledger.facts(), ledger.record().started());
    let cancelled = match ledger.cancel().and_then(|()| ledger.close()) {
        Ok(()) => keep(invocation.sink.as_ref(), ledger, kept).await,
        Err(error) => Err(error.into()),
    };
    let continuation = Continuation::of(invocation.ledger);
    match cancelled {
        Ok(_) => RunResult::Cancelled { continuation, report },
        Err(error) => RunResult::Failed { error, continuation: Some(continuation), report },
    }
}

/// A resumed run loses nothing when it cannot be begun again.
fn failed_before(error: RunError, invocation: Invocation, report: Report) -> RunResult {
    let resumed = invocation.frontier.is_some();
    let (came, added) = (invocation.kept(), invocation.added);
    let continuation = resumed.then(|| Continuation::without_vain(invocation.ledger, came, added));
    RunResult::Failed { error, continuation, report }
}

/// The result of a run that could not even be begun, or of which nothing is left.
pub(crate) fn never_begun(run_id: RunId, error: RunError) -> RunResult {
    RunResult::Failed { error, continuation: None, report: Report::new(run_id, InvocationId::new()) }
}

impl Report {
    fn new(run_id: RunId, invocation_id: InvocationId) -> Self {
        Self {
            run_id,
            invocation_id,
            data: None,
            data_error: None,
            console: Vec::new(),
            replayed: 0,
            detached: Vec::new(),
            abandoned: Vec::new(),
            unhandled: Vec::new(),
            stats: Stats::default(),
        }
    }
}

/// A place for this run, waited for within its budget.
async fn place(runner: &Shared, budget: &Budget) -> Result<OwnedSemaphorePermit, RunError> {
    if budget.is_aborted() {
        return Err(RunError::Aborted);
    }
    if let Some(place) = runner.premises.try_slot() {
        return Ok(place);
    }
    tokio::select! {
        biased;
        place = runner.premises.slot() => place,
        () = budget.aborted() => Err(RunError::Aborted),
        () = tokio::time::sleep_until(budget.ends_at()) => Err(budget.overdue()),
    }
}

/// The guest of an invocation, and whether it stands at the frontier already.
async fn guest(runner: &Shared, invocation: &Invocation, budget: &Budget) -> Result<(Guest, bool), RunError> {
    if let Some(guest) =
        runner.premises.snapshots.take(invocation, &runner.time).filter(|_| !budget.is_aborted())
    {
        guest.clock.begin_again();
        return Ok((guest, true));
    }
    let place = place(runner, budget).await?;
    let clock = RunClock::new(runner.time.clone(), &invocation.ledger, runner.faults);
    let (positions, sandbox) = sandbox(runner, invocation, clock.clone())?;
    Ok((Guest::new(Seat::new(sandbox, place), clock, positions), false))
}

fn sandbox(
    runner: &Shared,
    invocation: &Invocation,
    clock: RunClock,
) -> Result<(Positions, Sandbox), RunError> {
    let Invocation { ledger, limits, .. } = invocation;
    let started = ledger.record().started();
    let source = ledger.source();
    check_source_size(source.len(), limits)?;
    let options = Options { kind: source_kind(started.kind), max_bytes: limits.source };
    let script = runner.premises.scripts.prepare(source, &options)?;
    let positions = Positions::new(&started.name, script);
    let lent_before;
    let functions = if invocation.functions.is_none() || runner.host_functions.are(&started.functions) {
        runner.host_functions.table()
    } else {
        let names = started.functions.iter().map(|lent| (lent.name.as_str(), lent.blocking));
        lent_before = FunctionTable::new(names);
        &lent_before
    };
    let start = Start {
        kind: match positions.script().kind {
            Kind::FunctionBody => SourceKind::FunctionBody,
            Kind::Module => SourceKind::Module,
        },
        name: positions.guest_name(),
        functions,
        input: started.input.as_deref(),
        data: started.data.as_deref(),
        seed: started.seed,
        profile: profile(started.profile),
        allow_eval: started.allow_eval,
        record_reads: started.record_reads,
        limits: intermission_engine::SandboxLimits { js_stack: started.stack, ..limits.sandbox() },
        ..Start::function_body(&positions.script().text)
    };
    let sandbox = runner.premises.engine.start(start, clock)?;
    Ok((positions, sandbox))
}

/// Whether a text is short enough to be looked at.
pub(crate) fn check_source_size(bytes: usize, limits: &Limits) -> Result<(), RunError> {
    if bytes > limits.source {
        let (allowed, used) = (limits.source as u64, bytes as u64);
        return Err(Exhausted { limit: Limit::Source, allowed, used }.into());
    }
    Ok(())
}
