//! Whole declarations, and types of schemas.

use serde_json::{Value, json};

use super::declarations;
use crate::{HostFunction, HostFunctions};

fn function(name: &str) -> HostFunction {
    HostFunction::sync(name, |_| Ok(()))
}

fn declared(functions: impl IntoIterator<Item = HostFunction>) -> String {
    declarations(&HostFunctions::new(functions).unwrap())
}

/// What `f`, with this input schema, takes.
fn type_of(schema: Value) -> String {
    let text = declared([function("f").input_schema(schema)]);
    let start = text.find("declare function f(").unwrap() + "declare function f(".len();
    text[start..].strip_suffix("): Promise<unknown>;\n").unwrap().to_owned()
}

/// The aliases for one input schema.
fn aliases_of(schema: Value) -> Vec<String> {
    let text = declared([function("f").input_schema(schema)]);
    text.lines().filter(|line| line.starts_with("declare type")).map(str::to_owned).collect()
}

#[test]
fn no_functions_leave_the_globals() {
    let expected = "/** What the script was started with. */
declare const input: unknown;
/** What the script may change: its final state is part of the result. */
declare let data: any;
/** Waits for an event of this key, and gives its value; rejected with a `TimeoutError` after the timeout: milliseconds, or `'30s'`, `'7d'`. */
declare function waitFor(key: string, options?: { timeout?: number | string }): Promise<unknown>;
";
    assert_eq!(declared([]), expected);
}

#[test]
fn groups_are_namespaces_and_stand_behind_functions_without_one() {
    let read = function("files.read")
        .description("Reads a file.")
        .input_schema(json!({
            "type": "object",
            "properties": {
                "path": { "type": "string", "description": "Within the folder." },
                "lines": { "type": "integer", "default": 10 },
            },
            "required": ["path"],
        }))
        .output_schema(json!({ "type": "array", "items": { "type": ["string", "null"] } }));
    let exists = function("files.exists").blocking().output_schema(json!({ "type": "boolean" }));
    let text = declared([read, function("now").description("The time.\nIn UTC."), exists]);
    let expected = "
/**
 * The time.
 * In UTC.
 */
declare function now(...args: unknown[]): Promise<unknown>;

declare namespace files {
  /** Reads a file. */
  function read(input: {
    /** Within the folder. */
    path: string;
    /** @default 10 */
    lines?: number;
  }): Promise<(string | null)[]>;
  function exists(...args: unknown[]): boolean;
}
";
    assert_eq!(text.split_once("Promise<unknown>;\n").unwrap().1, expected);
}

#[test]
fn a_reserved_word_is_exported_under_its_name() {
    let text = declared([function("files.delete"), function("files.read")]);
    let expected = "declare namespace files {
  function delete_(...args: unknown[]): Promise<unknown>;
  export { delete_ as delete };
  export function read(...args: unknown[]): Promise<unknown>;
}
";
    assert_eq!(text.split_once("Promise<unknown>;\n\n").unwrap().1, expected);
}

#[test]
fn simple_types_are_their_names() {
    assert_eq!(type_of(json!({ "type": "string" })), "input: string");
    assert_eq!(type_of(json!({ "type": "integer" })), "input: number");
    assert_eq!(type_of(json!({ "type": ["string", "null"] })), "input?: string | null");
    assert_eq!(type_of(json!({ "type": "string", "nullable": true })), "input?: string | null");
    assert_eq!(type_of(json!(true)), "input?: unknown");
    assert_eq!(type_of(json!({ "not": { "type": "string" } })), "input?: unknown");
    assert_eq!(type_of(json!(false)), "input: never");
}

