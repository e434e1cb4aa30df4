//! What the tools take.

use std::time::Duration;

use intermission::{InterruptionId, RunId};
use serde::Deserialize;
use serde_json::Value as Json;

/// Of `execute`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Execute {
    pub(crate) code: String,
    pub(crate) input: Option<Json>,
    pub(crate) key: Option<String>,
    wait_seconds: Option<f64>,
}

/// Of `search`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    #[serde(default)]
    pub(crate) query: String,
}

/// Of `types`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Types {
    pub(crate) name: String,
}

/// Of `resume`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resume {
    pub(crate) run: String,
    pub(crate) answers: Vec<Answer>,
    wait_seconds: Option<f64>,
}

/// Of `status`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Status {
    pub(crate) run: String,
    wait_seconds: Option<f64>,
}

/// The answer to one question: one of the forms of its kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    pub(crate) question: String,
    #[serde(default, deserialize_with = "given")]
    pub(crate) value: Option<Json>,
    pub(crate) approve: Option<bool>,
    #[serde(default, deserialize_with = "given")]
    pub(crate) argument: Option<Json>,
    pub(crate) reason: Option<String>,
    #[serde(default, deserialize_with = "given")]
    pub(crate) happened: Option<Json>,
    pub(crate) did_not_happen: Option<bool>,
}

/// A `null` is an answer; none at all is not.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

/// How long a call waits for a run at most. Clients of which nothing else is known give up after a minute.
const LONGEST_WAIT: Duration = Duration::from_secs(45);

fn wait(seconds: Option<f64>) -> Duration {
    let asked = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    asked.unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT)
}

impl Execute {
    pub(crate) fn wait(&self) -> Duration {
        wait(self.wait_seconds)
    }
}

impl Resume {
    pub(crate) fn wait(&self) -> Duration {
        wait(self.wait_seconds)
    }
}

impl Status {
    pub(crate) fn wait(&self) -> Duration {
        wait(self.wait_seconds)
    }
}

/// A run by its id.
///
/// # Errors
/// In words.
pub(crate) fn run_id(text: &str) -> Result<RunId, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is no run: `execute` gives its id, `run_` and 26 letters and digits"))
}

/// A question by its id.
///
/// # Errors
/// In words.
pub(crate) fn interruption_id(text: &str) -> Result<InterruptionId, String> {
    text.parse().map_err(|_| {
        format!("`{text}` is no question: `status` gives its id, `int_` and 26 letters and digits")
    })
}
