//! Reading a table of the configuration: every key is asked for by name, and what nobody asked for is an error.

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::error::Problem;

/// A table, of which keys are taken one after the other.
pub(super) struct Reader<'t> {
    /// What errors call it: `limits`, `functions."files.read"`; nothing for the whole file.
    name: String,
    table: DeTable<'t>,
    asked_for: Vec<&'static str>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(name: impl Into<String>, table: DeTable<'t>) -> Self {
        Self { name: name.into(), table, asked_for: Vec::new() }
    }

    /// A value, if it is there.
    pub(super) fn take<T: DeserializeOwned>(
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

    /// A table, if it is there.
    pub(super) fn take_table(&mut self, key: &'static str) -> Result<Option<Reader<'t>>, Problem> {
        let Some(value) = self.take_value(key) else { return Ok(None) };
        table_of(value, self.path(key)).map(Some)
    }

    /// All entries of a table whose keys are names of the user's.
    pub(super) fn entries(self) -> impl Iterator<Item = (Spanned<String>, Spanned<DeValue<'t>>)> {
        self.table
            .into_iter()
            .map(|(key, value)| (Spanned::new(key.span(), key.into_inner().into_owned()), value))
    }

    /// The name of the first table among what nobody has asked for.
    pub(super) fn first_table(&self) -> Option<&str> {
        self.table.iter().find(|(_, value)| value.get_ref().is_table()).map(|(key, _)| &**key.get_ref())
    }

    /// That nothing is left.
    pub(super) fn end(self) -> Result<(), Problem> {
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
    pub(super) fn path(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    fn take_value(&mut self, key: &'static str) -> Option<Spanned<DeValue<'t>>> {
        self.asked_for.push(key);
        self.table.remove(key)
    }
}

/// A value that must be a table.
pub(super) fn table_of(value: Spanned<DeValue<'_>>, name: String) -> Result<Reader<'_>, Problem> {
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
