//! A run as a model is told of it.

use intermission::ledger::Entry;
use intermission::{ConsoleEntry, Continuation, Interruption, InterruptionKind, Value};
use intermission_store::{InboxQuery, RunState, Runs, RunsError, StoredRun};
use serde_json::{Map, Value as Json, json};

/// Of a console, so many characters, from its end.
const MOST_CONSOLE: usize = 8 << 10;

/// Where a run stands.
pub(crate) struct View {
    pub(crate) run: StoredRun,
    /// What it asks.
    pub(crate) questions: Vec<Interruption>,
    console: Vec<String>,
}

impl View {
    pub(crate) async fn of(runs: &Runs, run: StoredRun) -> Result<Self, RunsError> {
        let waits = matches!(run.state, RunState::Waiting { .. });
        let questions = if waits {
            let query = InboxQuery { run_id: Some(run.run_id), ..InboxQuery::default() };
            runs.inbox(query).await?.into_iter().map(|asked| asked.interruption).collect()
        } else {
            Vec::new()
        };
        // What it said is in no row: it is said again, unless the ledger says that it was silent.
        let has_value = matches!(run.state, RunState::Completed { .. });
        let is_silent = has_value && was_silent(&runs.ledger(run.run_id).await?);
        let console = if run.state.is_over() && !is_silent {
            console(&runs.replay(run.run_id).await?.report().console)
        } else {
            Vec::new()
        };
        Ok(Self { run, questions, console })
    }

    /// Whether the run has no value and never will.
    pub(crate) const fn has_failed(&self) -> bool {
        matches!(self.run.state, RunState::Failed { .. } | RunState::Cancelled)
    }

    /// The object that `execute`, `status` and `resume` give.
    pub(crate) fn to_json(&self) -> Json {
        let mut view = Map::new();
        view.insert("run".to_owned(), self.run.run_id.to_string().into());
        let state = match &self.run.state {
            RunState::Ready | RunState::Running { .. } => "running",
            state => state.name(),
        };
        view.insert("state".to_owned(), state.into());
        match &self.run.state {
            RunState::Completed { value } => {
                view.insert("value".to_owned(), of_value(value));
            }
            RunState::Failed { code, message } => {
                view.insert("error".to_owned(), json!({ "code": code, "message": message }));
            }
            _ => {}
        }
        if !self.console.is_empty() {
            view.insert("console".to_owned(), json!(self.console));
        }
        if !self.questions.is_empty() {
            view.insert("questions".to_owned(), self.questions.iter().map(of_question).collect());
        }
        if let Some(next) = self.next() {
            view.insert("next".to_owned(), next.into());
        }
        view.into()
    }

    /// What to do.
    fn next(&self) -> Option<&'static str> {
        match &self.run.state {
            RunState::Ready | RunState::Running { .. } => {
                Some("It is still running: call `status` with its id. Do not run the script again.")
            }
            RunState::Waiting { .. } if self.questions.is_empty() => {
                Some("It waits for a time or an event: call `status` with its id later.")
            }
            RunState::Waiting { .. } => Some(
                "A person has to answer: tell whom you work for what is asked, and call `status` with its id later. Do not run the script again.",
            ),
            RunState::Completed { .. } | RunState::Failed { .. } | RunState::Cancelled => None,
        }
    }
}

fn of_question(asked: &Interruption) -> Json {
    let mut question = json!({
        "question": asked.id.as_str(),
        "kind": asked.kind.name(),
        "function": asked.host_function,
        "arguments": asked.arguments.iter().map(of_value).collect::<Vec<_>>(),
    });
    match asked.kind {
        InterruptionKind::Question => question["asks"] = of_value(&asked.payload),
        InterruptionKind::Approval => {
            for key in ["rule", "reason"] {
                if let Some(text) = asked.payload[key].as_str() {
                    question[key] = text.into();
                }
            }
        }
        _ => {}
    }
    if let Some(expires) = asked.expires {
        question["expires_at"] = expires.into();
    }
    question
}

/// Whether a run that has ended said nothing on the way.
fn was_silent(ledger: &Continuation) -> bool {
    let spent = ledger.record().entries().iter().rev().find_map(|entry| match entry {
        Entry::Spent(spent) => Some(spent.console),
        _ => None,
    });
    spent == Some(0)
}

/// A value as JSON; one that contains itself as a text.
pub(crate) fn of_value(value: &Value) -> Json {
    value.to_json().unwrap_or_else(|_| format!("{value:?}").into())
}

/// The last lines of a console.
fn console(entries: &[ConsoleEntry]) -> Vec<String> {
    let mut left = MOST_CONSOLE;
    let mut lines: Vec<String> = Vec::new();
    for entry in entries.iter().rev() {
        let line = format!("{}: {}", entry.method, entry.text);
        let Some(rest) = left.checked_sub(line.len()) else {
            lines.push(format!("… {} lines before", entries.len() - lines.len()));
            break;
        };
        left = rest;
        lines.push(line);
    }
    lines.reverse();
    lines
}
