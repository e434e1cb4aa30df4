//! The approval policy: the first rule that matches a call decides.

mod argument;
mod check;
mod predicate;

use intermission::{Decision, Ground, Policy, ProposedCall};

use self::argument::Arguments;
pub(crate) use self::check::check;
pub(crate) use self::predicate::Predicate;
use crate::functions::answer::start_of;
use crate::pattern::Pattern;
use crate::rules::{RuleConfig, Verdict};

/// Rules, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Rules(pub(crate) std::sync::Arc<[RuleConfig]>);

impl Policy for Rules {
    fn decide(&self, call: &ProposedCall<'_>) -> Option<Decision> {
        let arguments = Arguments::new(&call.arguments);
        self.0.iter().find_map(|rule| rule.decide(call, &arguments))
    }
}

impl RuleConfig {
    /// Whether it is about this function, whatever it is called with.
    fn is_about(&self, name: &str, effect: intermission::Effect) -> bool {
        let matches = |pattern: &Pattern| pattern.matches(name);
        self.functions.iter().any(matches)
            && (self.effects.is_empty() || self.effects.iter().any(|one| effect == (*one).into()))
    }

    /// What becomes of the call, if the rule is about it. A condition that cannot be evaluated lets nothing in: whatever a script may call with, a rule that
    /// asks or denies holds then, and one that allows does not.
    fn decide(&self, call: &ProposedCall<'_>, arguments: &Arguments<'_>) -> Option<Decision> {
        if !self.is_about(call.function.name(), call.function.declared().effect) {
            return None;
        }
        let holds = self.when.as_ref().map_or(Ok(true), |when| when.get_ref().holds(arguments));
        let unclear = match holds {
            Ok(false) => return None,
            Ok(true) => None,
            Err(_) if self.verdict == Verdict::Allow => return None,
            Err(error) => Some(start_of(error.to_string().as_bytes())),
        };
        match self.verdict {
            Verdict::Allow => Some(Decision::Allow),
            Verdict::Ask => Some(Decision::Ask(self.ground(unclear))),
            Verdict::Deny => Some(Decision::Deny(self.ground(unclear))),
        }
    }

    fn ground(&self, unclear: Option<String>) -> Ground {
        let unclear = unclear.map(|error| format!("its condition cannot be evaluated: {error}"));
        let reasons: Vec<_> = self.reason.iter().cloned().chain(unclear).collect();
        let ground = Ground::new(&self.name);
        if reasons.is_empty() { ground } else { ground.because(reasons.join("; ")) }
    }
}
