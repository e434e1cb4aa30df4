//! Who decides whether a host call is made.

use intermission_ledger::RunId;
use intermission_value::Value;

use crate::{HostError, HostFunction, Interrupt};

/// Decides about each host call, before its function is invoked and each time that it is: when the script makes the call, and again when the run goes on with it after
/// an answer or after a crash. So what a policy says today holds for a run that was put away yesterday, and arguments that an approver has edited are decided about
/// as well. What the ledger says was decided is not asked again: an approval stays one, a rejection too.
///
/// A decision should follow from the call alone. It is made where the run is driven, so it should be quick; nothing is written while it is made.
///
/// ```
/// use intermission::{Decision, Ground, HostFunction, HostFunctions, ProposedCall, Runner, Value};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let pay = HostFunction::sync("pay", |call| Ok(call.input()));
/// let runner = Runner::builder()
///     .host_functions(HostFunctions::new([pay])?)
///     .policy(|call: &ProposedCall<'_>| match call.arguments[..] {
///         [Value::Number(amount)] if amount <= 100.0 => Some(Decision::Allow),
///         [Value::Number(amount)] if amount <= 1000.0 => Some(Decision::Ask(Ground::new("much"))),
///         _ => Some(Decision::Deny(Ground::new("too much"))),
///     })
///     .build()?;
/// assert_eq!(runner.run("return await pay(10)").await.into_value()?, 10.0.into());
/// assert_eq!(runner.run("return await pay(500)").await.interruptions().len(), 1);
/// let denied = runner.run("return await pay(5000).catch(error => error.code)").await;
/// assert_eq!(denied.into_value()?, "POLICY_DENIED".into());
/// # Ok(()) }
/// ```
pub trait Policy: Send + Sync {
    /// What becomes of the call; nothing where that is left to the function: one that needs [approval](HostFunction::approval) is asked about, any other is made.
    fn decide(&self, call: &ProposedCall<'_>) -> Option<Decision>;
}

impl<F: Fn(&ProposedCall<'_>) -> Option<Decision> + Send + Sync> Policy for F {
    fn decide(&self, call: &ProposedCall<'_>) -> Option<Decision> {
        self(call)
    }
}

/// A call that is about to be made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProposedCall<'c> {
    /// The run.
    pub run_id: RunId,
    /// The call's number in its run, from 1.
    pub request_index: u32,
    /// The function, as it is lent today.
    pub function: &'c HostFunction,
    /// What the function would get: where an approver has edited the arguments, the edited ones.
    pub arguments: Vec<Value>,
}

/// What becomes of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is made.
    Allow,
    /// Somebody is asked first, as for a function that needs [approval](HostFunction::approval). A call that was approved, or let in otherwise before, is
    /// made. A [blocking](HostFunction::blocking) call cannot wait for an answer: it ends the run with `INTERRUPT_IN_SYNC`.
    Ask(Ground),
    /// It is not made: the script gets an error that it can catch, a `PolicyDenied` with the code `POLICY_DENIED` which names the rule.
    Deny(Ground),
}

/// What a decision is based on: shown to whoever is asked, and to the script that is denied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    /// The rule, by its name.
    pub rule: String,
    /// Why, for people.
    pub reason: Option<String>,
}

impl Ground {
    /// A rule without a reason.
    pub fn new(rule: impl Into<String>) -> Self {
        Self { rule: rule.into(), reason: None }
    }

    /// Says why.
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }
}

/// What is asked before a call is made: `{ kind: 'approval', rule, reason }`, of which the last two are the policy's.
pub(crate) fn question(ground: Option<Ground>) -> Interrupt {
    let mut payload = vec![("kind", Value::from("approval"))];
    if let Some(Ground { rule, reason }) = ground {
        payload.push(("rule", rule.into()));
        payload.extend(reason.map(|reason| ("reason", reason.into())));
    }
    Interrupt::new(Value::object(payload))
}

/// What the script is told of a call that is denied.
pub(crate) fn denied(function: &str, ground: &Ground) -> HostError {
    let because = ground.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    HostError::new(format!("{function} is denied by the rule \"{}\"{because}", ground.rule))
        .with_name("PolicyDenied")
        .with_code("POLICY_DENIED")
}
