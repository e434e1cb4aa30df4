//! Reading a table of the configuration: every key is asked for by name, and what nobody asked for is an error.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use crate::error::Problem;

/// A table, of which keys are taken one after the other.
pub(crate) struct Reader<'t> {
    /// What errors call it: `limits`, `functions."files.read"`; nothing for the whole file.
    name: String,
    table: DeTable<'t>,
    asked_for: Vec<&'static str>,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(name: impl Into<String>, table: DeTable<'t>) -> Self {
        Self { name: name.into(), table, asked_for: Vec::new() }
    }

    /// What errors call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// A value, if it is there.
    pub(crate) fn take<T: DeserializeOwned>(
        &mut self,
        key: &'static str,
    ) -> Result<Option<Spanned<T>>, Problem> {
        let Some(value) = self.take_value(key) else { return Ok(None) };
        let span = value.span();
        match T::deserialize(ValueDeserializer::from(value)) {
            Ok(value) => Ok(Some(Spanned::new(span, value))),
            Err(error) => {
                let at = error.span().unwrap_or(span);
                Err(Problem::Value { at, key: self.path(key), problem: error.message().to_owned() })
            }
        }
    }

    /// A length of time, if it is there.
    pub(crate) fn take_duration(&mut self, key: &'static str) -> Result<Option<Duration>, Problem> {
        let path = self.path(key);
        let Some(text) = self.take::<String>(key)? else { return Ok(None) };
        match humantime::parse_duration(text.get_ref()) {
            Ok(duration) => Ok(Some(duration)),
            Err(error) => {
                let problem = format!("{error}: use `500ms`, `10s`, `2m`");
                Err(Problem::Value { at: text.span(), key: path, problem })
            }
        }
    }

    /// One text, or an array of them; none where it is not there.
    pub(crate) fn take_texts(&mut self, key: &'static str) -> Result<Vec<Spanned<String>>, Problem> {
        let Some(value) = self.take_value(key) else { return Ok(Vec::new()) };
        let texts = match value.get_ref() {
            DeValue::Array(texts) => texts.iter().map(text_of).collect(),
            _ => text_of(&value).map(|text| vec![text]),
        };
        texts.ok_or_else(|| Problem::Value {
            at: value.span(),
            key: self.path(key),
            problem: format!(
                "expected a string or an array of strings, found {}",
                value.get_ref().type_str()
            ),
        })
    }

    /// A table, if it is there.
    pub(crate) fn take_table(&mut self, key: &'static str) -> Result<Option<Reader<'t>>, Problem> {
        let Some(value) = self.take_value(key) else { return Ok(None) };
        table_of(value, self.path(key)).map(Some)
    }

    /// An array of tables; none where it is not there.
    pub(crate) fn take_tables(
        &mut self,
        key: &'static str,
    ) -> Result<Vec<(Range<usize>, Reader<'t>)>, Problem> {
        let Some(value) = self.take_value(key) else { return Ok(Vec::new()) };
        let at = value.span();
        let DeValue::Array(tables) = value.into_inner() else {
            let problem = "expected an array of tables: `[[policy]]`".to_owned();
            return Err(Problem::Value { at, key: self.path(key), problem });
        };
        let tables = tables.into_iter().enumerate();
        tables
            .map(|(index, table)| {
                Ok((table.span(), table_of(table, format!("{}[{index}]", self.path(key)))?))
            })
            .collect()
    }

    /// All entries of a table whose keys are names of the user's.
    pub(crate) fn entries(self) -> impl Iterator<Item = (Spanned<String>, Spanned<DeValue<'t>>)> {
        self.table
            .into_iter()
            .map(|(key, value)| (Spanned::new(key.span(), key.into_inner().into_owned()), value))
    }

    /// The name of the first table among what nobody has asked for.
    pub(crate) fn first_table(&self) -> Option<&str> {
        self.table.iter().find(|(_, value)| value.get_ref().is_table()).map(|(key, _)| &**key.get_ref())
    }

    /// That nothing is left.
    pub(crate) fn end(self) -> Result<(), Problem> {
        match self.table.into_iter().next() {
            None => Ok(()),
            Some((key, _)) => Err(Problem::UnknownKey {
                at: key.span(),
                key: key.into_inner().into_owned(),
                table: self.name,
                known: self.asked_for,
            }),
        }
    }

    /// A key as errors name it.
    pub(crate) fn path(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    fn take_value(&mut self, key: &'static str) -> Option<Spanned<DeValue<'t>>> {
        self.asked_for.push(key);
        self.table.remove(key)
    }
}

fn text_of(value: &Spanned<DeValue<'_>>) -> Option<Spanned<String>> {
    value.get_ref().as_str().map(|text| Spanned::new(value.span(), text.to_owned()))
}

/// A value that must be a table.
pub(crate) fn table_of(value: Spanned<DeValue<'_>>, name: String) -> Result<Reader<'_>, Problem> {
    let at = value.span();
    match value.into_inner() {
        DeValue::Table(table) => Ok(Reader::new(name, table)),
        other => Err(Problem::Value {
            at,
            key: name,
            problem: format!("expected a table, found {}", other.type_str()),
        }),
    }
}

/// A path that is relative to the folder, without any `.` in it.
pub(crate) fn within(folder: &Path, path: impl AsRef<Path>) -> PathBuf {
    folder.join(path).components().collect()
}
