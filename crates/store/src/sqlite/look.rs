//! What is read.

use std::fmt::Write;

use intermission::{InterruptionId, RunId};
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::columns::{given, integer, interruption, natural, run_id, run_id_or_none, state, wish};
use super::file::Act;
use crate::answer::Given;
use crate::rows::{
    FunctionSchema, InboxQuery, Loaded, Notice, RunQuery, StoredInterruption, StoredRun, What,
};

pub(crate) fn load(t: &Connection, id: RunId) -> Act<Option<Loaded>> {
    let Some((run, _)) = super::runs::find(t, id)? else { return Ok(None) };
    let (format, wish) = t
        .prepare_cached("SELECT format, wish FROM run WHERE number = ?1")?
        .query_row([run], |row| Ok((row.get(0)?, wish(row, 1)?)))?;
    let mut ledger: Vec<u8> = vec![format];
    let mut statement = t.prepare_cached(
        "SELECT bytes FROM entries WHERE place BETWEEN ?1 << 32 AND (?1 << 32) + 0xffffffff ORDER BY place",
    )?;
    let mut rows = statement.query([run])?;
    while let Some(row) = rows.next()? {
        ledger.extend_from_slice(row.get_ref(0)?.as_blob()?);
    }
    Ok(Some(Loaded { ledger, answers: super::answers::waiting(t, run)?, wish }))
}

pub(crate) fn untaken(t: &Connection, id: RunId) -> Act<Vec<Given>> {
    let Some((run, _)) = super::runs::find(t, id)? else { return Ok(Vec::new()) };
    super::answers::waiting(t, run)
}

const RUN: &str = "
    SELECT run.id, run.key, run.name, run.forked_from, run.created, run.updated,
      run.state, lease.until, timer.wake_at, run.value, run.code, run.message,
      (SELECT count(*) FROM interruption
        WHERE interruption.run = run.number AND interruption.state = 'pending')
    FROM run LEFT JOIN lease ON lease.run = run.number LEFT JOIN timer ON timer.run = run.number";

fn stored_run(row: &rusqlite::Row<'_>) -> Act<StoredRun> {
    Ok(StoredRun {
        run_id: run_id(row, 0)?,
        key: row.get(1)?,
        name: row.get(2)?,
        forked_from: run_id_or_none(row, 3)?,
        created: natural(row, 4)?,
        updated: natural(row, 5)?,
        state: state(row, 6)?,
        questions: row.get(12)?,
    })
}

pub(crate) fn run(t: &Connection, id: RunId) -> Act<Option<StoredRun>> {
    t.prepare_cached(&format!("{RUN} WHERE run.id = ?1"))?.query_row([id.bytes()], stored_run).optional()
}

pub(crate) fn runs(t: &Connection, query: &RunQuery) -> Act<Vec<StoredRun>> {
    let mut sql = format!("{RUN} WHERE true");
    let mut parameters: Vec<rusqlite::types::Value> = Vec::new();
    if !query.states.is_empty() {
        let marks = vec!["?"; query.states.len()].join(", ");
        let _ = write!(sql, " AND run.state IN ({marks})");
        parameters.extend(query.states.iter().map(|state| (*state).to_owned().into()));
    }
    if let Some(before) = query.before {
        sql.push_str(" AND run.id < ?");
        parameters.push(before.bytes().to_vec().into());
    }
    sql.push_str(" ORDER BY run.id DESC LIMIT ?");
    parameters.push(limit(query.limit).into());
    t.prepare_cached(&sql)?.query_map(params_from_iter(parameters), stored_run)?.collect()
}

