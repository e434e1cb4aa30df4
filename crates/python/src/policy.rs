//! A policy that Python decides by, on the spot: nothing waits while it does.

use std::cell::RefCell;

use intermission::{Decision, Ground, Policy, ProposedCall};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::value::list_to_python;

/// `policy.decide` of the package, over the user's own function.
pub(crate) struct AskedPolicy(pub(crate) Py<PyAny>);

thread_local! {
    /// What a policy raised that is no error: somebody wants this thread to stop. Whoever polls the run raises it.
    static STOPPED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// What a policy raised on this thread to stop it.
pub(crate) fn stopped() -> Option<PyErr> {
    STOPPED.take()
}

/// `allow`, `ask` or `deny`; the rule; the reason.
type Said = Option<(String, String, Option<String>)>;

impl Policy for AskedPolicy {
    /// Whoever polls a run does so on a thread of Python's, without the interpreter's lock.
    fn decide(&self, call: &ProposedCall<'_>) -> Option<Decision> {
        if STOPPED.with_borrow(Option::is_some) {
            return Some(undecided());
        }
        match Python::attach(|py| self.ask(py, call).map_err(|why| self.report(py, why))) {
            Ok(said) => said.map(|(said, rule, reason)| decision(&said, Ground { rule, reason })),
            Err(()) => Some(undecided()),
        }
    }
}

/// What was decided, by its name.
pub(crate) fn decision(said: &str, ground: Ground) -> Decision {
    match said {
        "allow" => Decision::Allow,
        "ask" => Decision::Ask(ground),
        _ => Decision::Deny(ground),
    }
}

/// A policy that cannot be asked lets nothing in. Why is for the host alone.
fn undecided() -> Decision {
    Decision::Deny(Ground::new("policy").because("the policy could not decide"))
}

impl AskedPolicy {
    fn report(&self, py: Python<'_>, why: PyErr) {
        if why.is_instance_of::<PyException>(py) {
            why.write_unraisable(py, Some(self.0.bind(py)));
        } else {
            STOPPED.set(Some(why));
        }
    }

    fn ask(&self, py: Python<'_>, call: &ProposedCall<'_>) -> PyResult<Said> {
        let arguments = list_to_python(py, &call.arguments)?;
        let effect = call.function.declared().effect.name();
        let proposed = (call.run_id.to_string(), call.request_index, call.function.name(), effect, arguments);
        self.0.bind(py).call1(proposed)?.extract()
    }
}
