//! One step of a case: what is done, and what is right then.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

use crate::expect::{Asked, Fails};
use crate::host::{Function, HostError};
use crate::{Called, Made, Need};

/// A step. What a page leaves out of the first part has its default; what it leaves out of the second is to be empty, or is not looked at where that is said.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its line in the page, from 1.
    #[serde(skip)]
    pub line: usize,
    /// What is done.
    #[serde(rename = "do")]
    pub action: Do,

    /// Of a run: the global `input`.
    #[serde(default)]
    pub input: Json,
    /// Of a run: the global `data`. Default: `undefined`.
    #[serde(default, deserialize_with = "given")]
    pub data: Option<Json>,
    /// Of a run: whether a script that ends without having waited for its calls fails. It stays so. Default: no.
    #[serde(default)]
    pub strict: bool,
    /// Of a run: the caller's own name for the request. One that comes again is about the same run.
    pub request: Option<String>,
    /// Of an `emit`: the key and the value.
    pub emits: Option<(String, Json)>,
    /// Of a resume: answers.
    #[serde(default)]
    pub answers: Vec<Answer>,
    /// The step, from 1, whose continuation is gone on from. Default: the latest that left one.
    pub from: Option<usize>,
    /// Of a resume: whether the call is made again whose rejection ended the run. Default: no.
    #[serde(default)]
    pub retry: bool,
    /// Of a resume: the name of another source to go on with.
    pub source: Option<String>,
    /// Of a cut: the ledger ends behind the first entry of this name of this call.
    pub behind: Option<(String, u32)>,
    /// Of `at_once`: who competes.
    #[serde(default)]
    pub rivals: Vec<Rival>,
    /// Of a run or resume: cancels the run when this function is called.
    pub cancel_at: Option<String>,
    /// Host functions that are other from here on; `null` takes one away.
    #[serde(default)]
    pub functions: BTreeMap<String, Option<Function>>,
    /// What the host's clock says from here on, in milliseconds since 1970. It stands still.
    pub clock: Option<u64>,

    /// The run has this value.
    #[serde(default, deserialize_with = "given")]
    pub value: Option<Json>,
    /// The run is put away with these questions, in order of the calls.
    pub asks: Option<Vec<Asked>>,
    /// The run fails.
    pub fails: Option<Fails>,
    /// The resume is refused with this code, and nothing has changed.
    pub refused: Option<String>,
    /// The run is cancelled.
    #[serde(default)]
    pub cancelled: bool,
    /// When a run that was put away goes on by itself. Default: never.
    pub wakes_at: Option<u64>,
    /// How many runs there are. Default: not looked at.
    pub runs: Option<usize>,
    /// What host functions carried out, in order of the calls.
    #[serde(default)]
    pub calls: Vec<Made>,
    /// The whole console, method and text of each entry. Default: not looked at.
    pub console: Option<Vec<(String, String)>>,
    /// How much of the console had been said before. Default: not looked at.
    pub replayed: Option<usize>,
    /// Questions that the run ended without.
    #[serde(default)]
    pub abandoned: Vec<Called>,
    /// Function and fate of each call that the script had not waited for.
    #[serde(default)]
    pub detached: Vec<(String, String)>,
    /// A text of each rejection that nothing handled.
    #[serde(default)]
    pub unhandled: Vec<String>,
    /// The final `data`. Default: not looked at.
    #[serde(default, deserialize_with = "given")]
    pub leaves: Option<Json>,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Do {
    /// Starts the script.
    Run,
    /// Goes on.
    Resume,
    /// The process is killed: of the latest continuation only a beginning was kept.
    Cut,
    /// Looks at a continuation.
    Inspect,
    /// Cancels a run that was put away.
    Cancel,
    /// Emits an event, and lets the run go on.
    Emit,
    /// Many resumes from the same continuation at the same time. The answers of one rival win: all its resumes end alike, all others are a conflict.
    AtOnce,
}

/// Who competes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rival {
    /// How often.
    pub times: usize,
    /// With these answers.
    pub answers: Vec<Answer>,
    /// The run's value, if they win.
    pub value: Json,
    /// What is carried out then.
    pub calls: Vec<Made>,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Answer {
    /// To which.
    pub to: To,
    /// What.
    pub reply: Reply,
    /// When it was given, in milliseconds since 1970. Default: now.
    pub at: Option<u64>,
    /// The digest of the arguments that it was given to. Default: that of the question.
    pub digest: Option<String>,
}

