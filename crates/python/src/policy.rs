//! A policy that Python decides by, on the spot: nothing waits while it does.

use intermission::{Decision, Ground, Policy, ProposedCall};
use pyo3::prelude::*;

use crate::value::list_to_python;

/// `policy.decide` of the package, over the user's own function.
pub(crate) struct AskedPolicy(pub(crate) Py<PyAny>);

/// `allow`, `ask` or `deny`; the rule; the reason.
type Said = Option<(String, String, Option<String>)>;

impl Policy for AskedPolicy {
    /// Whoever polls a run does so on a thread of Python's, without the interpreter's lock.
    fn decide(&self, call: &ProposedCall<'_>) -> Option<Decision> {
        match Python::attach(|py| self.ask(py, call)) {
            Ok(None) => None,
            Ok(Some((decision, rule, reason))) => {
                let ground = Ground { rule, reason };
                Some(match decision.as_str() {
                    "allow" => Decision::Allow,
                    "ask" => Decision::Ask(ground),
                    _ => Decision::Deny(ground),
                })
            }
            // A policy that cannot be asked lets nothing in.
            Err(why) => Some(Decision::Deny(Ground::new("policy").because(why.to_string()))),
        }
    }
}

impl AskedPolicy {
    fn ask(&self, py: Python<'_>, call: &ProposedCall<'_>) -> PyResult<Said> {
        let arguments = list_to_python(py, &call.arguments)?;
        let effect = call.function.declared().effect.name();
        let proposed = (call.run_id.to_string(), call.request_index, call.function.name(), effect, arguments);
        self.0.bind(py).call1(proposed)?.extract()
    }
}
