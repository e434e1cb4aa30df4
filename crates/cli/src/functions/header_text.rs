//! Header values that may come from the environment, and are then nobody's business.

use std::fmt;

/// The value of a header. `env:NAME` in it stands for a variable of the environment.
#[derive(Clone)]
pub(crate) struct HeaderText {
    pub(super) text: String,
    secrets: Vec<String>,
}

impl HeaderText {
    /// Reads a value: each word `env:NAME` is replaced.
    ///
    /// # Errors
    /// The name of a variable that the environment has not.
    #[expect(
        clippy::disallowed_methods,
        reason = "the configuration names the variables that it wants from here"
    )]
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut secrets = Vec::new();
        let words: Result<Vec<_>, String> = text
            .split(' ')
            .map(|word| match word.strip_prefix("env:") {
                None => Ok(word.to_owned()),
                Some(name) => {
                    let value = std::env::var(name).map_err(|_| name.to_owned())?;
                    secrets.push(value.clone());
                    Ok(value)
                }
            })
            .collect();
        Ok(Self { text: words?.join(" "), secrets })
    }

    /// The text with everything out of the environment made unreadable: a server may repeat what it was sent.
    pub(super) fn hide_in(&self, text: String) -> String {
        let secrets = self.secrets.iter().filter(|secret| !secret.is_empty());
        secrets.fold(text, |text, secret| text.replace(secret.as_str(), "***"))
    }
}

impl fmt::Debug for HeaderText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hide_in(format!("{:?}", self.text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_variables_is_itself() {
        let header = HeaderText::read("application/json; q=1").unwrap();
        assert_eq!(header.text, "application/json; q=1");
        assert_eq!(format!("{header:?}"), "\"application/json; q=1\"");
    }

    #[test]
    fn a_variable_is_put_in_and_never_shown() {
        // A variable that is there whenever this test is run.
        let value = env!("CARGO_MANIFEST_DIR");
        let header = HeaderText::read("Bearer env:CARGO_MANIFEST_DIR").unwrap();
        assert_eq!(header.text, format!("Bearer {value}"));
        assert_eq!(format!("{header:?}"), "\"Bearer ***\"");
        assert_eq!(header.hide_in(format!("no {value} here")), "no *** here");
    }

    #[test]
    fn a_variable_that_is_not_there_is_named() {
        assert_eq!(HeaderText::read("env:NO_SUCH_VARIABLE").unwrap_err(), "NO_SUCH_VARIABLE");
    }
}
