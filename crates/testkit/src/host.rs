//! What the scripted host lends, as data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// Host functions by their names.
pub type Host = BTreeMap<String, Function>;

/// One host function: what it does, and what is known about it. As the block `json host` of a page writes it.
///
/// ```
/// use intermission_testkit::{Behavior, Effect, Function};
///
/// let pay: Function = serde_json::from_str(r#"{ "does": "ask", "effect": "idempotent" }"#)?;
/// assert_eq!((pay.does, pay.effect, pay.times), (Behavior::Ask, Effect::Idempotent, 1));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// What it does.
    pub does: Behavior,
    /// What may happen when a call is made again. Default: unsafe.
    #[serde(default)]
    pub effect: Effect,
    /// Whether each call has to be approved first. Default: no.
    #[serde(default)]
    pub approval: bool,
    /// What a policy says of its calls, under a rule called `corpus`. Default: nothing.
    pub policy: Option<Verdict>,
    /// Whether the script stands still until it has answered. Default: no.
    #[serde(default)]
    pub blocking: bool,
    /// A JSON Schema of its argument. Default: anything fits.
    pub input_schema: Option<Json>,
    /// How many of its first calls fail, before it does what it does. Default: 0.
    #[serde(default)]
    pub fails: u32,
    /// Of [`Behavior::Fail`] and `fails`: the error. Default: a `TypeError`, whose message is the argument.
    pub error: Option<HostError>,
    /// Of [`Behavior::Ask`]: how many questions a call has. Default: 1.
    #[serde(default = "once")]
    pub times: u32,
    /// Of [`Behavior::Ask`]: until when it can be answered, in milliseconds since 1970. Default: for ever.
    pub expires_at: Option<u64>,
    /// Of [`Behavior::Ask`]: what stands for an answer then. Default: nothing, and the call is rejected.
    pub default: Option<Json>,
    /// Whether it can find out by its key what became of a call. Default: no.
    #[serde(default)]
    pub probe: bool,
    /// Of [`Behavior::Give`]: what. Default: `null`.
    #[serde(default)]
    pub value: Json,
}

/// What a host function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Behavior {
    /// Returns its argument.
    Echo,
    /// Returns `value`.
    Give,
    /// Takes `{ ms, value }`: returns `value` after `ms` milliseconds. Only the order of what waits at one time counts.
    Wait,
    /// Rejects with `error`.
    Fail,
    /// Interrupts with the payload `{ q: argument }`, and returns the answer; of several questions, an array of the answers.
    Ask,
    /// Does not answer until it is told to abort.
    Never,
}

/// What a policy says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is made.
    Allow,
    /// Somebody is asked first.
    Ask,
    /// It is not made.
    Deny,
}

/// What may happen when a call is made again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// It has no effect.
    Pure,
    /// The scripted host remembers the key of what it has done, and does nothing a second time.
    Idempotent,
    /// Again is twice.
    #[default]
    Unsafe,
}

/// What a host function throws.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HostError {
    /// Its name. Default: `Error`.
    #[serde(default = "error_name")]
    pub name: String,
    /// Its message.
    pub message: String,
}

/// What pages are lent that say nothing of these: `t.pause` asks, `t.echo` echoes, `t.slow` waits, `t.fail` fails.
pub(crate) fn usual() -> Host {
    let function = |does, effect| Function {
        does,
        effect,
        approval: false,
        policy: None,
        blocking: false,
        input_schema: None,
        fails: 0,
        error: None,
        times: 1,
        expires_at: None,
        default: None,
        probe: false,
        value: Json::Null,
    };
    [
        ("t.echo", function(Behavior::Echo, Effect::Idempotent)),
        ("t.fail", function(Behavior::Fail, Effect::Unsafe)),
        ("t.pause", function(Behavior::Ask, Effect::Unsafe)),
        ("t.slow", function(Behavior::Wait, Effect::Pure)),
    ]
    .map(|(name, function)| (name.to_owned(), function))
    .into()
}

const fn once() -> u32 {
    1
}

fn error_name() -> String {
    "Error".to_owned()
}
