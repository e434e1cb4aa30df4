//! A policy that JavaScript decides by, on the spot: nothing waits while it does.

use std::cell::Cell;

use intermission::{Decision, Ground, Policy, ProposedCall, Value};
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

pub(crate) struct AskedPolicy(pub(crate) Decide);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", tag = "decision")]
enum Said {
    Nothing,
    Allow,
    Ask { rule: String, reason: Option<String> },
    Deny { rule: String, reason: Option<String> },
}

impl Policy for AskedPolicy {
    fn decide(&self, call: &ProposedCall<'_>) -> Option<Decision> {
        let ground = |rule, reason: Option<String>| Ground { rule, reason };
        match self.ask(call) {
            Ok(Said::Nothing) => None,
            Ok(Said::Allow) => Some(Decision::Allow),
            Ok(Said::Ask { rule, reason }) => Some(Decision::Ask(ground(rule, reason))),
            Ok(Said::Deny { rule, reason }) => Some(Decision::Deny(ground(rule, reason))),
            // A policy that cannot be asked lets nothing in.
            Err(why) => Some(Decision::Deny(Ground::new("policy").because(why))),
        }
    }
}

impl AskedPolicy {
    fn ask(&self, call: &ProposedCall<'_>) -> Result<Said, String> {
        let Some(env) = HERE.get() else { return Err("it is asked where there is no JavaScript".to_owned()) };
        let proposed = Value::object([
            ("runId", Value::from(call.run_id.to_string())),
            ("requestIndex", call.request_index.into()),
            ("hostFunction", call.function.name().into()),
            ("effect", call.function.declared().effect.name().into()),
            ("arguments", nested_list(&call.arguments)),
        ]);
        let said = self.0.borrow_back(&env).and_then(|decide| decide.call(write(&proposed).into()));
        read(&said.map_err(|error| error.reason.clone())?).map_err(|error| error.reason.clone())
    }
}
