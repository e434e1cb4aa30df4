//! From what was asked for to a sandbox that is ready.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::stream::FuturesUnordered;
use intermission_engine::{Exhausted, Limit, Sandbox, SourceKind, Start};
use intermission_source::{Kind, Options, prepare};
use intermission_value::{Value, encode};
use rand::RngCore;
use tokio::sync::OwnedSemaphorePermit;

use crate::abort::AbortOnDrop;
use crate::budget::Budget;
use crate::clock::RunClock;
use crate::dispatch::Caller;
use crate::drive::Drive;
use crate::events::Finished;
use crate::id::{InvocationId, RunId};
use crate::positions::Positions;
use crate::run_result::{Report, RunResult, Stats};
use crate::runner::Shared;
use crate::seat::Seat;
use crate::timers::Timers;
use crate::{Limits, RunError, RunInput};

/// Runs a script from the source to the result.
pub(crate) async fn run(runner: &Shared, input: RunInput<'_>) -> RunResult {
    let limits = input.limits.unwrap_or(runner.limits);
    let budget = Budget::new(&limits, input.abort.clone());
    let run_id = RunId::new();
    let report = Report {
        run_id,
        data: None,
        data_error: None,
        console: Vec::new(),
        detached: Vec::new(),
        unhandled: Vec::new(),
        stats: Stats::default(),
    };
    let clock = RunClock::new(Arc::clone(&runner.time));
    let begun = match place(runner, &budget).await {
        Ok(place) => begin(runner, &input, &limits, clock.clone()).map(|begun| (place, begun)),
        Err(error) => Err(error),
    };
    let (place, (positions, sandbox)) = match begun {
        Ok(begun) => begun,
        Err(error) => return RunResult::Failed { error, report },
    };
    // Lives as long as this future: host functions are told when nobody waits any more, however the run ends.
    let abort = AbortOnDrop::default();
    let mut drive = Drive {
        runner,
        caller: Caller {
            run_id,
            invocation_id: InvocationId::new(),
            abort: abort.0.signal(),
            functions: runner.host_functions.clone(),
            redact: runner.redact,
            limits,
        },
        gave_way: budget.started,
        budget,
        modules: input.modules.unwrap_or_else(|| Arc::clone(&runner.modules)),
        positions,
        clock,
        sandbox: Some(Seat::new(sandbox, place)),
        in_flight: FuturesUnordered::new(),
        pending: BTreeMap::new(),
        finished: Finished::default(),
        timers: Timers::default(),
        report,
    };
    let value = drive.finish().await;
    drive.close(value)
}

/// A place for this run, waited for within its budget.
async fn place(runner: &Shared, budget: &Budget) -> Result<OwnedSemaphorePermit, RunError> {
    if budget.is_aborted() {
        return Err(RunError::Aborted);
    }
    if let Some(place) = runner.try_slot() {
        return Ok(place);
    }
    tokio::select! {
        biased;
        place = runner.slot() => place,
        () = budget.aborted() => Err(RunError::Aborted),
        () = tokio::time::sleep_until(budget.ends_at()) => Err(budget.overdue()),
    }
}

fn begin(
    runner: &Shared,
    input: &RunInput<'_>,
    limits: &Limits,
    clock: RunClock,
) -> Result<(Positions, Sandbox), RunError> {
    check_source_size(input.source.len(), limits)?;
    let script = prepare(&input.source, &Options { kind: input.kind, max_bytes: limits.source })?;
    let positions = Positions::new(&input.name, script);
    let bytes = |value: &Value| match value {
        Value::Undefined => Ok(None),
        value => encode(value).map(Some),
    };
    let (data, given) = (bytes(&input.data)?, bytes(&input.input)?);
    let start = Start {
        text: &positions.script().text,
        kind: match positions.script().kind {
            Kind::FunctionBody => SourceKind::FunctionBody,
            Kind::Module => SourceKind::Module,
        },
        name: positions.guest_name(),
        functions: runner.host_functions.table(),
        input: given.as_deref(),
        data: data.as_deref(),
        seed: input.seed.unwrap_or_else(|| {
            let mut seed = [0; 32];
            rand::rng().fill_bytes(&mut seed);
            seed
        }),
        profile: runner.profile,
        allow_eval: runner.allow_eval,
        limits: limits.sandbox(),
    };
    let sandbox = runner.engine.start(start, clock)?;
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
