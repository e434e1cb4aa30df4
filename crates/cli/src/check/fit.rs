//! Whether an argument that is written out in a script fits a schema, as far as that can be told.

use jsonschema::error::{ValidationError, ValidationErrorKind};
use serde_json::Value as Json;

use super::argument::Argument;

/// What surely does not fit, each with its place: `at /path: ...`.
pub(super) fn misfits(schema: &Json, argument: &Argument) -> Vec<String> {
    // A schema that is none was refused with the configuration.
    let Ok(validator) = jsonschema::validator_for(schema) else { return Vec::new() };
    let certain = validator.iter_errors(&argument.json).filter(|error| is_certain(error, argument));
    certain
        .map(|error| match error.instance_path.as_str() {
            "" => error.to_string(),
            path => format!("at {path}: {error}"),
        })
        .collect()
}

/// Whether nothing that is not known can put it right.
fn is_certain(error: &ValidationError<'_>, argument: &Argument) -> bool {
    let path = error.instance_path.as_str();
    let is_here = |pointer: &String| pointer == path;
    if argument.unknown.iter().any(is_here) {
        return false;
    }
    let is_open = argument.open.iter().any(is_here);
    match error.kind {
        // What a place is, and which keys it has, is known even where the values of these keys are not.
        ValidationErrorKind::Type { .. }
        | ValidationErrorKind::AdditionalProperties { .. }
        | ValidationErrorKind::AdditionalItems { .. }
        | ValidationErrorKind::MaxItems { .. }
        | ValidationErrorKind::MaxProperties { .. } => true,
        ValidationErrorKind::Required { .. }
        | ValidationErrorKind::MinItems { .. }
        | ValidationErrorKind::MinProperties { .. } => !is_open,
        _ => {
            !is_open && !argument.unknown.iter().chain(&argument.open).any(|pointer| is_below(pointer, path))
        }
    }
}

fn is_below(pointer: &str, path: &str) -> bool {
    pointer.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn argument(json: Json, unknown: &[&str], open: &[&str]) -> Argument {
        let owned = |pointers: &[&str]| pointers.iter().map(ToString::to_string).collect();
        Argument { json, unknown: owned(unknown), open: owned(open) }
    }

    #[test]
    fn what_is_written_out_is_checked() {
        let schema = json!({ "properties": { "n": { "type": "number" } }, "required": ["n"], "additionalProperties": false });
        let misfits_of = |json| misfits(&schema, &argument(json, &[], &[]));
        assert_eq!(misfits_of(json!({ "n": 1 })), [""; 0]);
        assert_eq!(misfits_of(json!({ "n": "1" })), [r#"at /n: "1" is not of type "number""#]);
        assert_eq!(
            misfits_of(json!({ "m": 1 })),
            [r#""n" is a required property"#, "Additional properties are not allowed ('m' was unexpected)"]
        );
    }

    #[test]
    fn what_is_not_known_may_fit() {
        let schema = json!({ "properties": { "n": { "type": "number" } } });
        assert_eq!(misfits(&schema, &argument(json!({ "n": null }), &["/n"], &[])), [""; 0]);
        assert_eq!(misfits(&schema, &argument(json!(null), &[""], &[])), [""; 0]);
    }

    #[test]
    fn a_spread_may_bring_what_is_missing_but_takes_nothing_away() {
        let schema = json!({ "required": ["n"], "additionalProperties": { "type": "number" } });
        assert_eq!(misfits(&schema, &argument(json!({}), &[], &[""])), [""; 0]);
        assert_eq!(
            misfits(&schema, &argument(json!({ "m": "x" }), &[], &[""])),
            [r#"at /m: "x" is not of type "number""#]
        );
    }

    #[test]
    fn a_choice_is_left_alone_where_a_part_is_not_known() {
        let schema = json!({ "anyOf": [{ "properties": { "a": { "const": 1 } } }, { "properties": { "a": { "const": 2 } } }] });
        assert_eq!(misfits(&schema, &argument(json!({ "a": null }), &["/a"], &[])), [""; 0]);
        assert_eq!(misfits(&schema, &argument(json!({ "a": 3 }), &[], &[])).len(), 1);
    }
}
