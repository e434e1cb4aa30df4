//! `intermission show`.

mod timeline;

use intermission::Continuation;
use intermission_store::{RunState, Store, StoredRun};
use serde_json::{Value as Json, json};

use self::timeline::{Call, Timeline};
use crate::arguments::ShowArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interruptions::of_value;
use crate::moment::{length, moment};
use crate::printable::{on_one_line, printable};
use crate::runtime::block_on;
use crate::store::ledger;
use crate::table::{Table, shorten};
use crate::terminal;

/// What is shown of a value, in characters.
const SHOWN: usize = 48;

/// And of the error of the run, which has a line for itself.
const LINE: usize = 200;

/// Shows what a run did, call by call. Nothing is run, and nothing changes.
pub(crate) fn show(arguments: &ShowArguments) -> Result<Exit, Failure> {
    let view = block_on(look(arguments))?;
    let most = if arguments.full { usize::MAX } else { SHOWN };
    terminal::print(&if arguments.json { format!("{:#}", view.to_json()) } else { view.to_text(most) })?;
    Ok(Exit::Completed)
}

struct View {
    stored: StoredRun,
    continuation: Continuation,
    timeline: Timeline,
}

async fn look(arguments: &ShowArguments) -> Result<View, Failure> {
    let store = arguments.of.store.open()?;
    let run_id = arguments.of.run.find(&*store).await?;
    let stored = store.run(run_id).await?.ok_or(intermission_store::RunsError::NoRun { run_id })?;
    let continuation = ledger(&*store, run_id).await?;
    let answers = store.answers(run_id).await?;
    let timeline = Timeline::of(&continuation, &answers);
    Ok(View { stored, continuation, timeline })
}

impl View {
    fn to_text(&self, most: usize) -> String {
        let mut lines = vec![
            format!("{}: {}", self.stored.run_id, self.stored.state.name()),
            format!("  script: {}", on_one_line(&self.stored.name)),
            format!("  began: {}", moment(self.stored.created)),
        ];
        if let Some(from) = self.stored.forked_from {
            lines.push(format!("  forked from: {from}"));
        }
        match &self.stored.state {
            RunState::Waiting { wake_at: Some(time) } => {
                lines.push(format!("  can go on without an answer: {}", moment(*time)));
            }
            RunState::Completed { value } => {
                lines.push(format!("  value: {}", shorten(&of_value(value).to_string(), most)));
            }
            RunState::Failed { code, message } => {
                lines.push(format!("  error: {code}: {}", on_one_line(&shorten(message, most.max(LINE)))));
            }
            _ => {}
        }
        let head = printable(&lines.join("\n")).into_owned();
        if self.timeline.calls.is_empty() { head } else { format!("{head}\n\n{}", self.table(most)) }
    }

    fn table(&self, most: usize) -> String {
        let mut table = Table::with(&["CALL", "FUNCTION", "ARGUMENTS", "AT", "TOOK", "OUTCOME", "ANSWERED"]);
        let began = self.timeline.began;
        for call in &self.timeline.calls {
            let answers: Vec<_> = call.questions.iter().map(|asked| asked.to_text(most)).collect();
            table.row([
                call.number.to_string(),
                call.function.clone(),
                shorten(&call.arguments_text(), most),
                format!("+{}", length(call.at.saturating_sub(began))),
                call.took().map_or_else(String::new, length),
                shorten(&call.outcome_text(), most),
                answers.join("; "),
            ]);
        }
        table.to_text()
    }

    fn to_json(&self) -> Json {
        let (value, error) = match &self.stored.state {
            RunState::Completed { value } => (of_value(value), Json::Null),
            RunState::Failed { code, message } => (Json::Null, json!({ "code": code, "message": message })),
            _ => (Json::Null, Json::Null),
        };
        json!({
            "run_id": self.stored.run_id.to_string(),
            "state": self.stored.state.name(),
            "script": self.stored.name,
            "forked_from": self.stored.forked_from.map(|run| run.to_string()),
            "created": self.stored.created,
            "updated": self.stored.updated,
            "wake_at": self.continuation.wake_at(),
            "value": value,
            "error": error,
            "calls": self.timeline.calls.iter().map(Call::to_json).collect::<Vec<_>>(),
            "length": self.continuation.record().entries().len(),
        })
    }
}
