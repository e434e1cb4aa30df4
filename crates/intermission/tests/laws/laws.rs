//! The laws, of one case.

use std::collections::BTreeMap;

use intermission::ledger::entry::{Ending, Started};
use intermission::ledger::{Entry, Record, RunId};
use intermission::value::decode;
use intermission::{Answer, Continuation, Fate, Report, Resolution, ResumeInput, RunError, RunResult, Value};

use crate::case::Case;
use crate::crash;
use crate::life::{Life, begins_with};
use crate::oracle;
use crate::reach::Reach;
use crate::rig::Rig;
use crate::world::{BEGINNING, Memory};

/// A law that does not hold.
#[derive(Clone, Debug, thiserror::Error)]
#[error("law {law} does not hold: {what}")]
pub(crate) struct Broken {
    pub(crate) law: u8,
    pub(crate) what: String,
}

pub(crate) fn broken(law: u8, what: impl Into<String>) -> Broken {
    Broken { law, what: what.into() }
}

/// Lives through the case, and what it got to.
pub(crate) async fn check(rig: &Rig, case: &Case) -> Result<Reach, Broken> {
    let mut life = Life::new(rig, case);
    rig.world.begin(&case.plan, BEGINNING, Memory::default());
    let twin = life.begin_somehow().await?;
    rig.world.begin(&case.plan, BEGINNING, Memory::default());
    let first = life.begin_somehow().await?;
    same_ledgers(&twin, &first)?;
    let result = life.carry_on(first).await?;
    let record = end(&life, &result).await?;
    let memory = rig.world.memory();
    invoked_as_recorded(&record, &memory)?;
    first_finished_first_told(&record, &memory)?;
    life.reach.look_at(&result);
    let value = shown(&result)?;
    if !case.ordered {
        crash::same_without_interruptions(rig, case, &value).await?;
    }
    for point in &case.crashes {
        crash::go_on_after(rig, case, &record, &memory, crash::place(&record, *point), &value).await?;
    }
    Ok(life.reach)
}

/// What must hold of every run that is over, however it came to that.
pub(crate) async fn end(life: &Life<'_>, result: &RunResult) -> Result<Record, Broken> {
    let _ = shown(result)?;
    let continuation = result.continuation().ok_or_else(|| broken(2, "its ledger is gone"))?;
    let record = continuation.record().clone();
    equals_uninterrupted(life.rig, result, &record)?;
    replays(life, result, continuation).await?;
    for abandoned in &result.report().abandoned {
        let late = Resolution::new(abandoned.id.clone(), Answer::DidNotHappen);
        let refused = life.runner.resume(ResumeInput::new(continuation.clone()).resolve(late)).await;
        if refused.as_ref().err().map(intermission::ResumeError::code) != Some("RUN_OVER") {
            return Err(broken(4, format!("a late answer: {refused:?}")));
        }
    }
    let memory = life.rig.world.memory();
    if let Some(wrong) = memory.wrongs.first() {
        return Err(broken(4, wrong.clone()));
    }
    once_only(&memory)?;
    if life.case.strict {
        nothing_behind_the_end(&record)?;
    }
    Ok(record)
}

/// A value, or the text of what was thrown. No other end is a program's own.
pub(crate) fn shown(result: &RunResult) -> Result<Result<Value, String>, Broken> {
    match result {
        RunResult::Completed { value, .. } => Ok(Ok(value.clone())),
        RunResult::Failed { error: error @ (RunError::Script(_) | RunError::Detached { .. }), .. } => {
            Ok(Err(error.to_string()))
        }
        RunResult::Failed { error, .. } => Err(broken(3, format!("the run fails: {error}"))),
        other => Err(broken(3, format!("the run ends with {other:?}"))),
    }
}

/// Law 1.
fn equals_uninterrupted(rig: &Rig, result: &RunResult, record: &Record) -> Result<(), Broken> {
    let shown = oracle::uninterrupted(&rig.engine, record).map_err(|what| broken(1, what))?;
    let report = result.report();
    if shown.console != report.console {
        let (uninterrupted, now) = (&shown.console, &report.console);
        return Err(broken(1, format!("the console is {now:?}, uninterrupted {uninterrupted:?}")));
    }
    let data = shown.data.and_then(|bytes| decode(&bytes, usize::MAX).ok());
    if data != report.data {
        return Err(broken(1, format!("data is {:?}, uninterrupted {data:?}", report.data)));
    }
    let ending = match (&shown.ending, result) {
        (Some(Ending::Returned(bytes)), RunResult::Completed { value, .. }) => {
            decode(bytes, usize::MAX).ok().as_ref() == Some(value)
        }
        (Some(Ending::Threw { message, .. }), RunResult::Failed { error: RunError::Script(error), .. }) => {
            *message == error.to_string()
        }
        (Some(Ending::Returned(_)), RunResult::Failed { error: RunError::Detached { .. }, .. }) => true,
        _ => false,
    };
    if ending { Ok(()) } else { Err(broken(1, format!("uninterrupted it ends with {:?}", shown.ending))) }
}