pub(crate) fn inbox(t: &Connection, query: &InboxQuery) -> Act<Vec<StoredInterruption>> {
    let mut sql = "
        SELECT run.id, run.name, i.id, i.kind, i.request_index, i.host_function, i.arguments, i.arguments_digest,
          i.payload, i.file, i.line, i.column, i.created, i.expires, i.fallback
        FROM interruption AS i JOIN run ON run.number = i.run
        WHERE i.state = 'pending'"
        .to_owned();
    let mut parameters: Vec<rusqlite::types::Value> = Vec::new();
    if let Some(run) = query.run_id {
        sql.push_str(" AND run.id = ?");
        parameters.push(run.bytes().to_vec().into());
    }
    if !query.events {
        sql.push_str(" AND i.kind <> 'event'");
    }
    if let Some((created, id)) = &query.after {
        sql.push_str(" AND (i.created, i.id) > (?, ?)");
        parameters.extend([integer(*created).into(), id.to_string().into()]);
    }
    sql.push_str(" ORDER BY i.created, i.id LIMIT ?");
    parameters.push(limit(query.limit).into());
    let of_row = |row: &rusqlite::Row<'_>| {
        Ok(StoredInterruption {
            run_id: run_id(row, 0)?,
            name: row.get(1)?,
            interruption: interruption(row, 2)?,
        })
    };
    t.prepare_cached(&sql)?.query_map(params_from_iter(parameters), of_row)?.collect()
}

pub(crate) fn run_of(t: &Connection, asked: &InterruptionId) -> Act<Option<RunId>> {
    t.prepare_cached(
        "SELECT id FROM run WHERE number = coalesce(
           (SELECT run FROM interruption WHERE interruption.id = ?1),
           (SELECT run FROM resolution WHERE resolution.interruption = ?1))",
    )?
    .query_row([asked.as_str()], |row| run_id(row, 0))
    .optional()
}

/// SQLite takes a negative limit as none.
fn limit(limit: Option<usize>) -> i64 {
    limit.map_or(-1, |limit| i64::try_from(limit).unwrap_or(-1))
}

pub(crate) fn answers(t: &Connection, id: RunId) -> Act<Vec<Given>> {
    let Some((run, _)) = super::runs::find(t, id)? else { return Ok(Vec::new()) };
    t.prepare_cached(
        "SELECT interruption, answer, at, given_by FROM resolution WHERE run = ?1 ORDER BY at, interruption",
    )?
    .query_map([run], given)?
    .collect()
}

pub(crate) fn notices(t: &Connection, after: u64, of: Option<RunId>, limit: usize) -> Act<Vec<Notice>> {
    let mut sql = "SELECT notice.number, run.id, notice.at, notice.what, notice.subject
        FROM notice JOIN run ON run.number = notice.run WHERE notice.number > ?"
        .to_owned();
    let mut parameters: Vec<rusqlite::types::Value> = vec![integer(after).into()];
    if let Some(run) = of {
        sql.push_str(" AND run.id = ?");
        parameters.push(run.bytes().to_vec().into());
    }
    sql.push_str(" ORDER BY notice.number LIMIT ?");
    parameters.push((limit as i64).into());
    let of_row = |row: &rusqlite::Row<'_>| {
        let what = What::of(row.get_ref(3)?.as_str()?, row.get(4)?);
        Ok(Notice {
            number: natural(row, 0)?,
            run_id: run_id(row, 1)?,
            at: natural(row, 2)?,
            what: what.ok_or_else(|| super::columns::nonsense(3, "a notice"))?,
        })
    };
    t.prepare_cached(&sql)?.query_map(params_from_iter(parameters), of_row)?.collect()
}

pub(crate) fn next_wake(t: &Connection) -> Act<Option<u64>> {
    t.prepare_cached("SELECT wake_at FROM timer ORDER BY wake_at LIMIT 1")?
        .query_row([], |row| natural(row, 0))
        .optional()
}

pub(crate) fn functions(t: &Connection, name: &str) -> Act<Vec<FunctionSchema>> {
    let of_row = |row: &rusqlite::Row<'_>| {
        Ok(FunctionSchema {
            name: row.get(0)?,
            fingerprint: row.get(1)?,
            effect: row.get(2)?,
            description: row.get(3)?,
            input_schema: row.get(4)?,
            output_schema: row.get(5)?,
        })
    };
    t.prepare_cached(
        "SELECT name, fingerprint, effect, description, input_schema, output_schema
         FROM host_function WHERE name = ?1 ORDER BY first_seen",
    )?
    .query_map([name], of_row)?
    .collect()
}

pub(crate) fn check(t: &Connection) -> Act<Vec<String>> {
    let found: Vec<String> =
        t.prepare("PRAGMA integrity_check")?.query_map([], |row| row.get(0))?.collect::<Act<_>>()?;
    Ok(found.into_iter().filter(|text| text != "ok").collect())
}
