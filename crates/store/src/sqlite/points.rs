//! Which answers were first at a point of a run.

use intermission::{Claimed, Point};
use rusqlite::{Connection, OptionalExtension, params};

use super::columns::{integer, natural, nonsense};
use super::file::Act;

struct Known {
    answers: String,
    ticket: u64,
    state: String,
    until: u64,
    ledger: Option<Vec<u8>>,
}

fn known(t: &Connection, point: Point) -> Act<Option<Known>> {
    let of_row = |row: &rusqlite::Row<'_>| {
        Ok(Known {
            answers: row.get(0)?,
            ticket: natural(row, 1)?,
            state: row.get(2)?,
            until: natural(row, 3)?,
            ledger: row.get(4)?,
        })
    };
    t.prepare_cached(
        "SELECT answers, ticket, state, until, ledger FROM claim WHERE run_id = ?1 AND length = ?2",
    )?
    .query_row(params![point.run_id.bytes(), point.length as i64], of_row)
    .optional()
}

/// `None` while somebody goes on from there with the same answers.
pub(crate) fn claim(
    t: &Connection,
    point: Point,
    answers: &str,
    now: u64,
    until: u64,
) -> Act<Option<Claimed>> {
    let Some(known) = known(t, point)? else {
        t.prepare_cached(
            "INSERT INTO claim (run_id, length, answers, ticket, state, until) VALUES (?1, ?2, ?3, 1, 'going', ?4)",
        )?
        .execute(params![point.run_id.bytes(), point.length as i64, answers, integer(until)])?;
        return Ok(Some(Claimed::Yours { ticket: 1, left: None }));
    };
    if known.answers != answers {
        return Ok(Some(Claimed::Conflict { winner: known.answers }));
    }
    match known.state.as_str() {
        "done" => Ok(Some(Claimed::Done(known.ledger.ok_or_else(|| nonsense(4, "a ledger"))?))),
        "going" if known.until > now => Ok(None),
        _ => {
            let ticket = known.ticket + 1;
            t.prepare_cached(
                "UPDATE claim SET state = 'going', ticket = ?3, until = ?4 WHERE run_id = ?1 AND length = ?2",
            )?
            .execute(params![
                point.run_id.bytes(),
                point.length as i64,
                integer(ticket),
                integer(until)
            ])?;
            Ok(Some(Claimed::Yours { ticket, left: known.ledger }))
        }
    }
}

pub(crate) fn settle(t: &Connection, point: Point, ticket: u64, ledger: &[u8], done: bool) -> Act<()> {
    t.prepare_cached(
        "UPDATE claim SET state = ?4, ledger = ?5 WHERE run_id = ?1 AND length = ?2 AND ticket = ?3",
    )?
    .execute(params![
        point.run_id.bytes(),
        point.length as i64,
        integer(ticket),
        if done { "done" } else { "left" },
        ledger
    ])?;
    Ok(())
}

pub(crate) fn release(t: &Connection, point: Point, ticket: u64) -> Act<()> {
    let held = params![point.run_id.bytes(), point.length as i64, integer(ticket)];
    t.prepare_cached(
        "DELETE FROM claim WHERE run_id = ?1 AND length = ?2 AND ticket = ?3 AND ledger IS NULL",
    )?
    .execute(held)?;
    t.prepare_cached("UPDATE claim SET state = 'left' WHERE run_id = ?1 AND length = ?2 AND ticket = ?3")?
        .execute(held)?;
    Ok(())
}
