//! Between columns and what they mean.

use intermission::value::{decode, encode};
use intermission::{Interruption, InterruptionId, InterruptionKind, Position, RunId, Value};
use rusqlite::types::Type;
use rusqlite::{Error, Row};

use crate::answer::{Given, answer_of};
use crate::rows::{RunState, Wish};

/// What a column says that it cannot say.
pub(crate) fn nonsense(column: usize, what: &str) -> Error {
    Error::FromSqlConversionFailure(column, Type::Null, format!("{what} is none").into())
}

/// Times and numbers: SQLite's integers have a sign.
pub(crate) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn natural(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    u64::try_from(row.get::<_, i64>(column)?).map_err(|_| nonsense(column, "a number below zero"))
}

pub(crate) fn natural_or_none(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<u64>> {
    row.get::<_, Option<i64>>(column)?.map(|_| natural(row, column)).transpose()
}

pub(crate) fn run_id(row: &Row<'_>, column: usize) -> rusqlite::Result<RunId> {
    Ok(RunId::from_bytes(row.get(column)?))
}

pub(crate) fn run_id_or_none(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<RunId>> {
    Ok(row.get::<_, Option<[u8; 16]>>(column)?.map(RunId::from_bytes))
}

pub(crate) fn interruption_id(row: &Row<'_>, column: usize) -> rusqlite::Result<InterruptionId> {
    row.get_ref(column)?.as_str()?.parse().map_err(|_| nonsense(column, "an interruption's id"))
}

pub(crate) fn value_of(row: &Row<'_>, column: usize) -> rusqlite::Result<Value> {
    decode(row.get_ref(column)?.as_blob()?, usize::MAX).map_err(|_| nonsense(column, "a value"))
}

/// What came from a run can be kept: it was encoded before.
pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    encode(value).unwrap_or_default()
}

pub(crate) const KINDS: [InterruptionKind; 4] = [
    InterruptionKind::Question,
    InterruptionKind::Approval,
    InterruptionKind::OutcomeUnknown,
    InterruptionKind::Event,
];

/// `id, kind, request_index, host_function, arguments, arguments_digest, payload, file, line, column, created, expires, fallback`, from a column on.
pub(crate) fn interruption(row: &Row<'_>, from: usize) -> rusqlite::Result<Interruption> {
    let kind = row.get_ref(from + 1)?.as_str()?;
    let kind = KINDS.into_iter().find(|known| known.name() == kind);
    let Value::Array(arguments) = value_of(row, from + 4)? else {
        return Err(nonsense(from + 4, "a list of arguments"));
    };
    let position = match (row.get(from + 8)?, row.get(from + 9)?) {
        (Some(line), Some(column)) => Some(Position { line, column }),
        _ => None,
    };
    let fallback = row.get_ref(from + 12)?.as_blob_or_null()?;
    Ok(Interruption {
        id: interruption_id(row, from)?,
        kind: kind.ok_or_else(|| nonsense(from + 1, "a kind of questions"))?,
        request_index: row.get(from + 2)?,
        host_function: row.get(from + 3)?,
        arguments: arguments.into_iter().map(Option::unwrap_or_default).collect(),
        arguments_digest: row.get(from + 5)?,
        payload: value_of(row, from + 6)?,
        file: row.get(from + 7)?,
        position,
        created: natural(row, from + 10)?,
        expires: natural_or_none(row, from + 11)?,
        default: fallback.map(|_| value_of(row, from + 12)).transpose()?,
    })
}

/// `interruption, answer, at, given_by`.
pub(crate) fn given(row: &Row<'_>) -> rusqlite::Result<Given> {
    Ok(Given {
        interruption_id: interruption_id(row, 0)?,
        answer: answer_of(row.get_ref(1)?.as_blob()?).ok_or_else(|| nonsense(1, "an answer"))?,
        at: natural(row, 2)?,
        by: row.get(3)?,
    })
}

/// `state, until, wake_at, value, code, message`, from a column on.
pub(crate) fn state(row: &Row<'_>, from: usize) -> rusqlite::Result<RunState> {
    Ok(match row.get_ref(from)?.as_str()? {
        "ready" => RunState::Ready,
        "running" => RunState::Running { until: natural_or_none(row, from + 1)?.unwrap_or_default() },
        "waiting" => RunState::Waiting { wake_at: natural_or_none(row, from + 2)? },
        "completed" => RunState::Completed { value: value_of(row, from + 3)? },
        "failed" => RunState::Failed { code: row.get(from + 4)?, message: row.get(from + 5)? },
        "cancelled" => RunState::Cancelled,
        _ => return Err(nonsense(from, "a run's state")),
    })
}

pub(crate) fn wish(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Wish>> {
    match row.get_ref(column)?.as_str_or_null()? {
        None => Ok(None),
        Some("cancel") => Ok(Some(Wish::Cancel)),
        Some("retry") => Ok(Some(Wish::Retry)),
        Some(_) => Err(nonsense(column, "a wish")),
    }
}
