//! Host functions that the door calls: of runs that nobody drives by hand, and their probes.

use std::pin::pin;
use std::sync::Arc;

use intermission::{HostCall, HostError, HostFunction, Reconciled, Value};

use crate::asks::Asks;
use crate::input::host_error;
use crate::options::SayCall;

/// A function whose calls are asked for.
pub(crate) fn function(name: String, asks: Asks, say: SayCall) -> HostFunction {
    HostFunction::new(name, move |call| {
        let (asks, say) = (asks.clone(), Arc::clone(&say));
        async move { made(&asks, &call, &say).await }
    })
}

async fn made(asks: &Asks, call: &HostCall, say: &SayCall) -> Result<Value, HostError> {
    let ask = asks.begin("call", said(call, say));
    let mut wanted = Wanted { asks, ask: Some(ask.id) };
    let mut answer = pin!(ask.answer_or_never());
    let early = tokio::select! {
        biased;
        answer = &mut answer => Some(answer),
        () = call.abort_signal().aborted() => None,
    };
    if let Some(answer) = early {
        wanted.ask = None;
        return answer;
    }
    drop(wanted);
    // It may still say what came of it.
    answer.await
}

/// Tells, when dropped, that nobody waits for a call's outcome any more.
struct Wanted<'a> {
    asks: &'a Asks,
    /// Gone once it is answered.
    ask: Option<u32>,
}

impl Drop for Wanted<'_> {
    fn drop(&mut self) {
        if let Some(ask) = self.ask {
            self.asks.tell("unwanted", [("ask", ask.into())]);
        }
    }
}

/// With a probe that is asked for.
pub(crate) fn reconciled(function: HostFunction, asks: Asks, say: SayCall) -> HostFunction {
    function.reconcile(move |call| {
        let (asks, said) = (asks.clone(), said(&call, &say));
        async move { Ok(known(&asks.ask("reconcile", said).await?)) }
    })
}

fn known(said: &Value) -> Reconciled {
    match said.get("kind").and_then(Value::as_str) {
        Some("happened") => Reconciled::Happened(Ok(said.get("value").cloned().unwrap_or_default())),
        Some("failed") => Reconciled::Happened(Err(said
            .get("error")
            .map_or_else(|| HostError::new("the call failed"), host_error))),
        Some("didNotHappen") => Reconciled::DidNotHappen,
        _ => Reconciled::Unknown,
    }
}

fn said(call: &HostCall, say: &SayCall) -> [(&'static str, Value); 3] {
    [
        ("runId", call.run_id().to_string().into()),
        ("invocationId", call.invocation_id().to_string().into()),
        ("call", say(call)),
    ]
}
