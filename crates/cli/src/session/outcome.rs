//! The end: what came of a run is kept, explained and printed.

use intermission::{RunResult, Value};

use super::{Driven, Session, Way, report};
use crate::exit::Exit;
use crate::explain::Explanation;
use crate::failure::Failure;
use crate::keeping::Kept;
use crate::{interruptions, terminal};

impl Session<'_> {
    pub(super) fn conclude(&self, way: &impl Way, driven: &Driven) -> Result<Exit, Failure> {
        let result = &driven.result;
        let left = way.leave(driven);
        let explanation = Explanation { script: &self.script, name: &self.name, config: self.config };
        match &driven.failure {
            // Why it failed the store knows better than a replay.
            Some(failure) => terminal::show([&**failure]),
            None => terminal::show(&explanation.of(result)),
        }
        let place = left.as_ref().ok().and_then(Option::as_ref);
        if let Some(left) = place {
            terminal::show(&left.warning);
            self.tell_next_step(driven, left);
        }
        self.print(driven, place.and_then(|left| left.kept.as_ref()))?;
        left?;
        Ok(driven.ended_by.unwrap_or_else(|| exit(driven)))
    }

    fn print(&self, driven: &Driven, kept: Option<&Kept>) -> Result<(), Failure> {
        let Driven { result, failure, .. } = driven;
        if self.output.report {
            let mut report = report::to_json(result, kept)?;
            if let Some(failure) = failure {
                report["error"] = report::of_failure(failure);
            }
            return terminal::print(&format!("{report:#}"));
        }
        if failure.is_some() {
            return Ok(());
        }
        match result {
            RunResult::Completed { value: Value::String(text), .. } if self.output.raw => {
                terminal::print(&text.to_string_lossy())
            }
            RunResult::Completed { value, .. } => {
                let json = value.to_json().map_err(Failure::ValueNotJson)?;
                terminal::print(&format!("{json:#}"))
            }
            RunResult::Interrupted { interruptions, wake_at, report, .. } => {
                let asked = interruptions::put_away(report.run_id, interruptions, *wake_at, kept);
                terminal::print(&format!("{asked:#}"))
            }
            result if kept.is_some_and(|kept| kept.token.is_some()) => {
                let nothing = interruptions::put_away(result.report().run_id, &[], None, kept);
                terminal::print(&format!("{nothing:#}"))
            }
            _ => Ok(()),
        }
    }
}

fn exit(driven: &Driven) -> Exit {
    if let Some(failure) = &driven.failure {
        return Exit::of_code(&failure.code);
    }
    match &driven.result {
        RunResult::Completed { .. } => Exit::Completed,
        RunResult::Interrupted { .. } => Exit::PutAway,
        result => result.error().map_or(Exit::Failed, Exit::of),
    }
}
