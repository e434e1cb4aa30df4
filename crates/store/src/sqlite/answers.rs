//! Answers and events: the first of each is a fact.

use intermission::{Answer, InterruptionId, RunId};
use rusqlite::{Connection, OptionalExtension, params};

use super::columns::{given, integer, interruption_id, natural, value_of};
use super::file::Act;
use super::runs::{find, is_final, make_ready, note, pending};
use crate::answer::Given;
use crate::outcomes::{Emitted, Resolved};
use crate::rows::{NewEvent, What};

pub(crate) fn resolve(t: &Connection, run: RunId, new: &Given, answer: &[u8]) -> Act<Resolved> {
    let Some((run, state)) = find(t, run)? else { return Ok(Resolved::NoRun) };
    let id = new.interruption_id.as_str();
    let before = t
        .prepare_cached("SELECT interruption, answer, at, given_by FROM resolution WHERE interruption = ?1")?
        .query_row([id], |row| Ok((row.get_ref(1)?.as_blob()? == answer, given(row)?)))
        .optional()?;
    match before {
        Some((true, _)) => return Ok(Resolved::Same),
        Some((false, winner)) => return Ok(Resolved::Conflict { winner: Box::new(winner) }),
        None => {}
    }
    let asked = pending(t, id)?;
    match &asked {
        Some((state, expires)) => match (state.as_str(), expires) {
            ("pending", Some(expires)) if *expires <= new.at => {
                return Ok(Resolved::Expired { at: *expires });
            }
            ("pending", _) => {}
            ("expired", expires) => return Ok(Resolved::Expired { at: expires.unwrap_or_default() }),
            _ => return Ok(Resolved::Over),
        },
        None if is_final(&state) => return Ok(Resolved::Over),
        None => {}
    }
    t.prepare_cached(
        "INSERT INTO resolution (interruption, run, at, given_by, answer) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![id, run, integer(new.at), new.by, answer])?;
    note(t, run, new.at, &What::Answered(new.interruption_id.clone()))?;
    if asked.is_none() {
        return Ok(Resolved::Early);
    }
    t.prepare_cached("UPDATE interruption SET state = 'given' WHERE id = ?1")?.execute([id])?;
    make_ready(t, run, new.at)?;
    Ok(Resolved::First)
}

pub(crate) fn discard(t: &Connection, run: RunId, id: &InterruptionId) -> Act<()> {
    let Some((run, _)) = find(t, run)? else { return Ok(()) };
    let opened = t.execute(
        "UPDATE interruption SET state = 'pending' WHERE id = ?1 AND run = ?2 AND state = 'given'",
        params![id.as_str(), run],
    )?;
    if opened > 0 {
        t.execute("DELETE FROM resolution WHERE interruption = ?1", [id.as_str()])?;
    }
    Ok(())
}

pub(crate) fn emit(t: &Connection, event: &NewEvent) -> Act<Emitted> {
    let Some((run, state)) = find(t, event.run_id)? else { return Ok(Emitted::NoRun) };
    let before: Option<Vec<u8>> = t
        .prepare_cached("SELECT value FROM event WHERE run = ?1 AND key = ?2")?
        .query_row(params![run, event.key], |row| row.get(0))
        .optional()?;
    match before {
        Some(winner) if winner == event.value => return Ok(Emitted::Same),
        Some(winner) => return Ok(Emitted::Conflict { winner }),
        None => {}
    }
    if is_final(&state) {
        return Ok(Emitted::Over);
    }
    t.prepare_cached("INSERT INTO event (run, key, at, emitted_by, value) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![run, event.key, integer(event.at), event.by, event.value])?;
    note(t, run, event.at, &What::Emitted(event.key.clone()))?;
    let given = t
        .prepare_cached(
            "UPDATE interruption SET state = 'given' WHERE run = ?1 AND event_key = ?2 AND state = 'pending'
               AND (expires IS NULL OR expires > ?3)",
        )?
        .execute(params![run, event.key, integer(event.at)])?;
    if given > 0 {
        make_ready(t, run, event.at)?;
    }
    Ok(Emitted::First)
}

const ANSWERS: &str = "
    SELECT resolution.interruption, resolution.answer, resolution.at, resolution.given_by
    FROM interruption JOIN resolution ON resolution.interruption = interruption.id
    WHERE interruption.run = ?1 AND interruption.state = 'given'";

const EVENTS: &str = "
    SELECT interruption.id, event.value, event.at, event.emitted_by
    FROM interruption JOIN event ON event.run = interruption.run AND event.key = interruption.event_key
    WHERE interruption.run = ?1 AND interruption.state = 'given'
      AND NOT EXISTS (SELECT 1 FROM resolution WHERE resolution.interruption = interruption.id)";

/// The answers that a run has not taken, in the order in which they were given.
pub(crate) fn waiting(t: &Connection, run: i64) -> Act<Vec<Given>> {
    let answers = t.prepare_cached(ANSWERS)?.query_map([run], given)?.collect::<Act<Vec<_>>>()?;
    let of_event = |row: &rusqlite::Row<'_>| {
        Ok(Given {
            interruption_id: interruption_id(row, 0)?,
            answer: Answer::Value(value_of(row, 1)?),
            at: natural(row, 2)?,
            by: row.get(3)?,
        })
    };
    let mut waiting = answers;
    waiting.extend(t.prepare_cached(EVENTS)?.query_map([run], of_event)?.collect::<Act<Vec<_>>>()?);
    waiting.sort_by_key(|given| given.at);
    Ok(waiting)
}

/// Whether there are any.
pub(crate) fn are_waiting(t: &Connection, run: i64) -> Act<bool> {
    t.prepare_cached("SELECT EXISTS (SELECT 1 FROM interruption WHERE run = ?1 AND state = 'given')")?
        .query_row([run], |row| row.get(0))
}
