//! Questions for whose answers the guest stands still: blocking host functions, names and texts of modules.

use intermission_engine::{Outcome, Question};
use intermission_source::{Options, SourceKind, prepare};

use crate::begin::check_source_size;
use crate::dispatch::{Answer, rejected};
use crate::drive::Drive;
use crate::{HostError, RunError};

impl Drive<'_> {
    /// Answers a question, within the budget.
    pub(crate) async fn answer(&mut self, question: Question) -> Answer {
        let budget = self.budget.clone();
        tokio::select! {
            biased;
            () = budget.aborted() => Err(RunError::Aborted),
            answer = self.find_answer(question) => answer,
            () = tokio::time::sleep_until(budget.ends_at()) => Err(budget.overdue()),
        }
    }

    async fn find_answer(&mut self, question: Question) -> Answer {
        match question {
            Question::Call(call) => self.caller.clone().answer(call).await,
            Question::Normalize { specifier, importer, .. } => {
                text(self.modules.normalize(&specifier, &importer).await)
            }
            Question::Load { name, .. } => match self.modules.load(&name).await {
                Ok(text) => self.prepare_module(name, &text),
                Err(error) => rejected(&error),
            },
        }
    }

    fn prepare_module(&mut self, name: String, text: &str) -> Answer {
        check_source_size(text.len(), &self.caller.limits)?;
        let options = Options { kind: SourceKind::Imported, max_bytes: self.caller.limits.source };
        match prepare(text, &options) {
            Ok(module) => {
                let bytes = module.text.clone().into_bytes();
                self.positions.add_module(name, module);
                Ok(Outcome::Fulfilled(bytes))
            }
            Err(error) => {
                let error = HostError::new(format!("{name}: {error}"))
                    .with_name("SyntaxError")
                    .with_code(error.code());
                rejected(&error)
            }
        }
    }
}

fn text(text: Result<String, HostError>) -> Answer {
    match text {
        Ok(text) => Ok(Outcome::Fulfilled(text.into_bytes())),
        Err(error) => rejected(&error),
    }
}
