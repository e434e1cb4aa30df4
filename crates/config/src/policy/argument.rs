//! Arguments as conditions see them.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use cel::Context;
use cel::objects::{Key, Map, Value as Cel};
use intermission::Value;
use serde_json::Value as Json;

/// The arguments of a call, converted when they are first needed. Numbers are doubles, as in JavaScript, whether they are whole or not.
pub(crate) struct Arguments<'c> {
    arguments: &'c [Value],
    converted: OnceCell<Result<Vec<Cel>, String>>,
}

/// More values than this in one call's arguments are not looked at.
const MOST_VALUES: usize = 100_000;

impl<'c> Arguments<'c> {
    pub(crate) fn new(arguments: &'c [Value]) -> Self {
        Self { arguments, converted: OnceCell::new() }
    }

    /// Binds `input`, `arguments`, and those keys of the first argument that are asked for by `names`. No other: a variable `input.a`, which a script may send, would
    /// stand before the `a` of `input`.
    ///
    /// # Errors
    /// What JSON cannot say of them, or that there is too much.
    pub(crate) fn bind(&self, names: &BTreeSet<String>, context: &mut Context<'_, '_>) -> Result<(), String> {
        let converted = self.converted.get_or_init(|| self.convert()).as_ref().map_err(Clone::clone)?;
        let input = converted.first().cloned().unwrap_or(Cel::Null);
        if let Cel::Map(entries) = &input {
            for name in names {
                if let Some(value) = entries.map.get(&Key::from(name.as_str())) {
                    context.add_variable_from_value(name.as_str(), value.clone());
                }
            }
        }
        // What a script names so does not stand before these.
        context.add_variable_from_value("input", input);
        context.add_variable_from_value("arguments", converted.clone());
        Ok(())
    }

    fn convert(&self) -> Result<Vec<Cel>, String> {
        let mut left = MOST_VALUES;
        let convert = |argument: &Value| {
            let json = match argument {
                Value::Undefined => Json::Null,
                argument => argument.to_json().map_err(|error| error.to_string())?,
            };
            to_cel(json, &mut left).ok_or_else(|| format!("there are more than {MOST_VALUES} values in it"))
        };
        self.arguments.iter().map(convert).collect()
    }
}

fn to_cel(json: Json, left: &mut usize) -> Option<Cel> {
    *left = left.checked_sub(1)?;
    Some(match json {
        Json::Null => Cel::Null,
        Json::Bool(bool) => Cel::Bool(bool),
        Json::Number(number) => Cel::Float(number.as_f64().unwrap_or(f64::NAN)),
        Json::String(text) => text.into(),
        Json::Array(elements) => {
            let elements: Option<Vec<_>> =
                elements.into_iter().map(|element| to_cel(element, left)).collect();
            elements?.into()
        }
        Json::Object(entries) => {
            let entries: Option<_> = entries
                .into_iter()
                .map(|(key, value)| Some((Key::from(key), to_cel(value, left)?)))
                .collect();
            Cel::Map(Map { map: std::sync::Arc::new(entries?) })
        }
    })
}
