//! What is asked, as a list.

use intermission::{Interruption, InterruptionKind, SystemTimeSource, TimeSource};
use intermission_store::StoredInterruption;
use serde_json::Value as Json;

use crate::failure::Failure;
use crate::interruptions::{of_interruption, of_value};
use crate::moment::{length, moment};
use crate::table::{Table, shorten};
use crate::terminal;

/// What is shown of arguments or a question, in characters.
const SHOWN: usize = 60;

/// A table, or an array of objects.
pub(super) fn print(asked: &[StoredInterruption], as_json: bool) -> Result<(), Failure> {
    if as_json {
        let all: Json = asked.iter().map(to_json).collect();
        return terminal::print(&format!("{all:#}"));
    }
    if asked.is_empty() {
        terminal::show_line("nothing is asked");
        return Ok(());
    }
    terminal::print(&table(asked, SystemTimeSource.now()))
}

/// A question, and of which run.
pub(super) fn to_json(asked: &StoredInterruption) -> Json {
    let mut told = of_interruption(&asked.interruption);
    told["run_id"] = asked.run_id.to_string().into();
    told["script"] = asked.name.as_str().into();
    told
}

fn table(asked: &[StoredInterruption], now: u64) -> String {
    let mut table = Table::with(&["QUESTION", "KIND", "ASKED", "AGE", "EXPIRES", "SCRIPT", "RUN"]);
    for StoredInterruption { run_id, name, interruption } in asked {
        let expires =
            interruption.expires.map(|at| if at <= now { "expired".to_owned() } else { moment(at) });
        table.row([
            interruption.id.to_string(),
            interruption.kind.name().to_owned(),
            shorten(&what(interruption), SHOWN),
            length(now.saturating_sub(interruption.created)),
            expires.unwrap_or_default(),
            name.clone(),
            run_id.to_string(),
        ]);
    }
    table.to_text()
}

/// `mail.send({"to":"ada"})`; of a function's own question what it says.
fn what(asked: &Interruption) -> String {
    let arguments: Vec<_> = asked.arguments.iter().map(|argument| of_value(argument).to_string()).collect();
    let call = format!("{}({})", asked.host_function, arguments.join(", "));
    match asked.kind {
        InterruptionKind::Question => format!("{} by {call}", of_value(&asked.payload)),
        _ => call,
    }
}
