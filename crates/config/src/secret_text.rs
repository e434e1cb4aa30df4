//! Texts that may come from the environment in part, and are then nobody's business.

use std::fmt;
use std::ops::Range;

use serde_json::Value as Json;

use crate::error::Problem;

/// A text as it is written: `Bearer $TOKEN`, `${TOKEN}`, and `$$` for a dollar.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    parts: Vec<Part>,
    /// Where it stands, and what errors call it.
    at: Range<usize>,
    key: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Variable(String),
}

impl Template {
    /// Reads a text.
    ///
    /// # Errors
    /// A `$` that begins no name.
    pub(crate) fn read(text: &str, at: Range<usize>, key: String) -> Result<Self, Problem> {
        match parts(text) {
            Some(parts) => Ok(Self { parts, at, key }),
            None => Err(Problem::Value {
                at,
                key,
                problem: "a `$` begins the name of a variable, `$NAME` or `${NAME}`; a dollar itself is `$$`"
                    .to_owned(),
            }),
        }
    }

    /// The variables that it wants of the environment.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Variable(name) => Some(name.as_str()),
            Part::Text(_) => None,
        })
    }

    /// What is wrong with what it says.
    pub(crate) fn problem(&self, problem: String) -> Problem {
        Problem::Value { at: self.at.clone(), key: self.key.clone(), problem }
    }

    /// The text, with its variables.
    ///
    /// # Errors
    /// A variable that the environment has not.
    pub(crate) fn resolve(&self) -> Result<SecretText, Problem> {
        let mut secret = SecretText { text: String::new(), secrets: Secrets::default() };
        for part in &self.parts {
            match part {
                Part::Text(text) => secret.text.push_str(text),
                Part::Variable(name) => {
                    let value = variable(name).ok_or_else(|| Problem::Variable {
                        at: self.at.clone(),
                        key: self.key.clone(),
                        variable: name.clone(),
                    })?;
                    secret.text.push_str(&value);
                    secret.secrets.add(value);
                }
            }
        }
        Ok(secret)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the configuration names the variables that it wants from here"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn parts(text: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        parts.push(Part::Text(before.to_owned()));
        rest = if let Some(after) = after.strip_prefix('$') {
            parts.push(Part::Text("$".to_owned()));
            after
        } else if let Some(after) = after.strip_prefix('{') {
            let (name, after) = after.split_once('}')?;
            parts.push(Part::Variable(name.to_owned()));
            after
        } else {
            let end = after.find(|c: char| !is_of_name(c)).unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            parts.push(Part::Variable(name.to_owned()));
            after
        };
        let is_name =
            |name: &String| name.chars().all(is_of_name) && name.starts_with(|c: char| !c.is_ascii_digit());
        if matches!(parts.last(), Some(Part::Variable(name)) if !is_name(name)) {
            return None;
        }
    }
    parts.push(Part::Text(rest.to_owned()));
    Some(parts)
}

const fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A text with what is secret in it.
#[derive(Clone)]
pub(crate) struct SecretText {
    pub(crate) text: String,
    secrets: Secrets,
}

impl SecretText {
    /// What is secret in it.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.secrets
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.secrets.hide_in(format!("{:?}", self.text)))
    }
}

