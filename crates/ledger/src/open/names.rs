//! Host functions by their names.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::entry::Started;

/// Which number each name has, and the other way round. Of a name that is there twice the first counts.
#[derive(Default)]
pub(super) struct Names {
    numbers: BTreeMap<String, u32>,
    names: Vec<String>,
}

impl Names {
    pub(super) fn of(started: &Started) -> Self {
        let names: Vec<String> = started.functions.iter().map(|function| function.name.clone()).collect();
        let mut numbers = BTreeMap::new();
        for (number, name) in (0..).zip(&names) {
            numbers.entry(name.clone()).or_insert(number);
        }
        Self { numbers, names }
    }

    /// The name; a number that has none of its own stays a number.
    pub(super) fn to_json(&self, number: u32) -> Json {
        let name = self.names.get(number as usize).filter(|name| self.number(name) == Some(number));
        name.map_or_else(|| number.into(), |name| name.as_str().into())
    }

    pub(super) fn number(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }
}
