//! `intermission runs`.

use intermission::{InterruptionKind, SystemTimeSource, TimeSource, Value};
use intermission_store::{InboxQuery, RunQuery, RunState, Store, StoredInterruption, StoredRun};
use serde_json::{Value as Json, json};

use crate::arguments::RunsArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interruptions::of_value;
use crate::moment::{length, moment};
use crate::runtime::block_on;
use crate::table::{Table, shorten};
use crate::terminal;

/// What is shown of a value or an error, in characters.
const SHOWN: usize = 60;

/// Lists the runs of the store. Nothing changes.
pub(crate) fn runs(arguments: &RunsArguments) -> Result<Exit, Failure> {
    let (listed, there_are_more) = block_on(list(arguments))?;
    if arguments.json {
        let all: Json = listed.iter().map(Listed::to_json).collect();
        terminal::print(&format!("{all:#}"))?;
    } else if listed.is_empty() {
        terminal::show_line("no runs");
    } else {
        terminal::print(&table(&listed, SystemTimeSource.now()))?;
    }
    if there_are_more {
        terminal::show_line(&format!("the newest {}; `--limit` shows more", arguments.limit));
    }
    Ok(Exit::Completed)
}

/// A run, and what it asks.
struct Listed {
    run: StoredRun,
    asked: Vec<StoredInterruption>,
}

async fn list(arguments: &RunsArguments) -> Result<(Vec<Listed>, bool), Failure> {
    let store = arguments.store.open()?;
    // One more tells that there are more.
    let limit = Some(arguments.limit.saturating_add(1));
    let query = RunQuery { states: arguments.state.clone(), limit, ..RunQuery::default() };
    let mut found = store.runs(query).await?;
    let there_are_more = found.len() > arguments.limit;
    found.truncate(arguments.limit);
    let mut listed = Vec::new();
    for run in found {
        let query = InboxQuery { run_id: Some(run.run_id), events: true, ..InboxQuery::default() };
        let asked = if run.questions > 0 { store.inbox(query).await? } else { Vec::new() };
        listed.push(Listed { run, asked });
    }
    Ok((listed, there_are_more))
}

fn table(listed: &[Listed], now: u64) -> String {
    let mut table = Table::with(&["RUN", "STATE", "AGE", "SCRIPT", ""]);
    for listed in listed {
        let StoredRun { run_id, state, created, name, .. } = &listed.run;
        table.row([
            run_id.to_string(),
            state.name().to_owned(),
            length(now.saturating_sub(*created)),
            name.clone(),
            listed.note(now),
        ]);
    }
    table.to_text()
}

impl Listed {
    /// What it waits for, or what came of it.
    fn note(&self, now: u64) -> String {
        match &self.run.state {
            RunState::Waiting { wake_at } => self.waits_for(*wake_at),
            RunState::Running { until } if *until <= now => {
                "left by its process: `intermission resume` goes on".to_owned()
            }
            RunState::Ready => "`intermission resume` goes on".to_owned(),
            RunState::Completed { value } => shorten(&of_value(value).to_string(), SHOWN),
            RunState::Failed { code, message } => shorten(&format!("{code}: {message}"), SHOWN),
            RunState::Running { .. } | RunState::Cancelled => String::new(),
        }
    }

    fn waits_for(&self, wake_at: Option<u64>) -> String {
        if let [StoredInterruption { interruption, .. }] = self.asked.as_slice()
            && interruption.kind == InterruptionKind::Event
        {
            let key = interruption.arguments.first().and_then(Value::as_str).unwrap_or_default();
            return format!("for the event {key}");
        }
        let functions: Vec<_> =
            self.asked.iter().map(|asked| asked.interruption.host_function.as_str()).collect();
        match (functions.as_slice(), wake_at) {
            ([], Some(time)) => format!("until {}", moment(time)),
            ([], None) => String::new(),
            ([one], _) => format!("{one} asks"),
            ([one, others @ ..], _) => format!("{one} and {} more ask", others.len()),
        }
    }

    fn to_json(&self) -> Json {
        let StoredRun { run_id, key, name, forked_from, created, updated, state, .. } = &self.run;
        let (mut wake, mut lease, mut result, mut error) = (None, None, None, None);
        match state {
            RunState::Waiting { wake_at } => wake = *wake_at,
            RunState::Running { until } => lease = Some(*until),
            RunState::Completed { value } => result = Some(of_value(value)),
            RunState::Failed { code, message } => error = Some(json!({ "code": code, "message": message })),
            RunState::Ready | RunState::Cancelled => {}
        }
        let asks = |asked: &StoredInterruption| {
            let asked = &asked.interruption;
            json!({ "id": asked.id.as_str(), "kind": asked.kind.name(), "host_function": asked.host_function })
        };
        json!({
            "run_id": run_id.to_string(),
            "state": state.name(),
            "script": name,
            "key": key,
            "forked_from": forked_from.map(|run| run.to_string()),
            "created": created,
            "updated": updated,
            "asks": self.asked.iter().map(asks).collect::<Vec<_>>(),
            "wake_at": wake,
            "leased_until": lease,
            "value": result,
            "error": error,
        })
    }
}
