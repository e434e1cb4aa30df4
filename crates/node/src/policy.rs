//! A policy that JavaScript decides by on the spot, while it drives a run itself.

use std::cell::Cell;

use intermission::{Decision, Policy, ProposedCall};
use intermission_driver::{decision, proposed};
use napi::Env;
use napi::bindgen_prelude::{FunctionRef, Uint8Array};

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
