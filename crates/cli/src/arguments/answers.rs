//! Answers on the command line.

use std::str::FromStr;

use clap::Args;

const HEADING: &str = "Answers (an id may be cut short where that leaves only one; each may be repeated)";

/// Answers to what a run asks.
#[derive(Debug, Args)]
pub(crate) struct AnswerArguments {
    /// Approves a call.
    #[arg(long, help_heading = HEADING, value_name = "ID")]
    pub(crate) approve: Vec<String>,
    /// Approves a call with another argument: JSON, `@FILE` or `@-`.
    #[arg(long, help_heading = HEADING, value_name = "ID=JSON")]
    pub(crate) edit: Vec<ForCall>,
    /// Denies a call: the script gets an error that it can catch.
    #[arg(long, help_heading = HEADING, value_name = "ID")]
    pub(crate) deny: Vec<String>,
    /// Why: the message of the error of every `--deny`.
    #[arg(long, help_heading = HEADING, value_name = "TEXT", requires = "deny")]
    pub(crate) reason: Option<String>,
    /// Answers the question of a host function: JSON, `@FILE` or `@-`.
    #[arg(long, help_heading = HEADING, value_name = "ID=JSON")]
    pub(crate) answer: Vec<ForCall>,
    /// Says what came of a call whose outcome was lost: JSON, `@FILE` or `@-`.
    #[arg(long, help_heading = HEADING, value_name = "ID=JSON")]
    pub(crate) happened: Vec<ForCall>,
    /// Says that nothing came of a call whose outcome was lost: it is made again.
    #[arg(long, help_heading = HEADING, value_name = "ID")]
    pub(crate) did_not_happen: Vec<String>,
}

impl AnswerArguments {
    /// Whether there is any.
    pub(crate) fn are_given(&self) -> bool {
        let plain = [&self.approve, &self.deny, &self.did_not_happen];
        let with_value = [&self.edit, &self.answer, &self.happened];
        plain.iter().any(|ids| !ids.is_empty()) || with_value.iter().any(|given| !given.is_empty())
    }
}

/// `ID=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ForCall {
    pub(crate) id: String,
    pub(crate) value: String,
}

impl FromStr for ForCall {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((id, value)) => Ok(Self { id: id.to_owned(), value: value.to_owned() }),
            None => Err("expected an id, `=` and JSON, for example `int_abc={\"to\": \"x\"}`".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_equals_sign_is_the_one() {
        let given: ForCall = r#"int_a={"b":"c=d"}"#.parse().unwrap();
        assert_eq!(given, ForCall { id: "int_a".to_owned(), value: r#"{"b":"c=d"}"#.to_owned() });
        assert!("int_a".parse::<ForCall>().is_err());
    }
}
