//! What is written of runs and who goes on with them.

use intermission::{Interruption, InterruptionId, InterruptionKind, RunId};
use rusqlite::{Connection, OptionalExtension, named_params, params};

use super::columns::{bytes, integer, natural, natural_or_none, run_id, wish as wish_of};
use super::file::Act;
use crate::lease::{Lease, WorkerId};
use crate::outcomes::{Appended, Created, Deleted, PutDown, Wished};
use crate::rows::{
    Entries, FunctionSchema, Held, Leasing, NewEntries, NewRun, QuestionOver, Rest, Wanted, What, Wish,
};

/// A run's number in the file, and its state.
pub(crate) fn find(t: &Connection, run: RunId) -> Act<Option<(i64, String)>> {
    t.prepare_cached("SELECT number, state FROM run WHERE id = ?1")?
        .query_row([run.bytes()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// Whether nothing more can become of a run in this state: one that has failed can be tried again.
pub(crate) fn is_final(state: &str) -> bool {
    matches!(state, "completed" | "cancelled")
}

pub(crate) fn note(t: &Connection, run: i64, at: u64, what: &What) -> Act<()> {
    t.prepare_cached("INSERT INTO notice (run, at, what, subject) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![run, integer(at), what.name(), what.subject()])?;
    Ok(())
}

pub(crate) fn set_state(t: &Connection, run: i64, state: &str, now: u64) -> Act<()> {
    t.prepare_cached("UPDATE run SET state = ?2, updated = ?3 WHERE number = ?1")?.execute(params![
        run,
        state,
        integer(now)
    ])?;
    Ok(())
}

/// Makes a run ready, if it waits or has failed. Whoever goes on with one finds out by himself.
pub(crate) fn make_ready(t: &Connection, run: i64, now: u64) -> Act<()> {
    let changed = t
        .prepare_cached("UPDATE run SET state = 'ready', updated = ?2 WHERE number = ?1 AND state IN ('waiting', 'failed')")?
        .execute(params![run, integer(now)])?;
    if changed > 0 {
        t.prepare_cached("DELETE FROM timer WHERE run = ?1")?.execute([run])?;
    }
    Ok(())
}

pub(crate) fn create(t: &Connection, new: &NewRun, leasing: Option<Leasing>) -> Act<Created> {
    if let Some(key) = &new.key {
        let same =
            t.query_row("SELECT id FROM run WHERE key = ?1", [key], |row| run_id(row, 0)).optional()?;
        if let Some(run) = same {
            return Ok(Created::Exists(run));
        }
    }
    let lease = leasing.map(|_| Lease { run_id: new.run_id, fence: 1 });
    let made = t
        .prepare_cached(
            "INSERT INTO run (id, key, name, format, forked_from, created, updated, state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7) ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![
            new.run_id.bytes(),
            new.key,
            new.name,
            new.format,
            new.forked_from.map(RunId::bytes),
            integer(new.now),
            if lease.is_some() { "running" } else { "ready" },
        ])?;
    if made == 0 {
        return Ok(Created::Exists(new.run_id));
    }
    let run = t.last_insert_rowid();
    t.prepare_cached("INSERT INTO lease (run, fence, worker, until) VALUES (?1, ?2, ?3, ?4)")?.execute(
        params![
            run,
            integer(lease.map_or(0, |lease| lease.fence)),
            leasing.map(|leasing| leasing.worker.bytes()),
            leasing.map(|leasing| integer(leasing.until)),
        ],
    )?;
    insert(t, run, &new.entries)?;
    note(t, run, new.now, &What::Began)?;
    ask(t, run, &new.asked, new.now)?;
    Ok(Created::New(lease))
}

/// For a run of which it is known who has it.
pub(crate) fn insert(t: &Connection, run: i64, entries: &Entries) -> Act<()> {
    t.prepare_cached("INSERT INTO entries (place, count, bytes) VALUES ((?1 << 32) + ?2, ?3, ?4)")?
        .execute(params![run, entries.from as i64, entries.count as i64, entries.bytes])?;
    Ok(())
}

fn lease(t: &Connection, run: i64, id: RunId, leasing: Leasing) -> Act<Lease> {
    let fence = t
        .prepare_cached(
            "UPDATE lease SET fence = fence + 1, worker = ?2, until = ?3 WHERE run = ?1 RETURNING fence",
        )?
        .query_row(params![run, leasing.worker.bytes(), integer(leasing.until)], |row| natural(row, 0))?;
    t.prepare_cached("DELETE FROM timer WHERE run = ?1")?.execute([run])?;
    set_state(t, run, "running", leasing.now)?;
    Ok(Lease { run_id: id, fence })
}

/// The number of a run that is leased so; `None` where somebody else has it, or nobody.
fn leased(t: &Connection, lease: Lease) -> Act<Option<i64>> {
    t.prepare_cached(
        "SELECT run.number FROM run JOIN lease ON lease.run = run.number
         WHERE run.id = ?1 AND lease.fence = ?2 AND lease.worker IS NOT NULL",
    )?
    .query_row(params![lease.run_id.bytes(), integer(lease.fence)], |row| row.get(0))
    .optional()
}

/// Entries that say nothing of questions: almost all. One statement, which is a transaction by itself. Gives the run's number; `None` where somebody else has it, or nobody.
pub(crate) fn append_leased(t: &Connection, lease: Lease, entries: &Entries) -> Act<Option<i64>> {
    let mut statement = t.prepare_cached(
        "INSERT INTO entries (place, count, bytes)
         SELECT (run.number << 32) + ?3, ?4, ?5 FROM run JOIN lease ON lease.run = run.number
         WHERE run.id = ?1 AND lease.fence = ?2 AND lease.worker IS NOT NULL RETURNING place >> 32",
    )?;
    let mut rows = statement.query(params![
        lease.run_id.bytes(),
        integer(lease.fence),
        entries.from as i64,
        entries.count as i64,
        entries.bytes
    ])?;
    let run = rows.next()?.map(|row| row.get(0)).transpose()?;
    // With its last row it is committed.
    while rows.next()?.is_some() {}
    Ok(run)
}

/// The same, for whoever needs no number.
pub(crate) fn append_quietly(t: &Connection, lease: Lease, entries: &Entries) -> Act<Appended> {
    Ok(append_leased(t, lease, entries)?.map_or(Appended::Lost, |_| Appended::Kept))
}

pub(crate) fn append(t: &Connection, lease: Lease, new: &NewEntries) -> Act<Appended> {
    let Some(run) = leased(t, lease)? else { return Ok(Appended::Lost) };
    ask(t, run, &new.asked, new.now)?;
    new.reopened.iter().try_for_each(|id| reopen(t, run, id))?;
    for (id, over) in &new.over {
        let is_given =
            || pending(t, id.as_str()).map(|found| found.is_some_and(|(state, _)| state == "given"));
        if *over == QuestionOver::Expired && is_given()? {
            return Ok(Appended::Answered(id.clone()));
        }
        let (state, what) = match over {
            QuestionOver::Answered => ("answered", None),
            QuestionOver::Expired => ("expired", Some(What::Expired(id.clone()))),
            QuestionOver::Abandoned => ("abandoned", Some(What::Abandoned(id.clone()))),
        };
        t.prepare_cached("UPDATE interruption SET state = ?2 WHERE id = ?1")?
            .execute(params![id.as_str(), state])?;
        what.map_or(Ok(()), |what| note(t, run, new.now, &what))?;
    }
    insert(t, run, &new.entries)?;
    Ok(Appended::Kept)
}

fn ask(t: &Connection, run: i64, asked: &[Interruption], now: u64) -> Act<()> {
    asked.iter().try_for_each(|asked| {
        ask_one(t, run, asked)?;
        note(t, run, now, &What::Asked(asked.id.clone()))
    })
}

fn ask_one(t: &Connection, run: i64, asked: &Interruption) -> Act<()> {
    let key = asked.arguments.first().filter(|_| asked.kind == InterruptionKind::Event);
    let arguments = intermission::Value::array(asked.arguments.clone());
    t.prepare_cached(
        "INSERT INTO interruption (id, run, state, kind, request_index, host_function, arguments, arguments_digest,
           payload, event_key, file, line, column, created, expires, fallback)
         VALUES (:id, :run,
           CASE WHEN EXISTS (SELECT 1 FROM resolution WHERE interruption = :id)
                  OR EXISTS (SELECT 1 FROM event WHERE run = :run AND key = :event_key)
             THEN 'given' ELSE 'pending' END, :kind, :request_index, :host_function, :arguments, :digest,
           :payload, :event_key, :file, :line, :column, :created, :expires, :fallback)",
    )?
    .execute(named_params! {
        ":id": asked.id.as_str(),
        ":run": run,
        ":kind": asked.kind.name(),
        ":request_index": asked.request_index,
        ":host_function": asked.host_function,
        ":arguments": bytes(&arguments),
        ":digest": asked.arguments_digest,
        ":payload": bytes(&asked.payload),
        ":event_key": key.and_then(|key| key.as_str()),
        ":file": asked.file,
        ":line": asked.position.map(|position| position.line),
        ":column": asked.position.map(|position| position.column),
        ":created": integer(asked.created),
        ":expires": asked.expires.map(integer),
        ":fallback": asked.default.as_ref().map(bytes),
    })?;
    Ok(())
}

/// Not a second time among the notices: it is the same question.
fn reopen(t: &Connection, run: i64, id: &InterruptionId) -> Act<()> {
    t.prepare_cached(
        "UPDATE interruption SET state =
           CASE WHEN EXISTS (SELECT 1 FROM resolution WHERE resolution.interruption = ?1)
                  OR EXISTS (SELECT 1 FROM event WHERE event.run = ?2 AND event.key = event_key)
             THEN 'given' ELSE 'pending' END
         WHERE id = ?1 AND state = 'abandoned'",
    )?
    .execute(params![id.as_str(), run])?;
    Ok(())
}

/// A cross join is SQLite's way to say where a search begins: at the few that are due, and not at the many that wait.
const CLAIMABLE: &str = "
    SELECT number, id FROM run WHERE state = 'ready'
    UNION ALL
    SELECT run.number, run.id FROM lease CROSS JOIN run ON run.number = lease.run
      WHERE lease.worker IS NOT NULL AND lease.worker <> ?2 AND lease.until <= ?1 AND run.state = 'running'
    UNION ALL
    SELECT run.number, run.id FROM timer CROSS JOIN run ON run.number = timer.run
      WHERE timer.wake_at <= ?1 AND run.state = 'waiting'";

/// What this worker may lease. What it has leased it goes on with, however long nothing could be renewed.
pub(crate) fn claimable(t: &Connection, leasing: Leasing, wanted: &Wanted) -> Act<Vec<(i64, RunId)>> {
    let (now, worker) = (integer(leasing.now), leasing.worker.bytes());
    let of_row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, run_id(row, 1)?));
    match wanted {
        Wanted::Any { most, except } => {
            let found = t
                .prepare_cached(&format!("{CLAIMABLE} LIMIT ?3"))?
                .query_map(params![now, worker, (most + except.len()) as i64], of_row)?
                .collect::<Act<Vec<(i64, RunId)>>>()?;
            Ok(found.into_iter().filter(|(_, run)| !except.contains(run)).take(*most).collect())
        }
        Wanted::Run(run) => t
            .prepare_cached(&format!("SELECT * FROM ({CLAIMABLE}) WHERE id = ?3"))?
            .query_map(params![now, worker, run.bytes()], of_row)?
            .collect(),
    }
}

