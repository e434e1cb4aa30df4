//! A policy that JavaScript decides by. Nothing waits while it does: it is called on the spot, or a thread stands still.

use std::cell::Cell;

use intermission::{Decision, Ground, Policy, ProposedCall, Value};
use intermission_driver::Asks;
use napi::Env;
use napi::bindgen_prelude::{FunctionRef, Uint8Array};
use serde::Deserialize;

use crate::message::{nested_list, read, write};

/// Takes a call and gives a decision, each as a message.
pub(crate) type Decide = FunctionRef<Uint8Array, Uint8Array>;

thread_local! {
    /// Where JavaScript can be called from: set while something is polled on this thread.
    static HERE: Cell<Option<Env>> = const { Cell::new(None) };
}

/// Polls where policies can be asked.
pub(crate) fn here<T>(env: Env, poll: impl FnOnce() -> T) -> T {
    let before = HERE.replace(Some(env));
    let polled = poll();
    HERE.set(before);
    polled
}

/// Called on the event loop's thread, on which its runs are driven.
pub(crate) struct PolicyHere(pub(crate) Decide);

/// Asked from a thread of the library's, which stands still meanwhile.
pub(crate) struct AskedPolicy(pub(crate) Asks);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", tag = "decision")]
enum Said {
    Nothing,
    Allow,
    Ask { rule: String, reason: Option<String> },
    Deny { rule: String, reason: Option<String> },
}

impl Policy for PolicyHere {
    fn decide(&self, call: &ProposedCall<'_>) -> Option<Decision> {
        decision(self.ask(call))
    }
}

impl PolicyHere {
    fn ask(&self, call: &ProposedCall<'_>) -> Result<Vec<u8>, String> {
        let Some(env) = HERE.get() else { return Err("it is asked where there is no JavaScript".to_owned()) };
        let said = self.0.borrow_back(&env).and_then(|decide| decide.call(proposed(call).into()));
        said.map(|said| said.to_vec()).map_err(|error| error.reason.clone())
    }
}

impl Policy for AskedPolicy {
    fn decide(&self, call: &ProposedCall<'_>) -> Option<Decision> {
        let ask = self.0.begin("decide", [("call", Value::bytes(proposed(call)))]);
        let said = tokio::task::block_in_place(|| ask.wait());
        let bytes = |said: Value| said.as_bytes().map(<[u8]>::to_vec).ok_or("it gave nothing");
        decision(said.map_err(|error| error.message().to_owned()).and_then(|said| Ok(bytes(said)?)))
    }
}

fn proposed(call: &ProposedCall<'_>) -> Vec<u8> {
    write(&Value::object([
        ("runId", Value::from(call.run_id.to_string())),
        ("requestIndex", call.request_index.into()),
        ("hostFunction", call.function.name().into()),
        ("effect", call.function.declared().effect.name().into()),
        ("arguments", nested_list(&call.arguments)),
    ]))
}

fn decision(said: Result<Vec<u8>, String>) -> Option<Decision> {
    let ground = |rule, reason: Option<String>| Ground { rule, reason };
    match said.and_then(|said| read(&said).map_err(|error| error.reason.clone())) {
        Ok(Said::Nothing) => None,
        Ok(Said::Allow) => Some(Decision::Allow),
        Ok(Said::Ask { rule, reason }) => Some(Decision::Ask(ground(rule, reason))),
        Ok(Said::Deny { rule, reason }) => Some(Decision::Deny(ground(rule, reason))),
        // A policy that cannot be asked lets nothing in.
        Err(why) => Some(Decision::Deny(Ground::new("policy").because(why))),
    }
}