#[test]
fn values_are_literals() {
    assert_eq!(type_of(json!({ "type": "string", "enum": ["a", "b\"", "a"] })), r#"input: "a" | "b\"""#);
    assert_eq!(type_of(json!({ "const": -1.5 })), "input: -1.5");
    assert_eq!(
        type_of(json!({ "enum": [{ "a b": [1, null] }, {}] })),
        r#"input: { "a b": [1, null] } | { [key: string]: never }"#
    );
    assert_eq!(type_of(json!({ "enum": [] })), "input: never");
}

#[test]
fn arrays_and_tuples_follow_their_lengths() {
    let number = json!({ "type": "number" });
    let draft_7 = "http://json-schema.org/draft-07/schema#";
    assert_eq!(type_of(json!({ "type": "array" })), "input: unknown[]");
    assert_eq!(type_of(json!({ "items": number })), "input: number[]");
    assert_eq!(type_of(json!({ "items": { "enum": [1, 2] } })), "input: (1 | 2)[]");
    assert_eq!(type_of(json!({ "items": number, "minItems": 2, "maxItems": 2 })), "input: [number, number]");
    assert_eq!(
        type_of(json!({ "prefixItems": [number, true], "minItems": 1 })),
        "input: [number, unknown?, ...unknown[]]"
    );
    assert_eq!(type_of(json!({ "prefixItems": [number], "minItems": 1, "items": false })), "input: [number]");
    assert_eq!(
        type_of(json!({ "$schema": draft_7, "items": [number], "additionalItems": number })),
        "input: [number?, ...number[]]"
    );
}

#[test]
fn objects_say_what_else_they_may_have() {
    let a = json!({ "a": { "type": "number" } });
    assert_eq!(type_of(json!({ "type": "object" })), "input: { [key: string]: unknown }");
    assert_eq!(type_of(json!({ "properties": a })), "input: { a?: number }");
    assert_eq!(type_of(json!({ "properties": a, "additionalProperties": false })), "input: { a?: number }");
    assert_eq!(
        type_of(json!({ "type": "object", "additionalProperties": false })),
        "input: { [key: string]: never }"
    );
    assert_eq!(
        type_of(json!({ "additionalProperties": { "type": "string" } })),
        "input: { [key: string]: string }"
    );
    assert_eq!(
        type_of(json!({ "properties": a, "additionalProperties": { "type": "string" } })),
        "input: { a?: number; [key: string]: string | number | undefined }",
    );
    assert_eq!(
        type_of(json!({ "patternProperties": { "^x": { "type": "string" } } })),
        "input: { [key: string]: string }"
    );
    assert_eq!(type_of(json!({ "required": ["not-declared"] })), "input: { \"not-declared\": unknown }");
}

#[test]
fn choices_are_unions_and_demands_intersections() {
    let (a, b) = (json!({ "required": ["a"] }), json!({ "required": ["b"] }));
    assert_eq!(type_of(json!({ "anyOf": [a, b, a] })), "input: { a: unknown } | { b: unknown }");
    assert_eq!(type_of(json!({ "oneOf": [{ "type": "string" }, {}] })), "input?: unknown");
    assert_eq!(type_of(json!({ "allOf": [a, b] })), "input: { a: unknown } & { b: unknown }");
    assert_eq!(
        type_of(json!({ "type": "object", "properties": { "c": {} }, "anyOf": [a, b] })),
        "input: { c?: unknown } & ({ a: unknown } | { b: unknown })",
    );
}

#[test]
fn definitions_are_aliases_and_may_be_recursive() {
    let schema = json!({
        "$ref": "#/$defs/tree~1node",
        "$defs": { "tree/node": { "properties": { "children": { "items": { "$ref": "#/$defs/tree~1node" } } } } },
    });
    assert_eq!(type_of(schema.clone()), "input: FTree1node");
    assert_eq!(aliases_of(schema), ["declare type FTree1node = { children?: FTree1node[] };"]);
}

#[test]
fn a_reference_to_the_whole_is_named_by_its_role() {
    let schema = json!({ "type": "object", "properties": { "next": { "$ref": "#" } } });
    assert_eq!(type_of(schema.clone()), "input: { next?: FInput }");
    assert_eq!(aliases_of(schema), ["declare type FInput = { next?: FInput };"]);
}

#[test]
fn functions_of_a_group_share_equal_definitions_and_keep_different_ones_apart() {
    let schema = |kind: &str| json!({ "$ref": "#/$defs/id", "$defs": { "id": { "type": kind } } });
    let text = declared([
        function("users.get").input_schema(schema("string")).output_schema(schema("string")),
        function("users.put").input_schema(schema("number")),
    ]);
    let expected = "declare namespace users {
  type Id = string;
  function get(input: Id): Promise<Id>;
  type PutId = number;
  function put(input: PutId): Promise<unknown>;
}
";
    assert_eq!(text.split_once("Promise<unknown>;\n\n").unwrap().1, expected);
}

#[test]
fn definitions_that_only_lead_to_each_other_are_unknown() {
    let schema = json!({
        "type": "array",
        "items": { "$ref": "#/$defs/a" },
        "$defs": {
            "a": { "anyOf": [{ "$ref": "#/$defs/b" }, { "type": "string" }] },
            "b": { "allOf": [{ "$ref": "#/$defs/a" }] },
        },
    });
    assert_eq!(aliases_of(schema), ["declare type FA = unknown;", "declare type FB = FA;"]);
}

#[test]
fn a_list_of_itself_is_a_type_but_not_where_it_is_intersected() {
    let schema = |list: Value| json!({ "items": { "$ref": "#/$defs/a" }, "$defs": { "a": list } });
    let list = json!({ "anyOf": [{ "type": "string" }, { "items": { "$ref": "#/$defs/a" } }] });
    assert_eq!(aliases_of(schema(list)), ["declare type FA = string | FA[];"]);
    let intersected = json!({ "items": { "$ref": "#/$defs/a" }, "allOf": [{ "required": ["x"] }] });
    assert_eq!(aliases_of(schema(intersected)), ["declare type FA = unknown[] & { x: unknown };"]);
}

#[test]
fn references_to_anchors_are_unknown() {
    let schema = json!({
        "properties": { "a": { "$ref": "#here" } },
        "$defs": { "b": { "$anchor": "here", "type": "string" } },
    });
    assert_eq!(type_of(schema), "input: { a?: unknown }");
}

#[test]
fn long_objects_take_a_line_for_each_property() {
    let long = "x".repeat(60);
    let schema = json!({ "properties": { long.clone(): { "type": "string" }, "y": { "enum": ["a long text, which makes it longer than a line"] } } });
    let expected = format!(
        "input: {{\n  {long}?: string;\n  y?: \"a long text, which makes it longer than a line\";\n}}"
    );
    assert_eq!(type_of(schema), expected);
}