pub(crate) fn claim(t: &Connection, leasing: Leasing, wanted: &Wanted) -> Act<Vec<Lease>> {
    let found = claimable(t, leasing, wanted)?;
    found.into_iter().map(|(run, id)| lease(t, run, id, leasing)).collect()
}

pub(crate) fn renew(t: &Connection, leasing: Leasing) -> Act<Vec<Lease>> {
    t.prepare_cached("UPDATE lease SET until = ?2 WHERE worker = ?1")?
        .execute(params![leasing.worker.bytes(), integer(leasing.until)])?;
    t.prepare_cached(
        "SELECT run.id, lease.fence FROM lease JOIN run ON run.number = lease.run WHERE lease.worker = ?1",
    )?
    .query_map([leasing.worker.bytes()], |row| {
        Ok(Lease { run_id: run_id(row, 0)?, fence: natural(row, 1)? })
    })?
    .collect()
}

pub(crate) fn held(t: &Connection, worker: WorkerId) -> Act<Vec<Held>> {
    t.prepare_cached(
        "SELECT run.id, lease.fence, run.wish,
           EXISTS (SELECT 1 FROM interruption WHERE interruption.run = lease.run AND interruption.state = 'given')
         FROM lease JOIN run ON run.number = lease.run WHERE lease.worker = ?1",
    )?
    .query_map([worker.bytes()], |row| {
        let lease = Lease { run_id: run_id(row, 0)?, fence: natural(row, 1)? };
        Ok(Held { lease, cancel: wish_of(row, 2)? == Some(Wish::Cancel), answers: row.get(3)? })
    })?
    .collect()
}