/// Which question.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum To {
    /// The one of this place among those pending, from 1.
    Place(usize),
    /// The latest of this call.
    Call(Called),
    /// The one of this id.
    Id(String),
}

/// What is answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// `value`: to a question.
    Value(Json),
    /// `approve`: true.
    Approve,
    /// `approve_with`: another argument.
    ApproveWith(Json),
    /// `deny`: why.
    Deny(String),
    /// `happened`: a value.
    Happened(Json),
    /// `failed`: an error.
    HappenedError(HostError),
    /// `did_not_happen`: true.
    DidNotHappen,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    to: To,
    #[serde(default, deserialize_with = "given")]
    value: Option<Json>,
    approve: Option<bool>,
    #[serde(default, deserialize_with = "given")]
    approve_with: Option<Json>,
    deny: Option<String>,
    #[serde(default, deserialize_with = "given")]
    happened: Option<Json>,
    failed: Option<HostError>,
    did_not_happen: Option<bool>,
    at: Option<u64>,
    digest: Option<String>,
}

/// `null` is a value; nothing at all is none.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

impl Answer {
    fn has_details(&self) -> bool {
        self.digest.is_some() || matches!(self.reply, Reply::HappenedError(_))
    }
}

impl TryFrom<Written> for Answer {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let replies = [
            written.value.map(Reply::Value),
            written.approve.filter(|yes| *yes).map(|_| Reply::Approve),
            written.approve_with.map(Reply::ApproveWith),
            written.deny.map(Reply::Deny),
            written.happened.map(Reply::Happened),
            written.failed.map(Reply::HappenedError),
            written.did_not_happen.filter(|yes| *yes).map(|_| Reply::DidNotHappen),
        ];
        let mut replies = replies.into_iter().flatten();
        match (replies.next(), replies.next()) {
            (Some(reply), None) => Ok(Self { to: written.to, reply, at: written.at, digest: written.digest }),
            _ => Err(
                "an answer has one of `value`, `approve`, `approve_with`, `deny`, `happened`, `failed`, `did_not_happen`",
            ),
        }
    }
}

impl Step {
    /// What it asks of a door.
    pub fn needs(&self) -> impl Iterator<Item = Need> {
        let needs = [
            (self.clock.is_some(), Need::Clock),
            (self.emits.is_some() || self.request.is_some() || self.runs.is_some(), Need::Durable),
            (self.action == Do::Cut, Need::Cut),
            (self.action == Do::AtOnce, Need::Claims),
            (self.action == Do::Cancel || self.cancel_at.is_some(), Need::Cancel),
            (self.calls.iter().any(|made| made.instead_of.is_some()), Need::Edits),
            (self.answers.iter().any(Answer::has_details), Need::Details),
            (self.functions.values().flatten().any(|function| function.policy.is_some()), Need::Policy),
        ];
        needs.into_iter().filter_map(|(needed, need)| needed.then_some(need))
    }

    /// What is wrong with it as a whole.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let endings = [
            self.value.is_some(),
            self.asks.is_some(),
            self.fails.is_some(),
            self.refused.is_some(),
            self.cancelled,
        ];
        let endings = endings.into_iter().filter(|is| *is).count();
        let resumes = self.action == Do::Resume;
        match self.action {
            Do::Cut | Do::AtOnce if endings > 0 => Some("this step has no ending of its own"),
            Do::Run | Do::Resume | Do::Cancel | Do::Emit if endings != 1 => {
                Some("what is right is one of `value`, `asks`, `fails`, `refused`, `cancelled`")
            }
            Do::Inspect if self.asks.is_none() || endings > 1 => Some("an `inspect` has `asks`"),
            Do::Emit if self.emits.is_none() => Some("an `emit` has `emits`: a key and a value"),
            Do::Cut if self.behind.is_none() => Some("a `cut` has `behind`"),
            Do::AtOnce if self.rivals.len() < 2 => Some("`at_once` has two `rivals` or more"),
            Do::Run if self.refused.is_some() => Some("only a resume can be `refused`"),
            _ if !resumes && (!self.answers.is_empty() || self.retry || self.source.is_some()) => {
                Some("`answers`, `retry` and `source` are for `resume`")
            }
            _ => None,
        }
    }
}
