//! What takes long, on one line that is written anew: at a terminal, and nowhere else.

use intermission::Continuation;
use intermission::ledger::Entry;
use intermission::ledger::entry::Request;
use intermission_store::RunState;

use crate::moment::{length, moment};
use crate::printable::printable;
use crate::terminal;

/// What is over sooner is not worth a line.
const SOON: u64 = 2_000;

/// One line of a terminal.
pub(crate) struct Progress {
    is_on: bool,
    /// What is waited for, and since when, in milliseconds since 1970.
    since: Option<(String, u64)>,
    /// What the line says now.
    shown: Option<String>,
}

impl Progress {
    /// On the standard error, where that is a terminal.
    pub(crate) fn at_terminal() -> Self {
        Self { is_on: terminal::shows_progress(), since: None, shown: None }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Shows what is waited for now.
    pub(crate) fn show(&mut self, what: &str, now: u64) {
        if !self.is_on {
            return;
        }
        match self.line(what, now) {
            Some(line) if self.shown.as_ref() != Some(&line) => {
                terminal::rewrite_line(&line);
                self.shown = Some(line);
            }
            Some(_) => {}
            None => self.clear(),
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if self.shown.take().is_some() {
            terminal::rewrite_line("");
        }
    }

    fn line(&mut self, what: &str, now: u64) -> Option<String> {
        let since = match &self.since {
            Some((before, since)) if before == what => *since,
            _ => {
                self.since = Some((what.to_owned(), now));
                now
            }
        };
        let waited = now.saturating_sub(since);
        (waited >= SOON).then(|| format!("{what}, {}", length(waited)))
    }
}

/// What a run waits for.
pub(crate) fn waits_for(continuation: &Continuation, state: &RunState) -> String {
    match state {
        RunState::Waiting { wake_at } => match (continuation.interruptions().len(), wake_at) {
            (0, Some(time)) => format!("waiting until {}", moment(*time)),
            (0, None) => "waiting".to_owned(),
            (1, _) => "waiting for an answer".to_owned(),
            (several, _) => format!("waiting for {several} answers"),
        },
        _ => match under_way(continuation).as_slice() {
            [] => "running".to_owned(),
            [one] => format!("waiting for {one}"),
            [one, others @ ..] => format!("waiting for {one} and {} more", others.len()),
        },
    }
}

/// The functions of the calls that are under way, as far as is kept: the oldest first.
fn under_way(continuation: &Continuation) -> Vec<String> {
    let record = continuation.record();
    let mut calls: Vec<(u32, String, bool)> = Vec::new();
    for entry in record.entries() {
        match entry {
            Entry::Called { call, request: Request::Function { function, .. } } => {
                let lent = record.started().functions.get(*function as usize);
                let name = lent.map_or("?", |lent| lent.name.as_str());
                calls.push((*call, printable(name).into_owned(), false));
            }
            Entry::Dispatched { call: of } | Entry::Retried { call: of } => {
                calls.iter_mut().filter(|(call, ..)| call == of).for_each(|(.., is_made)| *is_made = true);
            }
            Entry::Settled { call: of, .. } => calls.retain(|(call, ..)| call != of),
            Entry::Interrupted(question) => {
                let of = question.call;
                calls.iter_mut().filter(|(call, ..)| *call == of).for_each(|(.., is_made)| *is_made = false);
            }
            _ => {}
        }
    }
    calls.into_iter().filter(|(.., is_made)| *is_made).map(|(_, name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_soon_has_no_line_and_the_next_wait_begins_anew() {
        let mut progress = Progress { is_on: true, since: None, shown: None };
        assert_eq!(progress.line("waiting for mail.send", 1_000), None);
        assert_eq!(progress.line("waiting for mail.send", 2_999), None);
        let line = progress.line("waiting for mail.send", 13_000);
        assert_eq!(line.as_deref(), Some("waiting for mail.send, 12 s"));
        assert_eq!(progress.line("waiting for mail.read", 13_500), None);
    }
}
