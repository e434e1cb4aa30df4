//! What a run asks, and the answers.

use intermission_engine::Position;
use intermission_ledger::entry::{self, QuestionKind};
use intermission_ledger::{Facts, InterruptionId, digest, entry::Started};
use intermission_value::{EncodeError, Value, decode, encode};

use crate::HostError;

/// One question of a run that somebody has to answer before a host call can go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Interruption {
    /// Its identity: the same in every replay; the next question of the same call has another.
    pub id: InterruptionId,
    /// Who asks, and so what answers there are.
    pub kind: InterruptionKind,
    /// The call's number in its run, from 1.
    pub request_index: u32,
    /// The host function.
    pub host_function: String,
    /// What the script calls it with, complete.
    pub arguments: Vec<Value>,
    /// A hash of the arguments: an answer that carries it is refused where it differs.
    pub arguments_digest: String,
    /// What the host function wants to be shown.
    pub payload: Value,
    /// The script or module that calls.
    pub file: Option<String>,
    /// Where in it.
    pub position: Option<Position>,
    /// When it was asked, in milliseconds since 1970.
    pub created: u64,
    /// When it can no longer be answered.
    pub expires: Option<u64>,
    /// What stands for an answer then; without one the call is rejected.
    pub default: Option<Value>,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InterruptionKind {
    /// The host function itself. Answered by [`Answer::Value`].
    Question,
    /// The library, because the function needs [approval](crate::HostFunction::approval); it has not been invoked. Answered by
    /// [`Answer::Approve`], [`Answer::ApproveWith`] or [`Answer::Deny`].
    Approval,
    /// The library, because a process died while the function was under way. Answered by [`Answer::Happened`] or [`Answer::DidNotHappen`].
    OutcomeUnknown,
    /// The library, for a script that waits for an event with `waitFor`. Answered by [`Answer::Value`], the event's value.
    Event,
}

impl InterruptionKind {
    /// `question`, `approval`, `outcome-unknown`, `event`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Approval => "approval",
            Self::OutcomeUnknown => "outcome-unknown",
            Self::Event => "event",
        }
    }
}

impl From<QuestionKind> for InterruptionKind {
    fn from(kind: QuestionKind) -> Self {
        match kind {
            QuestionKind::Question => Self::Question,
            QuestionKind::Approval => Self::Approval,
            QuestionKind::OutcomeUnknown => Self::OutcomeUnknown,
            QuestionKind::Event => Self::Event,
        }
    }
}

/// The answer to one interruption.
///
/// ```
/// use intermission::{Answer, Resolution, Value};
///
/// let id = "int_aaaaaaaaaaaaaaaaaaaaaaaaaa".parse()?;
/// let resolution = Resolution::new(id, Answer::Value(Value::from(true)));
/// assert_eq!(resolution.at, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    /// Which interruption.
    pub interruption_id: InterruptionId,
    /// The answer.
    pub answer: Answer,
    /// The [`Interruption::arguments_digest`] that the answer was given to: the answer is refused where it differs.
    pub arguments_digest: Option<String>,
    /// When it was given, in milliseconds since 1970: timers that were due before go first. Default: now.
    pub at: Option<u64>,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// To a question: this. Of an event: its value.
    Value(Value),
    /// To an approval: yes.
    Approve,
    /// To an approval: yes, with these arguments.
    ApproveWith(Vec<Value>),
    /// To an approval: no. The call is rejected with an error that the script can catch.
    Deny {
        /// Why; the error's message.
        reason: Option<String>,
    },
    /// To an unknown outcome: this came of it.
    Happened(Result<Value, HostError>),
    /// To an unknown outcome: nothing did. The function is invoked again, with the same idempotency key.
    DidNotHappen,
}

impl Resolution {
    /// An answer, given now.
    pub fn new(interruption_id: InterruptionId, answer: Answer) -> Self {
        Self { interruption_id, answer, arguments_digest: None, at: None }
    }

    /// Says when it was given.
    #[must_use]
    pub fn at(mut self, at: u64) -> Self {
        self.at = Some(at);
        self
    }

    /// Says to which arguments it was given.
    #[must_use]
    pub fn for_arguments(mut self, digest: impl Into<String>) -> Self {
        self.arguments_digest = Some(digest.into());
        self
    }
}

impl Answer {
    /// As the ledger keeps it.
    pub(crate) fn record(&self) -> Result<entry::Resolution, EncodeError> {
        Ok(match self {
            Self::Value(value) => entry::Resolution::Answered(encode(value)?.into()),
            Self::Approve => entry::Resolution::Approved { arguments: None },
            Self::ApproveWith(arguments) => {
                let arguments = encode(&Value::array(arguments.clone()))?;
                entry::Resolution::Approved { arguments: Some(arguments.into()) }
            }
            Self::Deny { reason } => entry::Resolution::Denied { reason: reason.clone() },
            Self::Happened(Ok(value)) => {
                entry::Resolution::Happened(entry::Outcome::Fulfilled(encode(value)?.into()))
            }
            Self::Happened(Err(error)) => {
                entry::Resolution::Happened(entry::Outcome::Rejected(encode(&error.to_value())?.into()))
            }
            Self::DidNotHappen => entry::Resolution::DidNotHappen,
        })
    }
}

/// The questions that are open, in order of their calls.
pub(crate) fn pending(facts: &Facts, started: &Started) -> Vec<Interruption> {
    facts.questions().map(|(id, call, question)| interruption(id, &call.request, question, started)).collect()
}

/// The questions that nobody answered before the run was over, in order of their calls.
pub(crate) fn abandoned(facts: &Facts, started: &Started) -> Vec<Interruption> {
    facts.abandoned().map(|(id, call, question)| interruption(id, &call.request, question, started)).collect()
}

/// One question, as it is shown.
pub(crate) fn interruption(
    id: InterruptionId,
    request: &entry::Request,
    question: &entry::Question,
    started: &Started,
) -> Interruption {
    let (host_function, arguments) = match request {
        entry::Request::Function { function, arguments } => {
            let lent = started.functions.get(*function as usize);
            (lent.map(|lent| lent.name.clone()).unwrap_or_default(), &**arguments)
        }
        entry::Request::Normalize { .. } | entry::Request::Load { .. } => (String::new(), [0x80].as_slice()),
    };
    Interruption {
        id,
        kind: question.kind.into(),
        request_index: question.call,
        host_function,
        arguments: argument_list(arguments),
        arguments_digest: digest(arguments),
        payload: value(&question.payload),
        file: question.place.as_ref().and_then(|place| place.file.clone()),
        position: question.place.as_ref().map(|place| Position { line: place.line, column: place.column }),
        created: question.created,
        expires: question.expires,
        default: question.default.as_ref().map(|bytes| value(bytes)),
    }
}

/// A value that this library encoded, or that was checked when it came.
pub(crate) fn value(bytes: &[u8]) -> Value {
    decode(bytes, usize::MAX).unwrap_or_default()
}

/// The arguments of an encoded list of them; a hole is `undefined`.
pub(crate) fn argument_list(bytes: &[u8]) -> Vec<Value> {
    match value(bytes) {
        Value::Array(arguments) => arguments.into_iter().map(Option::unwrap_or_default).collect(),
        // The guest's encoder wrote it: only a guest gone wrong sends anything else.
        _ => Vec::new(),
    }
}
