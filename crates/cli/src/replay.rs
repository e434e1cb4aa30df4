//! `intermission replay`.

use std::path::Path;

use intermission::ledger::{Divergence, Ledger};
use intermission::{Continuation, Diverged, RunError, RunResult};
use intermission_config::{Config, Lent};
use serde_json::{Value as Json, json};

use crate::arguments::ReplayArguments;
use crate::exit::Exit;
use crate::explain::Explanation;
use crate::failure::Failure;
use crate::interruptions::of_value;
use crate::looking::Looked;
use crate::script::Script;
use crate::{given, runner, terminal};

/// Runs a script against a ledger, and says whether it does what that says. No host function is invoked, and nothing changes.
pub(crate) fn replay(arguments: &ReplayArguments) -> Result<Exit, Failure> {
    given::refuse_standard_input_twice([
        arguments.of.run.is_standard_input(),
        arguments.source.as_deref() == Some(Path::new("-")),
    ])?;
    let Looked { mut config, continuation, .. } = Looked::at(&arguments.of)?;
    arguments.limits.settings().into_iter().for_each(|limit| limit.apply(&mut config.limits));
    let name = continuation.record().started().name.clone();
    let mended = arguments.source.as_deref().map(Script::read).transpose()?;
    let source = mended.as_ref().map(|script| script.text.clone());
    let result = drive(&config, with_source(&continuation, source)?)?;

    terminal::show_console(&result.report().console);
    let verdict = Verdict::of(&result, &continuation);
    if result.error().is_some() {
        let script = mended.unwrap_or_else(|| Script::of(&continuation));
        terminal::show(&Explanation { script: &script, name: &name, config: &config }.of(&result));
    }
    if arguments.json {
        terminal::print(&format!("{:#}", verdict.to_json(&continuation, arguments.source.as_deref())))?;
    } else if verdict.exit() == Exit::Completed {
        terminal::print(&verdict.to_text(&continuation))?;
    }
    Ok(verdict.exit())
}

fn with_source(continuation: &Continuation, source: Option<String>) -> Result<Continuation, Failure> {
    let Some(source) = source else { return Ok(continuation.clone()) };
    let mended = Ledger::change_source(continuation.record().clone(), source);
    Continuation::new(mended).map_err(|error| Failure::refused(&error.into(), &[]))
}

fn drive(config: &Config, continuation: Continuation) -> Result<RunResult, Failure> {
    // Nothing is invoked, so nothing has to be lent, and no server started.
    let runner = runner::builder(config, &Lent::default())?.build()?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(Failure::Runtime)?;
    Ok(runtime.block_on(runner.replay(continuation)))
}

/// What came of a replay.
struct Verdict<'r> {
    state: &'static str,
    result: &'r RunResult,
    /// Entries that the ledger has, without what was said of a source.
    entries: usize,
}

impl<'r> Verdict<'r> {
    fn of(result: &'r RunResult, continuation: &Continuation) -> Self {
        let state = match result {
            RunResult::Completed { .. } => "completed",
            RunResult::Interrupted { interruptions, .. } if !interruptions.is_empty() => "interrupted",
            RunResult::Interrupted { wake_at: Some(_), .. } => "waiting",
            // Where the record ends, the next call would be made.
            RunResult::Interrupted { .. } => "unfinished",
            RunResult::Failed { error: RunError::Diverged(_), .. } => "diverged",
            RunResult::Failed { .. } => "failed",
            _ => "cancelled",
        };
        Self { state, result, entries: continuation.record().entries().len() }
    }

    /// A script that fails as it failed before does what its ledger says.
    fn exit(&self) -> Exit {
        match self.result.error() {
            None | Some(RunError::Script(_)) => Exit::Completed,
            Some(error) => Exit::of(error),
        }
    }

    fn to_text(&self, continuation: &Continuation) -> String {
        format!(
            "{}: the script does what the {} entries of its ledger say, and nothing was invoked\n  state: {}",
            continuation.run_id(),
            self.entries,
            self.state
        )
    }

    fn to_json(&self, continuation: &Continuation, mended: Option<&Path>) -> Json {
        let value = match self.result {
            RunResult::Completed { value, .. } => of_value(value),
            _ => Json::Null,
        };
        let divergence = match self.result.error() {
            Some(RunError::Diverged(diverged)) => {
                let name = &continuation.record().started().name;
                let file = diverged.file.as_deref();
                let mended = mended.filter(|_| file == Some(name)).map(|path| path.display().to_string());
                Some(of_divergence(diverged, mended.as_deref().or(file)))
            }
            _ => None,
        };
        json!({
            "run_id": continuation.run_id().to_string(),
            "state": self.state,
            "length": self.entries,
            "value": value,
            "divergence": divergence,
        })
    }
}

/// `file`: what the script is called that was replayed.
fn of_divergence(diverged: &Diverged, file: Option<&str>) -> Json {
    let Diverged { divergence, position, .. } = diverged;
    let Divergence { entry, .. } = divergence;
    json!({
        "entry": entry,
        "recorded": divergence.recorded_text(),
        "attempted": divergence.attempted_text(),
        "argument": divergence.argument_path(),
        "explanation": divergence.cause().explanation(),
        "file": file,
        "line": position.map(|at| at.line),
        "column": position.map(|at| at.column),
    })
}
