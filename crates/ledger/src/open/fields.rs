//! The fields of an entry's object, taken one by one: what is missing, of another type or left over is an error that names it.

use std::collections::BTreeSet;
use std::fmt::Display;

use data_encoding::BASE64URL_NOPAD;
use serde_json::{Map, Value as Json};

use super::value::from_json;
use crate::entry::Encoded;
use crate::entry::Outcome;
use crate::{RecordError, RunId};

pub(super) struct Fields<'a> {
    entry: usize,
    /// What stands before the names of the fields in errors: `place.`.
    within: String,
    object: &'a Map<String, Json>,
    taken: BTreeSet<&'static str>,
}

impl<'a> Fields<'a> {
    pub(super) fn of(entry: usize, json: &'a Json) -> Result<Self, RecordError> {
        Self::within(entry, json, String::new())
    }

    /// The fields of an object in the field `name`.
    pub(super) fn object<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Fields<'_>) -> Result<T, RecordError>,
    ) -> Result<T, RecordError> {
        let within = format!("{}{name}.", self.within);
        read_all(Fields::within(self.entry, self.take(name)?, within)?, read)
    }

    /// The fields of each object in the array `name`.
    pub(super) fn objects<T>(
        &mut self,
        name: &'static str,
        read: impl Fn(&mut Fields<'_>) -> Result<T, RecordError>,
    ) -> Result<Vec<T>, RecordError> {
        let json = self.take(name)?;
        let objects = json.as_array().ok_or_else(|| self.wrong(name, "an array is expected"))?;
        let each = |(index, json)| {
            let within = format!("{}{name}[{index}].", self.within);
            read_all(Fields::within(self.entry, json, within)?, &read)
        };
        objects.iter().enumerate().map(each).collect()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.object.contains_key(name)
    }

    /// What `read` makes of the field, if it is there.
    pub(super) fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Self, &'static str) -> Result<T, RecordError>,
    ) -> Result<Option<T>, RecordError> {
        if self.has(name) { read(self, name).map(Some) } else { Ok(None) }
    }

    pub(super) fn take(&mut self, name: &'static str) -> Result<&'a Json, RecordError> {
        self.taken.insert(name);
        self.object.get(name).ok_or_else(|| self.wrong(name, "it is missing"))
    }

    pub(super) fn text(&mut self, name: &'static str) -> Result<&'a str, RecordError> {
        self.take(name)?.as_str().ok_or_else(|| self.wrong(name, "a text is expected"))
    }

    pub(super) fn owned_text(&mut self, name: &'static str) -> Result<String, RecordError> {
        self.text(name).map(str::to_owned)
    }

    pub(super) fn flag(&mut self, name: &'static str) -> Result<bool, RecordError> {
        self.take(name)?.as_bool().ok_or_else(|| self.wrong(name, "true or false is expected"))
    }

    pub(super) fn number(&mut self, name: &'static str) -> Result<u64, RecordError> {
        self.take(name)?.as_u64().ok_or_else(|| self.wrong(name, "a whole number from 0 on is expected"))
    }

    pub(super) fn small(&mut self, name: &'static str) -> Result<u32, RecordError> {
        let number = self.number(name)?;
        number.try_into().map_err(|_| self.wrong(name, format_args!("at most {} is expected", u32::MAX)))
    }

    pub(super) fn bytes<const LENGTH: usize>(
        &mut self,
        name: &'static str,
    ) -> Result<[u8; LENGTH], RecordError> {
        let bytes = BASE64URL_NOPAD.decode(self.text(name)?.as_bytes()).ok();
        bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| {
            self.wrong(name, format_args!("{LENGTH} bytes in base64url without padding are expected"))
        })
    }

    pub(super) fn run_id(&mut self, name: &'static str) -> Result<RunId, RecordError> {
        self.text(name)?.parse().map_err(|why| self.wrong(name, why))
    }

    /// One of some words.
    pub(super) fn word<T: Copy>(
        &mut self,
        name: &'static str,
        words: &[T],
        word: impl Fn(T) -> &'static str,
    ) -> Result<T, RecordError> {
        let text = self.text(name)?;
        words.iter().copied().find(|one| word(*one) == text).ok_or_else(|| {
            let words: Vec<&str> = words.iter().copied().map(word).collect();
            self.wrong(name, format_args!("one of {} is expected", words.join(", ")))
        })
    }

    pub(super) fn value(&mut self, name: &'static str) -> Result<Encoded, RecordError> {
        from_json(self.take(name)?).map_err(|why| self.wrong(name, why))
    }

    pub(super) fn outcome(&mut self) -> Result<Outcome, RecordError> {
        if self.has("rejected") {
            self.value("rejected").map(Outcome::Rejected)
        } else {
            self.value("fulfilled").map(Outcome::Fulfilled)
        }
    }

    pub(super) fn wrong(&self, name: &str, why: impl Display) -> RecordError {
        RecordError::Field {
            entry: self.entry,
            field: format!("{}{name}", self.within),
            why: why.to_string(),
        }
    }

    /// Nothing is left over.
    pub(super) fn done(self) -> Result<(), RecordError> {
        match self.object.keys().find(|name| !self.taken.contains(name.as_str())) {
            Some(unknown) => Err(self.wrong(unknown, "there is no such field here")),
            None => Ok(()),
        }
    }

    fn within(entry: usize, json: &'a Json, within: String) -> Result<Self, RecordError> {
        let object = json.as_object().ok_or_else(|| RecordError::Field {
            entry,
            field: within.trim_end_matches('.').to_owned(),
            why: "an object is expected".to_owned(),
        })?;
        Ok(Self { entry, within, object, taken: BTreeSet::new() })
    }
}

fn read_all<'a, T>(
    mut fields: Fields<'a>,
    read: impl FnOnce(&mut Fields<'a>) -> Result<T, RecordError>,
) -> Result<T, RecordError> {
    let read = read(&mut fields)?;
    fields.done()?;
    Ok(read)
}
