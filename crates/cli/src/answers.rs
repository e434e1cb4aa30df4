//! From options to answers.

use intermission::{Answer, Interruption, InterruptionId, Resolution, Value};
use intermission_config::suggestion;

use crate::arguments::{AnswerArguments, ForCall};
use crate::failure::Failure;
use crate::given;

/// An id that means none of the questions, or more than one.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoSuchQuestion {
    #[error("the run does not ask `{id}`")]
    None { id: String, pending: Vec<InterruptionId> },
    #[error("the run asks nothing any more: `{id}` was answered, or is another run's")]
    Nothing { id: String },
    #[error("`{id}` can mean {} of the run's questions", meant.len())]
    Several { id: String, meant: Vec<InterruptionId> },
    #[error("`{id}` is hardly an id: at least {LEAST} characters behind `int_` say which question is meant")]
    Short { id: String, meant: Vec<InterruptionId> },
}

/// With fewer characters the beginning of an id means whatever there is.
const LEAST: usize = 6;

impl NoSuchQuestion {
    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::None { .. } => "RESOLUTION_UNKNOWN",
            Self::Nothing { .. } => "RESOLUTION_STALE",
            Self::Several { .. } | Self::Short { .. } => "RESOLUTION_AMBIGUOUS",
        }
    }

    /// What to do.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::None { id, pending } => suggestion::hint(id, pending.iter().map(InterruptionId::as_str)),
            Self::Nothing { .. } => "`intermission inspect` shows what came of it".to_owned(),
            Self::Several { meant, .. } | Self::Short { meant, .. } => {
                suggestion::there_are(meant.iter().map(InterruptionId::as_str))
            }
        }
    }
}

/// The answers that the options give to what is pending.
///
/// # Errors
/// For an id that means nothing, and for what is no JSON.
pub(crate) fn resolutions(
    options: &AnswerArguments,
    pending: &[Interruption],
) -> Result<Vec<Resolution>, Failure> {
    let mut resolutions = Vec::new();
    let mut add = |id: &str, answer: Answer| -> Result<(), NoSuchQuestion> {
        resolutions.push(Resolution::new(find(id, pending)?, answer));
        Ok(())
    };
    for id in &options.approve {
        add(id, Answer::Approve)?;
    }
    for ForCall { id, value } in &options.edit {
        let argument = value_of("--edit", value)?;
        let id = find(id, pending)?;
        let script = pending.iter().find(|asked| asked.id == id);
        add(id.as_str(), Answer::ApproveWith(edited(script, argument)))?;
    }
    for id in &options.deny {
        add(id, Answer::Deny { reason: options.reason.clone() })?;
    }
    for ForCall { id, value } in &options.answer {
        add(id, Answer::Value(value_of("--answer", value)?))?;
    }
    for ForCall { id, value } in &options.happened {
        add(id, Answer::Happened(Ok(value_of("--happened", value)?)))?;
    }
    for id in &options.did_not_happen {
        add(id, Answer::DidNotHappen)?;
    }
    Ok(resolutions)
}

/// Which of the options want the standard input.
pub(crate) fn standard_inputs(options: &AnswerArguments) -> impl Iterator<Item = bool> {
    let all = options.edit.iter().chain(&options.answer).chain(&options.happened);
    all.map(|given| given::is_standard_input(Some(&given.value)))
}

/// A call's arguments with another one in the first place: programs and services get no more than that.
pub(crate) fn edited(interruption: Option<&Interruption>, argument: Value) -> Vec<Value> {
    let others = interruption.map_or(&[][..], |asked| asked.arguments.get(1..).unwrap_or_default());
    std::iter::once(argument).chain(others.iter().cloned()).collect()
}

fn value_of(option: &str, given: &str) -> Result<Value, Failure> {
    given::value(option, Some(given))
}

/// The question that an id means, or the beginning of one. What looks like an id that is not pending may have been answered before: that the library knows.
fn find(id: &str, pending: &[Interruption]) -> Result<InterruptionId, NoSuchQuestion> {
    if let Ok(whole) = id.parse() {
        return Ok(whole);
    }
    let is_long_enough = id.strip_prefix("int_").is_some_and(|digits| digits.len() >= LEAST);
    let ids = || pending.iter().map(|asked| asked.id.clone());
    let meant: Vec<_> = ids().filter(|known| !id.is_empty() && known.as_str().starts_with(id)).collect();
    match meant.as_slice() {
        [one] if is_long_enough => Ok(one.clone()),
        [] if pending.is_empty() && id.starts_with("int_") => {
            Err(NoSuchQuestion::Nothing { id: id.to_owned() })
        }
        [] => Err(NoSuchQuestion::None { id: id.to_owned(), pending: ids().collect() }),
        [_] => Err(NoSuchQuestion::Short { id: id.to_owned(), meant }),
        _ => Err(NoSuchQuestion::Several { id: id.to_owned(), meant }),
    }
}
