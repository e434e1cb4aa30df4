//! Whether answers can be given: all are looked at before the first is.

use std::collections::BTreeSet;

use intermission::{Resolution, ResumeError, RunId, Runner};
use intermission_store::{Given, Runs, RunsError};

use crate::failure::Failure;

/// That each of these answers fits its question, or was given before.
///
/// # Errors
/// Where one is refused: then none should be given.
pub(super) async fn all_fit(
    runs: &Runs,
    runner: &Runner,
    run_id: RunId,
    answers: &[Resolution],
) -> Result<(), Failure> {
    // In this order: what is answered meanwhile was given before.
    let continuation = runs.ledger(run_id).await?;
    let before = runs.answers(run_id).await?;
    let mut seen = BTreeSet::new();
    for answer in answers {
        if !seen.insert(&answer.interruption_id) {
            let id = answer.interruption_id.clone();
            return Err(Failure::refused(&ResumeError::Duplicate { id }, &[]));
        }
        match before.iter().find(|given| given.interruption_id == answer.interruption_id) {
            Some(given) => is_same(given, answer)?,
            None => runner
                .check(&continuation, answer)
                .map_err(|error| Failure::refused(&error, &continuation.interruptions()))?,
        }
    }
    Ok(())
}

fn is_same(given: &Given, answer: &Resolution) -> Result<(), RunsError> {
    if given.answer == answer.answer {
        Ok(())
    } else {
        Err(RunsError::Conflict { winner: Box::new(given.clone()) })
    }
}
