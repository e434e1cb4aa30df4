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
    #[error("`{name}` can mean {} runs", how_many(meant))]
    Several { name: String, meant: Vec<RunId> },
    #[error("`{name}` is hardly an id: at least {LEAST} characters behind `run_` say which run is meant")]
    Short { name: String, meant: Vec<RunId> },
}

/// With fewer characters the beginning of an id means whatever there is.
const LEAST: usize = 6;

/// Of so many runs it is said which they are.
const SHOWN: usize = 20;

fn how_many(meant: &[RunId]) -> String {
    if meant.len() > SHOWN { format!("more than {SHOWN}") } else { meant.len().to_string() }
}

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
                let ids: Vec<String> = meant.iter().take(SHOWN).map(RunId::to_string).collect();
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
        Ok(self.choose(self.candidates(store).await?)?)
    }

    /// Those that can be meant, the newest first.
    async fn candidates(&self, store: &dyn Store) -> Result<Vec<RunId>, StoreError> {
        let (last, query) = match self {
            Self::Latest => (None, RunQuery { limit: Some(1), ..RunQuery::default() }),
            Self::Beginning(text) => {
                let Some(last) = last_with(text) else { return Ok(Vec::new()) };
                let before = RunQuery { before: Some(last), limit: Some(SHOWN + 1), ..RunQuery::default() };
                (store.run(last).await?, before)
            }
        };
        let runs = last.into_iter().chain(store.runs(query).await?);
        Ok(runs.map(|run| run.run_id).collect())
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

/// The last of all ids that begin so: ids are in the order of their digits' values.
fn last_with(beginning: &str) -> Option<RunId> {
    /// With nothing but ones.
    const LAST: RunId = RunId::from_bytes([0xff; 16]);
    let last = LAST.to_string();
    format!("{beginning}{}", last.get(beginning.len()..)?).parse().ok()
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
    fn the_last_id_with_a_beginning_is_above_all_others_that_have_it() {
        let last = |text: &str| last_with(text).map(RunId::bytes);
        assert_eq!(last("run_"), Some([0xff; 16]));
        assert_eq!(last("run_a"), Some([[0x07].as_slice(), &[0xff; 15]].concat().try_into().unwrap()));
        let one = RunId::from_bytes([7; 16]);
        assert_eq!(last(&one.to_string()), Some([7; 16]));
        for length in 4..30 {
            assert!(last_with(&one.to_string()[..length]).unwrap() >= one, "{length}");
        }
        assert_eq!((last("run_1"), last("run_A"), last(&format!("{one}a"))), (None, None, None));
    }

    #[test]
    fn a_file_is_no_name_of_a_run() {
        for text in ["run_abc.imt", "./run_abc", "a.imt", "latest.imt"] {
            assert!(text.parse::<RunName>().is_err(), "{text}");
        }
    }
}
