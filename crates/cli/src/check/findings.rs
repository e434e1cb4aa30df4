//! What can be seen to be wrong with a script.

use intermission::{Declared, HostFunctions, Limits};
use intermission_source::{Call, Options, PromiseUse, analyse, prepare};

use super::argument::Argument;
use super::fit::misfits;
use super::names::Names;
use crate::diagnostic::Diagnostic;
use crate::script::Script;
use crate::source_problem;

/// What findings are made from.
pub(super) struct Findings<'a> {
    pub(super) script: &'a Script,
    pub(super) functions: &'a HostFunctions,
    pub(super) limits: &'a Limits,
    pub(super) names: Names<'a>,
}

impl Findings<'_> {
    /// All of them, in the order of the text.
    pub(super) fn all(&self) -> Vec<Diagnostic> {
        let options = Options { max_bytes: self.limits.source, ..Options::default() };
        match analyse(&self.script.text, &options) {
            Err(error) => vec![source_problem::explain(self.script, &error)],
            Ok(analysis) => {
                let findings = analysis.calls.iter().flat_map(|call| self.of_call(call));
                // What no function body and no module can have is seen when it is made one.
                let unprepared = prepare(&self.script.text, &options).err();
                findings.chain(unprepared.map(|error| source_problem::explain(self.script, &error))).collect()
            }
        }
    }

    fn of_call(&self, call: &Call) -> Vec<Diagnostic> {
        let function = self.functions.iter().find(|function| function.name() == call.path);
        let place = self.script.place(call.position.line, call.position.column).over(&call.path);
        let findings = match function {
            Some(function) => of_host_call(function.declared(), call),
            None => self.names.complaint(&call.path).into_iter().collect(),
        };
        findings.into_iter().map(|finding| finding.at(place.clone())).collect()
    }
}

fn of_host_call(function: Declared<'_>, call: &Call) -> Vec<Diagnostic> {
    let name = function.name;
    let mut findings = Vec::new();
    if let Some(schema) = function.input_schema {
        let misfits = misfits(schema, &Argument::first_of(&call.arguments));
        if !misfits.is_empty() {
            let message = format!("the argument of `{name}` does not fit its schema: {}", misfits.join("; "));
            findings.push(
                Diagnostic::error("ARGUMENT_INVALID", message)
                    .hint("`intermission types` prints what it takes"),
            );
        }
    }
    if call.promise == PromiseUse::Floating && !function.blocking {
        let message = format!(
            "nothing waits for `{name}`: it may be aborted when the script ends, and its failure is not seen"
        );
        findings.push(Diagnostic::error("NEVER_AWAITED", message).hint("put `await` before the call"));
    }
    findings
}
