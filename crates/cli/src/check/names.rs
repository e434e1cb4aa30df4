//! Names that a script can call, and those that it cannot.

use std::collections::BTreeSet;

use intermission::HostFunctions;
use intermission_config::suggestion;

use crate::diagnostic::Diagnostic;

/// What there is to call.
pub(super) struct Names<'a> {
    /// The host functions.
    functions: Vec<&'a str>,
    /// The realm's globals, host functions and their groups among them.
    globals: BTreeSet<String>,
}

impl<'a> Names<'a> {
    pub(super) fn new(functions: &'a HostFunctions, globals: BTreeSet<String>) -> Self {
        Self { functions: functions.names().collect(), globals }
    }

    /// A complaint about a path that leads nowhere. What a global has in it is not known here, but for groups of host functions.
    pub(super) fn complaint(&self, path: &str) -> Option<Diagnostic> {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let group: Vec<&str> =
            self.functions.iter().copied().filter(|name| group_of(name) == Some(first)).collect();
        match rest {
            _ if group.is_empty() => self.complaint_about_global(path, first),
            None => {
                let message = format!("`{path}` is a group of functions, not a function");
                Some(Diagnostic::error(CODE, message).hint(suggestion::there_are(group)))
            }
            Some(rest) => {
                // `files.read`, and also `files.read.call`.
                let name = rest.split('.').next().unwrap_or(rest);
                let is_there = group.contains(&format!("{first}.{name}").as_str());
                let complaint = || no_function(path).hint(suggestion::hint(path, group.iter().copied()));
                (!is_there).then(complaint)
            }
        }
    }

    fn complaint_about_global(&self, path: &str, first: &str) -> Option<Diagnostic> {
        if self.globals.contains(first) {
            return None;
        }
        let known = self.functions.iter().copied().chain(self.globals.iter().map(String::as_str));
        let hint = match suggestion::nearest(path, known) {
            Some(nearest) => suggestion::did_you_mean(nearest),
            None if self.functions.is_empty() => {
                "no functions are lent: `--config` names what lends some".to_owned()
            }
            None => suggestion::there_are(self.functions.iter().copied()),
        };
        Some(no_function(path).hint(hint))
    }
}

const CODE: &str = "UNKNOWN_FUNCTION";

fn no_function(path: &str) -> Diagnostic {
    Diagnostic::error(CODE, format!("there is no function `{path}`"))
}

fn group_of(name: &str) -> Option<&str> {
    name.split_once('.').map(|(group, _)| group)
}
