//! JSON Schemas of host functions: compiled once, checked on every call.

use std::fmt;

use intermission_value::Value;
use jsonschema::Validator;
use sha2::{Digest, Sha256};

use crate::{HostError, HostFunction};

/// The compiled schemas of one function.
#[derive(Default)]
pub(crate) struct Schemas {
    input: Option<Validator>,
    output: Option<Validator>,
}

/// A schema that is none.
pub(crate) struct SchemaError {
    pub(crate) which: &'static str,
    pub(crate) error: String,
}

impl Schemas {
    pub(crate) fn new(function: &HostFunction) -> Result<Self, SchemaError> {
        let compile = |which, schema: &Option<serde_json::Value>| {
            let validator = schema.as_ref().map(jsonschema::validator_for).transpose();
            validator.map_err(|error| SchemaError { which, error: error.to_string() })
        };
        Ok(Self {
            input: compile("input", &function.input_schema)?,
            output: compile("output", &function.output_schema)?,
        })
    }

    pub(crate) fn checks_input(&self) -> bool {
        self.input.is_some()
    }

    /// Whether `input` fits.
    pub(crate) fn check_input(&self, function: &str, input: Value) -> Result<(), HostError> {
        check(self.input.as_ref(), input).map_err(|problem| {
            HostError::new(format!("{function} was called with {problem}"))
                .with_name("TypeError")
                .with_code("HOST_INPUT_INVALID")
        })
    }

    /// Whether `output` fits.
    pub(crate) fn check_output(&self, function: &str, output: &Value) -> Result<(), HostError> {
        if self.output.is_none() {
            return Ok(());
        }
        check(self.output.as_ref(), output.clone()).map_err(|problem| {
            HostError::new(format!("{function} returned {problem}")).with_code("HOST_OUTPUT_INVALID")
        })
    }
}

/// What stands for a function's schemas: the first half of the SHA-256 of both as JSON with sorted keys.
pub(crate) fn fingerprint(function: &HostFunction) -> [u8; 16] {
    let mut hash = Sha256::new();
    for schema in [&function.input_schema, &function.output_schema] {
        let mut schema = schema.clone().unwrap_or_default();
        schema.sort_all_objects();
        hash.update(schema.to_string());
        hash.update([0]);
    }
    let mut first = [0; 16];
    first.copy_from_slice(&hash.finalize()[..16]);
    first
}

/// The first problem, with its place.
fn check(validator: Option<&Validator>, value: Value) -> Result<(), String> {
    let Some(validator) = validator else { return Ok(()) };
    let json = match value {
        // JSON has no absence; a schema that allows it says so by allowing null.
        Value::Undefined => serde_json::Value::Null,
        value => value.to_json().map_err(|error| format!("what JSON cannot say: {error}"))?,
    };
    match validator.iter_errors(&json).next() {
        None => Ok(()),
        Some(error) => {
            let path = error.instance_path.to_string();
            let place = if path.is_empty() { String::new() } else { format!(" at {path}") };
            Err(format!("what does not fit its schema{place}: {error}"))
        }
    }
}

impl fmt::Debug for Schemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schemas")
            .field("input", &self.input.is_some())
            .field("output", &self.output.is_some())
            .finish()
    }
}
