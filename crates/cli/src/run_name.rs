//! How a command names a run of the store.

use std::fmt;
use std::str::FromStr;

use intermission::RunId;
use intermission_store::{RunQuery, Store, StoreError};

use crate::failure::Failure;

/// The name of the newest run.
const LATEST: &str = "latest";

/// A run's id, the beginning of one, or `latest`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RunName {
    /// The newest.
    Latest,
    /// That whose id begins so.
    Beginning(String),
}

/// A name that means none of the runs, or more than one.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoSuchRun {
    #[error("there is no run `{name}` in the store")]
    None { name: String },
    #[error("there are no runs in the store")]
    Empty,
    #[error("`{name}` can mean {} runs", meant.len())]
    Several { name: String, meant: Vec<RunId> },
    #[error("`{name}` is hardly an id: at least {LEAST} characters behind `run_` say which run is meant")]
    Short { name: String, meant: Vec<RunId> },
}

/// With fewer characters the beginning of an id means whatever there is.
const LEAST: usize = 6;

impl NoSuchRun {
    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::None { .. } | Self::Empty => "RUN_UNKNOWN",
            Self::Several { .. } | Self::Short { .. } => "RUN_AMBIGUOUS",
        }
    }

    /// What to do.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::None { .. } => "`intermission runs` lists them".to_owned(),
            Self::Empty => "`intermission run` makes one".to_owned(),
            Self::Several { meant, .. } | Self::Short { meant, .. } => {
                let ids: Vec<String> = meant.iter().map(RunId::to_string).collect();
                intermission_config::suggestion::there_are(ids.iter().map(String::as_str))
            }
        }
    }
}

impl RunName {
    /// The run of this name in a store.
    ///
    /// # Errors
    /// Where it means none, or more than one.
    pub(crate) async fn find(&self, store: &dyn Store) -> Result<RunId, Failure> {
        let whole = match self {
            Self::Latest => None,
            Self::Beginning(text) => text.parse::<RunId>().ok(),
        };
        let known = match whole {
            Some(whole) => store.run(whole).await?.into_iter().map(|run| run.run_id).collect(),
            None => self.candidates(store).await?,
        };
        Ok(self.choose(known)?)
    }

    async fn candidates(&self, store: &dyn Store) -> Result<Vec<RunId>, StoreError> {
        let limit = (*self == Self::Latest).then_some(1);
        let runs = store.runs(RunQuery { limit, ..RunQuery::default() }).await?;
        Ok(runs.into_iter().map(|run| run.run_id).collect())
    }

    /// The one that is meant of these, the newest first.
    fn choose(&self, known: Vec<RunId>) -> Result<RunId, NoSuchRun> {
        let Self::Beginning(name) = self else { return known.first().copied().ok_or(NoSuchRun::Empty) };
        let meant: Vec<RunId> = known.into_iter().filter(|run| run.to_string().starts_with(name)).collect();
        let is_long_enough = name.strip_prefix("run_").is_some_and(|digits| digits.len() >= LEAST);
        match meant.as_slice() {
            [one] if is_long_enough => Ok(*one),
            [_] => Err(NoSuchRun::Short { name: name.clone(), meant }),
            [] => Err(NoSuchRun::None { name: name.clone() }),
            _ => Err(NoSuchRun::Several { name: name.clone(), meant }),
        }
    }
}

impl FromStr for RunName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix("run_");
        match digits.map(|digits| digits.bytes().all(|byte| byte.is_ascii_alphanumeric())) {
            _ if text == LATEST => Ok(Self::Latest),
            Some(true) => Ok(Self::Beginning(text.to_owned())),
            _ => Err("expected the id of a run, the beginning of one (`run_...`), or `latest`".to_owned()),
        }
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Latest => LATEST,
            Self::Beginning(text) => text,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_means_the_one_run_that_begins_so() {
        let [one, other] = [[7; 16], [9; 16]].map(RunId::from_bytes);
        let choose = |text: &str| text.parse::<RunName>().unwrap().choose(vec![other, one]);
        assert_eq!(choose("latest").unwrap(), other);
        assert_eq!(choose("run_a4dqob").unwrap(), one);
        assert_eq!(choose("run_a4dqo").unwrap_err().code(), "RUN_AMBIGUOUS");
        assert_eq!(choose(&one.to_string()).unwrap(), one);
        assert_eq!(choose("run_").unwrap_err().to_string(), "`run_` can mean 2 runs");
        assert_eq!(choose("run_zz").unwrap_err().code(), "RUN_UNKNOWN");
        assert_eq!(RunName::Latest.choose(Vec::new()).unwrap_err().code(), "RUN_UNKNOWN");
    }

    #[test]
    fn a_file_is_no_name_of_a_run() {
        for text in ["run_abc.imt", "./run_abc", "a.imt", "latest.imt"] {
            assert!(text.parse::<RunName>().is_err(), "{text}");
        }
    }
}
