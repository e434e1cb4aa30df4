//! `intermission inspect`.

use std::collections::BTreeMap;

use intermission::ledger::entry::{Ending, Request};
use intermission::ledger::{Entry, Over};
use intermission::value::decode;
use intermission::{Continuation, Interruption, Value};
use serde_json::json;

use crate::arguments::InspectArguments;
use crate::ask::Source;
use crate::ask::show::{Length, question};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interruptions::of_value;
use crate::looking::Looked;
use crate::moment::moment;
use crate::printable::{on_one_line, printable};
use crate::script::Script;
use crate::{entries, interruptions, terminal};

/// Shows a run that was put away. Nothing is run, and nothing changes.
pub(crate) fn inspect(arguments: &InspectArguments) -> Result<Exit, Failure> {
    let Looked { continuation, .. } = Looked::at(&arguments.of)?;
    let view = View::of(&continuation);
    if arguments.json {
        terminal::print(&format!("{:#}", view.to_json(arguments.entries)))?;
    } else {
        view.print(arguments.entries)?;
    }
    Ok(Exit::Completed)
}

/// A run as far as it got.
struct View<'c> {
    continuation: &'c Continuation,
    script: Script,
    state: &'static str,
    /// Calls by function.
    calls: BTreeMap<&'c str, usize>,
    interruptions: Vec<Interruption>,
}

impl<'c> View<'c> {
    fn of(continuation: &'c Continuation) -> Self {
        let interruptions = continuation.interruptions();
        Self {
            script: Script::of(continuation),
            state: state(continuation, &interruptions),
            calls: calls(continuation),
            interruptions,
            continuation,
        }
    }

    fn to_json(&self, with_entries: bool) -> serde_json::Value {
        let record = self.continuation.record();
        let started = record.started();
        json!({
            "run_id": self.continuation.run_id().to_string(),
            "state": self.state,
            "script": started.name,
            "source": self.script.text,
            "began": started.time,
            "calls": self.calls,
            "interruptions": interruptions::to_json(&self.interruptions),
            "wake_at": self.continuation.wake_at(),
            "value": self.value().as_ref().map(of_value),
            "error": self.error(),
            "length": record.entries().len(),
            "entries": with_entries.then(|| entries::lines(record)),
        })
    }

    /// What it returned.
    fn value(&self) -> Option<Value> {
        match self.continuation.over() {
            Some(Over::Ended(Ending::Returned(bytes))) => decode(bytes, usize::MAX).ok(),
            _ => None,
        }
    }

    /// What it threw.
    fn error(&self) -> Option<&str> {
        match self.continuation.over() {
            Some(Over::Ended(Ending::Threw { message, .. })) => Some(message),
            _ => None,
        }
    }

    fn print(&self, with_entries: bool) -> Result<(), Failure> {
        let record = self.continuation.record();
        let started = record.started();
        let calls: Vec<_> = self.calls.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let mut lines = vec![
            format!("{}: {}", self.continuation.run_id(), self.state),
            format!("  script: {}", on_one_line(&started.name)),
            format!("  began: {}", moment(started.time)),
            format!("  host calls: {}", if calls.is_empty() { "none".to_owned() } else { calls.join(", ") }),
            format!("  ledger: {} entries", record.entries().len()),
        ];
        if let Some(value) = self.value() {
            lines.push(format!("  value: {}", of_value(&value)));
        }
        if let Some(error) = self.error() {
            lines.push(format!("  error: {}", on_one_line(error)));
        }
        if let Some(time) = self.continuation.wake_at() {
            lines.push(format!("  can go on without an answer: {}", moment(time)));
        }
        let mut parts = vec![printable(&lines.join("\n")).into_owned()];
        if with_entries {
            let numbered = entries::lines(record).into_iter().enumerate();
            let lines = numbered.map(|(index, line)| format!("{index:>6}  {}", on_one_line(&line)));
            parts.push(lines.collect::<Vec<_>>().join("\n"));
        }
        let (source, all) = (Source { script: &self.script, name: &started.name }, self.interruptions.len());
        parts.extend(self.interruptions.iter().enumerate().map(|(index, asked)| {
            let number = (all > 1).then_some((index + 1, all));
            question(asked, Some(source), number, Length::Full).text
        }));
        terminal::print(&parts.join("\n\n"))
    }
}

fn state(continuation: &Continuation, interruptions: &[Interruption]) -> &'static str {
    match continuation.over() {
        Some(Over::Ended(Ending::Returned(_))) => "completed",
        Some(Over::Ended(Ending::Threw { .. })) => "failed",
        Some(Over::Cancelled) => "cancelled",
        None if !interruptions.is_empty() => "interrupted",
        None if continuation.wake_at().is_some() => "waiting",
        None => "unfinished",
    }
}

fn calls(continuation: &Continuation) -> BTreeMap<&str, usize> {
    let record = continuation.record();
    let mut calls = BTreeMap::new();
    for entry in record.entries() {
        if let Entry::Called { request: Request::Function { function, .. }, .. } = entry
            && let Some(lent) = record.started().functions.get(*function as usize)
        {
            *calls.entry(lent.name.as_str()).or_default() += 1;
        }
    }
    calls
}
