//! What is right after a step, as pages write it.

use std::fmt;

use serde::Deserialize;
use serde_json::Value as Json;

use crate::Called;

/// A question that a run is to have: its call alone, `["t.pause", 1]`, or an object that says more.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "Written")]
pub struct Asked {
    /// The call that asks.
    pub call: Called,
    /// `question`, `approval` or `outcome-unknown`. Default: not looked at.
    pub kind: Option<String>,
    /// What is shown. Default: not looked at.
    pub payload: Option<Json>,
    /// Line and column of the call, from 1. Default: not looked at.
    pub at: Option<(u32, u32)>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Call(Called),
    More(More),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct More {
    call: Called,
    kind: Option<String>,
    payload: Option<Json>,
    at: Option<(u32, u32)>,
}

impl From<Written> for Asked {
    fn from(written: Written) -> Self {
        match written {
            Written::Call(call) => Self { call, kind: None, payload: None, at: None },
            Written::More(More { call, kind, payload, at }) => Self { call, kind, payload, at },
        }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.call.fmt(f)?;
        if let Some(kind) = &self.kind {
            write!(f, ", {kind}")?;
        }
        if let Some(payload) = &self.payload {
            write!(f, ", {payload}")?;
        }
        match self.at {
            Some((line, column)) => write!(f, ", at {line}:{column}"),
            None => Ok(()),
        }
    }
}

/// How a run is to fail.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fails {
    /// The stable code.
    pub code: String,
    /// Texts that the message has in it.
    #[serde(default)]
    pub says: Vec<String>,
    /// Line and column of its place in the source, from 1. Default: not looked at.
    pub at: Option<(u32, u32)>,
}
