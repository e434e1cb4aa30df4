//! A policy of a door's language. Nothing waits while it decides.

use intermission::{Decision, Ground, Policy, ProposedCall, Value};
use serde::Deserialize;

use crate::asks::Asks;
use crate::message::{nested_list, read, write};

/// Asked from a thread of the library's, which stands still meanwhile.
pub(crate) struct AskedPolicy(pub(crate) Asks);

impl Policy for AskedPolicy {
    fn decide(&self, call: &ProposedCall<'_>) -> Option<Decision> {
        let ask = self.0.begin("decide", [("call", Value::bytes(proposed(call)))]);
        let said = tokio::task::block_in_place(|| ask.wait());
        let bytes = |said: Value| said.as_bytes().map(<[u8]>::to_vec).ok_or("it gave nothing");
        decision(said.map_err(|error| error.message().to_owned()).and_then(|said| Ok(bytes(said)?)))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", tag = "decision")]
enum Said {
    Nothing,
    Allow,
    Ask { rule: String, reason: Option<String> },
    Deny { rule: String, reason: Option<String> },
}

/// A call that is decided about, as a message.
pub fn proposed(call: &ProposedCall<'_>) -> Vec<u8> {
    write(&Value::object([
        ("runId", Value::from(call.run_id.to_string())),
        ("requestIndex", call.request_index.into()),
        ("hostFunction", call.function.name().into()),
        ("effect", call.function.declared().effect.name().into()),
        ("arguments", nested_list(&call.arguments)),
    ]))
}

/// What was decided, of a message; or why there is none: a policy that cannot be asked lets nothing in.
pub fn decision(said: Result<Vec<u8>, String>) -> Option<Decision> {
    let ground = |rule, reason: Option<String>| Ground { rule, reason };
    match said.and_then(|said| read(&said).map_err(|error| error.message)) {
        Ok(Said::Nothing) => None,
        Ok(Said::Allow) => Some(Decision::Allow),
        Ok(Said::Ask { rule, reason }) => Some(Decision::Ask(ground(rule, reason))),
        Ok(Said::Deny { rule, reason }) => Some(Decision::Deny(ground(rule, reason))),
        Err(why) => Some(Decision::Deny(Ground::new("policy").because(why))),
    }
}