pub(crate) fn put_down(t: &Connection, lease: Lease, rest: &Rest, now: u64) -> Act<PutDown> {
    let Some(run) = leased(t, lease)? else { return Ok(PutDown::Lost) };
    let wish = t
        .prepare_cached("SELECT wish FROM run WHERE number = ?1")?
        .query_row([run], |row| wish_of(row, 0))?;
    let (state, what) = match rest {
        Rest::Waiting { .. } => {
            if wish == Some(Wish::Cancel) || super::answers::are_waiting(t, run)? {
                return Ok(PutDown::Again);
            }
            ("waiting", Some(What::PutAway))
        }
        Rest::Ready => ("ready", None),
        Rest::Completed { .. } => ("completed", Some(What::Completed)),
        Rest::Failed { code, .. } => ("failed", Some(What::Failed(code.clone()))),
        Rest::Cancelled => ("cancelled", Some(What::Cancelled)),
    };
    let (value, code, message) = match rest {
        Rest::Completed { value } => (Some(value), None, None),
        Rest::Failed { code, message } => (None, Some(code), Some(message)),
        _ => (None, None, None),
    };
    // A wish that came too late for a run that is over is done with it.
    t.prepare_cached(
        "UPDATE run SET state = ?2, updated = ?3, value = ?4, code = ?5, message = ?6,
           wish = CASE WHEN ?2 = 'ready' THEN wish END WHERE number = ?1",
    )?
    .execute(params![run, state, integer(now), value, code, message])?;
    t.prepare_cached("UPDATE lease SET worker = NULL, until = NULL WHERE run = ?1")?.execute([run])?;
    if let Rest::Waiting { wake_at: Some(wake_at) } = rest {
        t.prepare_cached("INSERT INTO timer (run, wake_at) VALUES (?1, ?2)")?
            .execute(params![run, integer(*wake_at)])?;
    }
    what.map_or(Ok(()), |what| note(t, run, now, &what))?;
    Ok(PutDown::Done)
}

