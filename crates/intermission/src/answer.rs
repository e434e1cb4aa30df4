//! Questions for whose answers the guest stands still: blocking host functions, names and texts of modules.

use std::sync::Arc;

use intermission_engine::{Outcome, Question};
use intermission_source::{Options, Prepared, SourceKind, prepare};

use crate::begin::check_source_size;
use crate::dispatch::{Answer, Caller, rejected};
use crate::drive::Drive;
use crate::{HostError, ModuleLoader, RunError};

/// An answer, and the module that it brings, if it does.
struct Found {
    answer: Outcome,
    module: Option<(String, Prepared)>,
}

impl Drive<'_> {
    /// Answers a question, within the budget. Calls that are under way go on meanwhile.
    pub(crate) async fn answer(&mut self, question: Question) -> Answer {
        let budget = self.budget.clone();
        let question = match question {
            Question::Call(call) => Question::Call(self.positions.original_call(call)),
            other => other,
        };
        let search = find_answer(Arc::clone(&self.modules), self.caller.clone(), question);
        let found = tokio::select! {
            biased;
            () = budget.aborted() => Err(RunError::Aborted),
            found = self.beside(search) => found,
            () = tokio::time::sleep_until(budget.ends_at()) => Err(budget.overdue()),
        }?;
        if let Some((name, module)) = found.module {
            self.positions.add_module(name, module);
        }
        Ok(found.answer)
    }
}

async fn find_answer(
    modules: Arc<dyn ModuleLoader>,
    caller: Caller,
    question: Question,
) -> Result<Found, RunError> {
    let plain = |answer: Answer| answer.map(|answer| Found { answer, module: None });
    match question {
        Question::Call(call) => plain(caller.answer(call).await),
        Question::Normalize { specifier, importer, .. } => {
            match modules.normalize(&specifier, &importer).await {
                Ok(name) => plain(Ok(Outcome::Fulfilled(name.into_bytes()))),
                Err(error) => plain(rejected(&error)),
            }
        }
        Question::Load { name, .. } => match modules.load(&name).await {
            Ok(text) => prepare_module(name, &text, &caller),
            Err(error) => plain(rejected(&error)),
        },
    }
}

fn prepare_module(name: String, text: &str, caller: &Caller) -> Result<Found, RunError> {
    check_source_size(text.len(), &caller.limits)?;
    let options = Options { kind: SourceKind::Imported, max_bytes: caller.limits.source };
    match prepare(text, &options) {
        Ok(module) => {
            let answer = Outcome::Fulfilled(module.text.clone().into_bytes());
            Ok(Found { answer, module: Some((name, module)) })
        }
        Err(error) => {
            let error =
                HostError::new(format!("{name}: {error}")).with_name("SyntaxError").with_code(error.code());
            Ok(Found { answer: rejected(&error)?, module: None })
        }
    }
}