/// What must not be shown.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    /// One more.
    pub(crate) fn add(&mut self, secret: String) {
        if !secret.is_empty() {
            self.0.push(secret);
            // The longest goes first, so that none leaves a part of another.
            self.0.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        }
    }

    /// All of another's.
    pub(crate) fn add_all(&mut self, others: &Self) {
        others.0.iter().for_each(|secret| self.add(secret.clone()));
    }

    /// The values of variables that are handed to a program, but for those that everybody knows and those that are too short to be a secret.
    pub(crate) fn of_variables(names: &[String]) -> Self {
        const KNOWN: &[&str] =
            &["HOME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];
        const SHORTEST: usize = 6;
        let mut secrets = Self::default();
        let secret = names.iter().filter(|name| !KNOWN.contains(&name.as_str()) && !name.starts_with("LC_"));
        let values = secret.filter_map(|name| variable(name)).filter(|value| value.len() >= SHORTEST);
        values.for_each(|value| secrets.add(value));
        secrets
    }

    /// Bytes as a text, with the same done to it.
    pub(crate) fn hide_in_bytes(&self, bytes: &[u8]) -> String {
        self.hide_in(String::from_utf8_lossy(bytes).into_owned())
    }

    /// The bytes of an answer, with the same done to every text in it, however JSON escapes it; to all of it where it is no JSON.
    pub(crate) fn hide_in_answer(&self, bytes: Vec<u8>) -> Vec<u8> {
        if self.0.is_empty() {
            return bytes;
        }
        match serde_json::from_slice(&bytes) {
            Ok(mut json) => {
                self.hide_in_json(&mut json);
                json.to_string().into_bytes()
            }
            Err(_) => self.hide_in_bytes(&bytes).into_bytes(),
        }
    }

    /// The same in every text of a value.
    pub(crate) fn hide_in_json(&self, json: &mut Json) {
        if self.0.is_empty() {
            return;
        }
        match json {
            Json::String(text) => *text = self.hide_in(std::mem::take(text)),
            Json::Array(elements) => elements.iter_mut().for_each(|element| self.hide_in_json(element)),
            Json::Object(entries) => {
                let hidden = std::mem::take(entries).into_iter().map(|(key, mut value)| {
                    self.hide_in_json(&mut value);
                    (self.hide_in(key), value)
                });
                *entries = hidden.collect();
            }
            _ => {}
        }
    }

    /// The text with everything secret made unreadable: whoever was told a secret may repeat it.
    pub(crate) fn hide_in(&self, text: String) -> String {
        self.0.iter().fold(text, |text, secret| text.replace(secret.as_str(), "***"))
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        Template::read(text, 0..1, "headers.a".to_owned()).unwrap()
    }

    #[test]
    fn a_text_without_variables_is_itself() {
        let header = template("application/json; q=$$1").resolve().unwrap();
        assert_eq!(header.text, "application/json; q=$1");
        assert_eq!(format!("{header:?}"), "\"application/json; q=$1\"");
    }

    #[test]
    fn a_variable_is_put_in_and_never_shown() {
        // A variable that is there whenever this test is run.
        let value = env!("CARGO_MANIFEST_DIR");
        for text in ["Bearer $CARGO_MANIFEST_DIR", "Bearer ${CARGO_MANIFEST_DIR}"] {
            let header = template(text).resolve().unwrap();
            assert_eq!(header.text, format!("Bearer {value}"));
            assert_eq!(format!("{header:?}"), "\"Bearer ***\"");
            assert_eq!(header.secrets().hide_in(format!("no {value} here")), "no *** here");
        }
    }

    #[test]
    fn a_variable_ends_where_its_name_does() {
        let word = |text: &str| Part::Text(text.to_owned());
        let variable = |name: &str| Part::Variable(name.to_owned());
        assert_eq!(
            parts("$A-${B}c").unwrap(),
            [word(""), variable("A"), word("-"), variable("B"), word("c")]
        );
        for wrong in ["$", "a$-", "${A", "${}", "$1", "${A B}"] {
            assert_eq!(parts(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_variable_that_is_not_there_is_named() {
        let error = template("$NO_SUCH_VARIABLE").resolve().unwrap_err();
        assert_eq!(error.to_string(), "`headers.a`: the environment has no variable NO_SUCH_VARIABLE");
    }

    #[test]
    fn a_secret_is_hidden_in_every_text_of_a_value() {
        let mut secrets = Secrets::default();
        secrets.add("s3cret".to_owned());
        let mut json = serde_json::json!({ "a": ["is s3cret", 1], "b": { "c": "s3cret" }, "d": "none" });
        secrets.hide_in_json(&mut json);
        assert_eq!(json, serde_json::json!({ "a": ["is ***", 1], "b": { "c": "***" }, "d": "none" }));
    }

    #[test]
    fn a_secret_is_hidden_in_an_answer_however_it_is_written_there() {
        let mut secrets = Secrets::default();
        for secret in ["a/b\"c", "1"] {
            secrets.add(secret.to_owned());
        }
        let hidden = |answer: &[u8]| String::from_utf8(secrets.hide_in_answer(answer.to_vec())).unwrap();
        assert_eq!(hidden(br#"{"n":1,"a\/b\"c":["is a\u002fb\"c"]}"#), r#"{"n":1,"***":["is ***"]}"#);
        assert_eq!(hidden(b"no JSON: \xff a/b\"c"), "no JSON: \u{fffd} ***");
    }

    #[test]
    fn a_secret_within_another_leaves_nothing_of_it() {
        let mut secrets = Secrets::default();
        for secret in ["abc", "abcdef", ""] {
            secrets.add(secret.to_owned());
        }
        assert_eq!(secrets.hide_in("abcdef abc".to_owned()), "*** ***");
        assert_eq!(format!("{secrets:?}"), "***");
    }
}
