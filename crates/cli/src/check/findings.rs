//! What can be seen to be wrong with a script.

use std::collections::BTreeSet;

use intermission_source::{Call, Options, PromiseUse, analyse};

use super::argument::Argument;
use super::fit::misfits;
use crate::config::{Config, FunctionConfig};
use crate::diagnostic::Diagnostic;
use crate::script::Script;
use crate::{source_problem, suggestion};

/// What findings are made from.
pub(super) struct Findings<'a> {
    pub(super) script: &'a Script,
    pub(super) config: &'a Config,
    /// The names of the realm's globals, host functions and their groups among them.
    pub(super) globals: BTreeSet<String>,
}

impl Findings<'_> {
    /// All of them, in the order of the text.
    pub(super) fn all(&self) -> Vec<Diagnostic> {
        let options = Options { max_bytes: self.config.limits.source, ..Options::default() };
        match analyse(&self.script.text, &options) {
            Err(error) => vec![source_problem::explain(self.script, &error)],
            Ok(analysis) => analysis.calls.iter().flat_map(|call| self.of_call(call)).collect(),
        }
    }

    fn of_call(&self, call: &Call) -> Vec<Diagnostic> {
        let function = self.config.functions.iter().find(|function| function.name == call.path);
        let place = self.script.place(call.position.line, call.position.column).over(&call.path);
        let findings = match function {
            Some(function) => of_host_call(function, call),
            None => self.unknown_function(&call.path).into_iter().collect(),
        };
        findings.into_iter().map(|finding| finding.at(place.clone())).collect()
    }

    /// A path that leads nowhere. What a global of the realm has in it is not known here, but for groups of host functions.
    fn unknown_function(&self, path: &str) -> Option<Diagnostic> {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let group: Vec<&str> = self
            .names()
            .filter(|name| name.split_once('.').is_some_and(|(group, _)| group == first))
            .collect();
        let is_there = match rest {
            _ if group.is_empty() => self.globals.contains(first),
            // `files.read.call(...)`
            Some(rest) => rest
                .split_once('.')
                .is_some_and(|(name, _)| group.contains(&format!("{first}.{name}").as_str())),
            None => false,
        };
        if is_there {
            return None;
        }
        let (message, hint) = if group.is_empty() {
            let known = self.names().chain(self.globals.iter().map(String::as_str));
            let nearest = suggestion::nearest(path, known).map(suggestion::did_you_mean);
            (
                format!("there is no function `{path}`"),
                nearest.unwrap_or_else(|| suggestion::there_are(self.names())),
            )
        } else if rest.is_none() {
            (format!("`{path}` is a group of functions, not a function"), suggestion::there_are(group))
        } else {
            (format!("there is no function `{path}`"), suggestion::hint(path, group.iter().copied()))
        };
        Some(Diagnostic::error("UNKNOWN_FUNCTION", message).hint(hint))
    }

    /// The names of the host functions.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.config.functions.iter().map(|function| function.name.as_str())
    }
}

fn of_host_call(function: &FunctionConfig, call: &Call) -> Vec<Diagnostic> {
    let name = &function.name;
    let mut findings = Vec::new();
    if let Some(schema) = &function.input_schema {
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
