//! What can be said of a continuation without a runner.
#![expect(clippy::needless_pass_by_value, reason = "what JavaScript gives is the callee's")]

use intermission::ledger::{RunId, idempotency_key as key_of};
use intermission::{Continuation, Value};
use napi::Env;
use napi::bindgen_prelude::Uint8ArraySlice;
use napi_derive::napi;

use crate::message::{coded, maybe, refused, write};
use crate::say;

/// What a continuation says: run, source, open questions.
#[napi]
pub fn describe<'e>(env: &'e Env, bytes: &[u8]) -> napi::Result<Uint8ArraySlice<'e>, String> {
    let continuation = continuation(bytes)?;
    let said = Value::object([
        ("runId", Value::from(continuation.run_id().to_string())),
        ("source", continuation.source().into()),
        ("over", continuation.over().is_some().into()),
        ("interruptions", Value::array(continuation.interruptions().iter().map(say::interruption))),
        ("wakeAt", maybe(continuation.wake_at().map(say::time))),
        ("length", Value::from(continuation.record().entries().len() as f64)),
    ]);
    copied(env, &write(&said))
}

/// Another run that has the first `at` entries in common with this one.
#[napi]
pub fn fork<'e>(env: &'e Env, bytes: &[u8], at: u32) -> napi::Result<Uint8ArraySlice<'e>, String> {
    let forked = continuation(bytes)?.fork(at as usize).map_err(|error| coded("LEDGER", &error))?;
    copied(env, &forked.to_bytes())
}

/// The key that is the same whenever this very call is made again.
#[napi]
pub fn idempotency_key(
    run_id: String,
    request_index: u32,
    host_function: String,
    arguments: &[u8],
) -> napi::Result<String, String> {
    let run: RunId = run_id.parse().map_err(|error| coded("OPTIONS", &error))?;
    Ok(key_of(run, request_index, &host_function, arguments))
}

/// A continuation in its plain bytes.
pub(crate) fn continuation(bytes: &[u8]) -> napi::Result<Continuation, String> {
    intermission_driver::continuation(bytes).map_err(refused)
}

/// Bytes as JavaScript's own: no finalizer has to run for them.
pub(crate) fn copied<'e>(env: &'e Env, bytes: &[u8]) -> napi::Result<Uint8ArraySlice<'e>, String> {
    Uint8ArraySlice::copy_from(env, bytes).map_err(|error| coded("NAPI", &error.reason))
}
