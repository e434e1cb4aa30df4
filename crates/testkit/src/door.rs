//! What a door does for the corpus: translate steps, and tell what it saw.

use serde_json::Value as Json;

use crate::host::Host;
use crate::step::Reply;
use crate::{Called, Case, Made, Need, Source};

/// A surface of the project, as the corpus sees it. It decides nothing, and looks at nothing that its users cannot see.
pub trait Door {
    /// What a run is gone on from.
    type Token: Clone;

    /// Whether it offers what some cases need.
    fn offers(&self, need: Need) -> bool;

    /// A case begins: nothing has been done in the world yet.
    fn begin(&mut self);

    /// Runs the case's script.
    fn run(&mut self, setting: &Setting<'_>, run: &Run<'_>) -> Seen<Self::Token>;

    /// Goes on from a token.
    ///
    /// # Errors
    /// When that is refused.
    fn resume(
        &mut self,
        setting: &Setting<'_>,
        token: &Self::Token,
        resume: &Resume<'_>,
    ) -> Result<Seen<Self::Token>, Failure>;

    /// What a token's run asks, and when it goes on by itself.
    fn inspect(&mut self, setting: &Setting<'_>, token: &Self::Token) -> (Vec<Question>, Option<u64>);

    /// Says again what came of a run, and calls nothing. `None` where the door cannot.
    fn replay(&mut self, setting: &Setting<'_>, token: &Self::Token) -> Option<Seen<Self::Token>>;

    /// The calls that the scripted host has carried out since this was last asked, in order of the calls.
    fn take_calls(&mut self) -> Vec<Made>;

    /// What a process leaves that is killed when its ledger ends with the first entry of this name of this call. For [`Need::Cut`].
    fn cut(&mut self, token: &Self::Token, entry: &str, call: u32) -> Option<Self::Token> {
        let _ = (token, entry, call);
        None
    }

    /// Cancels a run that was put away. For [`Need::Cancel`].
    ///
    /// # Errors
    /// When that is refused.
    fn cancel(&mut self, setting: &Setting<'_>, token: &Self::Token) -> Result<Seen<Self::Token>, Failure> {
        let _ = (setting, token);
        Err(Failure::not_offered())
    }

    /// Emits an event for a run, and lets it go on. For [`Need::Durable`].
    ///
    /// # Errors
    /// When that is refused.
    fn emit(
        &mut self,
        setting: &Setting<'_>,
        token: &Self::Token,
        event: &(String, Json),
    ) -> Result<Seen<Self::Token>, Failure> {
        let _ = (setting, token, event);
        Err(Failure::not_offered())
    }

    /// How many runs there are. For [`Need::Durable`].
    fn runs(&mut self) -> Option<usize> {
        None
    }

    /// Resumes from one token at the same time, one for each of these sets of answers. For [`Need::Claims`].
    fn at_once(
        &mut self,
        setting: &Setting<'_>,
        token: &Self::Token,
        resumes: Vec<Vec<Answered>>,
    ) -> Vec<Result<Seen<Self::Token>, Failure>> {
        let _ = (setting, token);
        resumes.iter().map(|_| Err(Failure::not_offered())).collect()
    }
}

/// What is there when a step begins.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'c> {
    /// Whose step.
    pub case: &'c Case,
    /// What is lent now.
    pub functions: &'c Host,
    /// What the host's clock says, in milliseconds since 1970; without one it is the system's.
    pub clock: Option<u64>,
    /// Whether a script that ends without having waited for its calls fails.
    pub strict: bool,
}

/// What a run is started with, besides its script.
#[derive(Clone, Debug)]
pub struct Run<'s> {
    /// The global `input`.
    pub input: &'s Json,
    /// The global `data`.
    pub data: Option<&'s Json>,
    /// Cancels it when this function is called.
    pub cancel_at: Option<&'s str>,
    /// The caller's own name for the request.
    pub request: Option<&'s str>,
}

/// What a run is gone on with.
#[derive(Clone, Debug)]
pub struct Resume<'s> {
    /// Answers.
    pub answers: Vec<Answered>,
    /// Whether the call is made again whose rejection ended the run.
    pub retry: bool,
    /// Another source.
    pub source: Option<&'s Source>,
    /// Cancels it when this function is called.
    pub cancel_at: Option<&'s str>,
}

/// An answer to one question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The question's id.
    pub id: String,
    /// The answer.
    pub reply: Reply,
    /// When it was given, in milliseconds since 1970.
    pub at: Option<u64>,
    /// The digest of the arguments that it was given to.
    pub digest: Option<String>,
}

/// What came of an invocation.
#[derive(Clone, Debug)]
pub struct Seen<T> {
    /// How it ended.
    pub ended: Ended,
    /// The whole console: method and text of each entry.
    pub console: Vec<(String, String)>,
    /// How much of it had been said before; `None` where the door does not tell.
    pub replayed: Option<usize>,
    /// Questions that the run ended without.
    pub abandoned: Vec<Called>,
    /// Function and fate of each call that the script had not waited for.
    pub detached: Vec<(String, String)>,
    /// Rejections that nothing handled.
    pub unhandled: Vec<String>,
    /// The final `data`.
    pub data: Option<Json>,
    /// What the run can be gone on from.
    pub token: Option<T>,
}

/// How an invocation ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// With this value.
    Completed(Json),
    /// It was put away.
    Interrupted {
        /// What it asks.
        asks: Vec<Question>,
        /// When it goes on by itself.
        wakes_at: Option<u64>,
    },
    /// It failed.
    Failed(Failure),
    /// It was cancelled.
    Cancelled,
}

/// What a run asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its identity.
    pub id: String,
    /// The call that asks.
    pub call: Called,
    /// `question`, `approval` or `outcome-unknown`.
    pub kind: String,
    /// What is shown.
    pub payload: Json,
    /// Of the arguments; `None` where the door does not tell.
    pub digest: Option<String>,
    /// Line and column of the call, from 1.
    pub at: Option<(u32, u32)>,
}

/// Why a run failed, or a resume was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The stable code.
    pub code: String,
    /// For people.
    pub message: String,
    /// Line and column in the source, from 1.
    pub at: Option<(u32, u32)>,
}

impl Failure {
    fn not_offered() -> Self {
        Self { code: "NOT_OFFERED".to_owned(), message: "this door does not do that".to_owned(), at: None }
    }
}