pub(crate) fn wish(t: &Connection, id: RunId, wish: Wish, now: u64) -> Act<Wished> {
    let Some((run, state)) = find(t, id)? else { return Ok(Wished::NoRun) };
    let (name, fits) = match wish {
        Wish::Cancel => ("cancel", !is_final(&state)),
        Wish::Retry => ("retry", state == "failed"),
    };
    if !fits {
        return Ok(Wished::NotNow);
    }
    t.execute("UPDATE run SET wish = ?2 WHERE number = ?1", params![run, name])?;
    make_ready(t, run, now)?;
    if wish == Wish::Retry {
        note(t, run, now, &What::Retried)?;
    }
    Ok(Wished::Kept)
}

pub(crate) fn delete(t: &Connection, id: RunId) -> Act<Deleted> {
    let Some((run, state)) = find(t, id)? else { return Ok(Deleted::NoRun) };
    if !matches!(state.as_str(), "completed" | "failed" | "cancelled") || still_asks(t, run)? {
        return Ok(Deleted::NotOver);
    }
    erase(t, id)?;
    Ok(Deleted::Gone)
}

/// One that a limit has stopped, for example, has failed and can be gone on with.
fn still_asks(t: &Connection, run: i64) -> Act<bool> {
    t.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM interruption WHERE run = ?1 AND state IN ('pending', 'given'))",
    )?
    .query_row([run], |row| row.get(0))
}

fn erase(t: &Connection, id: RunId) -> Act<()> {
    t.prepare_cached("DELETE FROM run WHERE id = ?1")?.execute([id.bytes()])?;
    t.prepare_cached("DELETE FROM claim WHERE run_id = ?1")?.execute([id.bytes()])?;
    Ok(())
}

pub(crate) fn delete_over(t: &Connection, before: u64, limit: usize) -> Act<usize> {
    let over: Vec<RunId> = t
        .prepare_cached(
            "SELECT id FROM run WHERE state IN ('completed', 'failed', 'cancelled') AND updated < ?1
               AND NOT EXISTS (SELECT 1 FROM interruption
                 WHERE interruption.run = run.number AND interruption.state IN ('pending', 'given')) LIMIT ?2",
        )?
        .query_map(params![integer(before), limit as i64], |row| run_id(row, 0))?
        .collect::<Act<_>>()?;
    over.iter().try_for_each(|run| erase(t, *run))?;
    Ok(over.len())
}

pub(crate) fn remember(t: &Connection, functions: &[FunctionSchema], now: u64) -> Act<()> {
    let mut insert = t.prepare_cached(
        "INSERT INTO host_function (name, fingerprint, first_seen, effect, description, input_schema, output_schema)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING",
    )?;
    for function in functions {
        insert.execute(params![
            function.name,
            function.fingerprint,
            integer(now),
            function.effect,
            function.description,
            function.input_schema,
            function.output_schema
        ])?;
    }
    Ok(())
}

/// Where a question stands, and when it expires.
pub(crate) fn pending(t: &Connection, id: &str) -> Act<Option<(String, Option<u64>)>> {
    t.prepare_cached("SELECT state, expires FROM interruption WHERE id = ?1")?
        .query_row([id], |row| Ok((row.get(0)?, natural_or_none(row, 1)?)))
        .optional()
}