/// Law 2: a run that is over, told again.
async fn replays(life: &Life<'_>, result: &RunResult, continuation: &Continuation) -> Result<(), Broken> {
    let before = life.rig.world.invocations();
    let again = life.runner.resume(ResumeInput::new(continuation.clone())).await;
    let again = again.map_err(|refused| broken(2, format!("a run that is over: {refused}")))?;
    begins_with(&again, &continuation.to_bytes())?;
    let (one, other) = (result.report(), again.report());
    let invoked = life.rig.world.invocations() - before;
    let differs = |what: &str, one: &dyn std::fmt::Debug, other: &dyn std::fmt::Debug| {
        Err(broken(2, format!("{what} of a run that is over: {one:?}, replayed {other:?}")))
    };
    if shown(&again)? != shown(result)? {
        return differs("the value", &shown(result)?, &shown(&again)?);
    }
    if again.continuation() != Some(continuation) {
        let entries = |kept: Option<&Continuation>| kept.map(|kept| kept.record().entries().to_vec());
        return differs("the ledger", &entries(Some(continuation)), &entries(again.continuation()));
    }
    if one.console != other.console || other.replayed != other.console.len() {
        return differs("the console", &one.console, &(&other.console, other.replayed));
    }
    if one.data != other.data {
        return differs("the data", &one.data, &other.data);
    }
    if fates(one) != fates(other) || one.abandoned != other.abandoned {
        let left = |report: &Report| (fates(report), report.abandoned.clone());
        return differs("what is left", &left(one), &left(other));
    }
    if invoked != 0 {
        return differs("the number of invocations", &0, &invoked);
    }
    Ok(())
}

/// What became of the calls that the script did not wait for. A ledger does not say why an outcome is not known.
fn fates(report: &Report) -> Vec<(u32, Option<Fate>)> {
    let known = |fate: Fate| Some(fate).filter(|fate| matches!(fate, Fate::Fulfilled | Fate::Rejected));
    report.detached.iter().map(|call| (call.request_index, known(call.fate))).collect()
}

/// Law 2: the same feed, the same bytes.
fn same_ledgers(one: &RunResult, other: &RunResult) -> Result<(), Broken> {
    let bytes = |result: &RunResult| result.continuation().map(|kept| normal(kept.record()).encode());
    if bytes(one).is_some() && bytes(one) == bytes(other) {
        Ok(())
    } else {
        Err(broken(2, format!("two runs of one feed: {one:#?} and {other:#?}")))
    }
}

/// The record but for what differs from run to run: the run's id, and how long a processor took, which is read from a meter.
fn normal(record: &Record) -> Record {
    let normal = |entry: &Entry| match entry.clone() {
        Entry::Started(started) => {
            Entry::Started(Box::new(Started { run_id: RunId::from_bytes([0; 16]), ..*started }))
        }
        Entry::Spent(mut spent) => {
            spent.cpu = 0;
            Entry::Spent(spent)
        }
        entry => entry,
    };
    Record::from_entries(record.entries().iter().map(normal).collect()).unwrap()
}

/// Law 4: what was done is not done again. What has no effect may be.
fn once_only(memory: &Memory) -> Result<(), Broken> {
    let again = memory.invoked.iter().find(|invoked| {
        matches!(&*invoked.function, "t.once" | "t.askOnce" | "t.wire" | "t.stamp")
            && memory.effects.get(&invoked.key).is_some_and(|times| *times > 1)
    });
    again.map_or(Ok(()), |invoked| Err(broken(4, format!("{invoked:?} took place twice"))))
}

/// Law 4: without a crash, each dispatch in the ledger is one invocation, and each call acts once at most.
pub(crate) fn invoked_as_recorded(record: &Record, memory: &Memory) -> Result<(), Broken> {
    let mut dispatched: BTreeMap<u32, u32> = BTreeMap::new();
    let mut modules = Vec::new();
    for entry in record.entries() {
        match entry {
            Entry::Dispatched { call } => *dispatched.entry(*call).or_default() += 1,
            Entry::Called { call, request } if !is_function(request) => modules.push(*call),
            _ => {}
        }
    }
    dispatched.retain(|call, _| !modules.contains(call));
    let mut invoked: BTreeMap<u32, u32> = BTreeMap::new();
    for one in &memory.invoked {
        *invoked.entry(one.request_index).or_default() += 1;
    }
    if invoked != dispatched {
        return Err(broken(4, format!("dispatched are {dispatched:?}, invoked were {invoked:?}")));
    }
    match memory.effects.iter().find(|(_, times)| **times > 1) {
        Some((key, times)) => Err(broken(4, format!("the effect {key} took place {times} times"))),
        None => Ok(()),
    }
}

fn is_function(request: &intermission::ledger::entry::Request) -> bool {
    matches!(request, intermission::ledger::entry::Request::Function { .. })
}

/// Law 3: of two calls that one invocation made, the one whose outcome was known earlier is settled earlier.
pub(crate) fn first_finished_first_told(record: &Record, memory: &Memory) -> Result<(), Broken> {
    let settled: BTreeMap<u32, usize> = record
        .entries()
        .iter()
        .enumerate()
        .filter_map(|(at, entry)| match entry {
            Entry::Settled { call, .. } => Some((*call, at)),
            _ => None,
        })
        .collect();
    let mut last: Option<(&crate::world::Finished, usize)> = None;
    for finished in &memory.finished {
        let Some(at) = settled.get(&finished.request_index) else { continue };
        if let Some((before, told)) = last
            && before.invocation == finished.invocation
            && before.at < finished.at
            && told > *at
        {
            return Err(broken(3, format!("{before:?} is told after {finished:?}")));
        }
        if last.is_none_or(|(before, _)| before.invocation != finished.invocation || before.at < finished.at)
        {
            last = Some((finished, *at));
        }
    }
    Ok(())
}

/// In strict mode a call that no part of the script can observe is not made.
fn nothing_behind_the_end(record: &Record) -> Result<(), Broken> {
    let behind = record.entries().iter().skip_while(|entry| !matches!(entry, Entry::Ended(_)));
    let made = behind.clone().find(|entry| matches!(entry, Entry::Dispatched { .. }));
    made.map_or(Ok(()), |entry| Err(broken(3, format!("behind the end: {entry:?}"))))
}
