//! A process that dies, at any entry of its ledger.

use std::collections::BTreeMap;

use intermission::ledger::{Entry, Ledger, Record, Standing};
use intermission::{Continuation, ResumeInput, Value};

use crate::case::Case;
use crate::laws::{Broken, broken, end, shown};
use crate::life::{Life, begins_with};
use crate::rig::Rig;
use crate::world::{BEGINNING, Memory};

/// How many entries are kept. Every other time that is right behind something that a host does, where there is most to lose.
pub(crate) fn place(record: &Record, point: u16) -> usize {
    let entries = record.entries();
    let kept = 1 + usize::from(point) * (entries.len() - 1) / 65_536;
    if point.is_multiple_of(2) {
        return kept;
    }
    let busy = |entry: &Entry| {
        matches!(
            entry,
            Entry::Dispatched { .. } | Entry::Interrupted(_) | Entry::Resolved { .. } | Entry::Paused
        )
    };
    (kept..=entries.len()).find(|kept| busy(&entries[kept - 1])).unwrap_or(kept)
}

/// Goes on from the first `kept` entries in a world that remembers what it did by then. The run ends as every run does; where it observes neither order nor
/// time, as it did without the crash.
pub(crate) async fn go_on_after(
    rig: &Rig,
    case: &Case,
    record: &Record,
    memory: &Memory,
    kept: usize,
    value: &Result<Value, String>,
) -> Result<(), Broken> {
    let what = |law, what: String| broken(law, format!("after a crash at entry {kept}: {what}"));
    let prefix = Record::from_entries(record.entries()[..kept].to_vec());
    let prefix = prefix.map_err(|error| what(4, error.to_string()))?;
    let ledger = Ledger::resume(prefix.clone()).map_err(|error| what(4, error.to_string()))?;
    let now = ledger.facts().clock.saturating_add_signed(case.pauses[0].gap);
    rig.world.begin(&case.plan, now, remembered(case, record, &ledger, memory));
    let continuation = Continuation::new(prefix).map_err(|error| what(4, error.to_string()))?;
    let bytes = continuation.to_bytes();
    let mut life = Life::new(rig, case);
    let resumed = life.runner.resume(ResumeInput::new(continuation)).await;
    let resumed = resumed.map_err(|refused| what(4, refused.to_string()))?;
    begins_with(&resumed, &bytes)?;
    let report = resumed.report();
    let replayed = report.console.get(..report.replayed);
    life.has_said(replayed.ok_or_else(|| what(3, "more was said before than now".to_owned()))?);
    let result = life.carry_on(resumed).await.map_err(|Broken { law, what: why }| what(law, why))?;
    end(&life, &result).await.map_err(|Broken { law, what: why }| what(law, why))?;
    let again = shown(&result)?;
    if !case.ordered && again != *value {
        return Err(what(1, format!("it ends with {again:?}, without with {value:?}")));
    }
    Ok(())
}

/// A program that observes neither order nor time ends the same where nobody has to be asked.
pub(crate) async fn same_without_interruptions(
    rig: &Rig,
    case: &Case,
    value: &Result<Value, String>,
) -> Result<(), Broken> {
    rig.world.begin(&case.plan, BEGINNING, Memory::default());
    let mut life = Life::uninterrupted(rig, case);
    let first = life.begin().await;
    let result = life.carry_on(first).await?;
    let uninterrupted = shown(&result)?;
    if uninterrupted == *value {
        Ok(())
    } else {
        Err(broken(1, format!("it ends with {value:?}, never interrupted with {uninterrupted:?}")))
    }
}

/// What the world has done by then: what the ledger says, and of what was under way what the plan says.
fn remembered(case: &Case, record: &Record, ledger: &Ledger, memory: &Memory) -> Memory {
    let dispatches = |record: &Record| {
        let mut times: BTreeMap<u32, u32> = BTreeMap::new();
        for entry in record.entries() {
            if let Entry::Dispatched { call } = entry {
                *times.entry(*call).or_default() += 1;
            }
        }
        times
    };
    let (by_then, in_all) = (dispatches(ledger.record()), dispatches(record));
    let open = &ledger.facts().open;
    let has_acted = |call: u32| match open.get(&call).map(|open| &open.standing) {
        None => by_then.contains_key(&call),
        // Under way for the last time: what asks has asked by then.
        Some(Standing::Dispatched) => {
            by_then.get(&call) == in_all.get(&call) && case.plan[call as usize % case.plan.len()].survives
        }
        Some(_) => false,
    };
    let mut remembered = memory.clone();
    remembered.invoked.retain(|invoked| invoked.acts && has_acted(invoked.request_index));
    remembered.finished.clear();
    remembered.effects = remembered.invoked.iter().map(|invoked| (invoked.key.clone(), 1)).collect();
    remembered
}
