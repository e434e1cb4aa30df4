//! The configuration as a JSON Schema, for editors: completion, descriptions, and errors while one writes.

use serde_json::{Map, Value as Json, json};

use crate::effect::EffectName;
use crate::limits::LimitName;

/// A JSON Schema (draft 2020-12) of the configuration. It is published as `docs/intermission.schema.json`; a file names it in its first line, `#:schema
/// ../docs/intermission.schema.json`, for editors that look for it there.
///
/// ```
/// let schema = intermission_config::schema();
/// assert_eq!(schema["properties"]["strict"]["type"], "boolean");
/// ```
pub fn schema() -> Json {
    let mut schema = table(&[
        (
            "profile",
            with(
                "Which globals scripts have: what language models expect, or ECMAScript and `console`.",
                json!({ "enum": ["full", "bare"], "default": "full" }),
            ),
        ),
        ("strict", flag("A script that ends without having waited for its host calls fails.")),
        ("allow_eval", flag("`eval` and `Function` take strings.")),
        ("record_reads", flag("Each read of the clock and of randomness is an entry of the ledger.")),
        ("modules", text("The folder whose files scripts may import.")),
        ("key_file", text("The file with the keys of continuations.")),
        ("claims", text("The folder that remembers which answers were first.")),
        ("limits", limits()),
        (
            "functions",
            named(
                "Host functions of programs and HTTP services, each by its name: `name` or `\"group.name\"`.",
                "function",
            ),
        ),
        ("mcp", named("MCP servers, each by the group of its tools.", "server")),
        (
            "policy",
            with(
                "Which calls are made, asked about, denied: the first rule that matches decides.",
                json!({ "type": "array", "items": { "$ref": "#/$defs/rule" } }),
            ),
        ),
    ]);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "intermission.toml".into();
    schema["description"] = "What scripts are lent, and what they may use and do.".into();
    schema["$defs"] = json!({
        "function": function(),
        "server": server(),
        "tool": tool(),
        "rule": rule(),
        "headers": with(
            "What is sent along. `$NAME` and `${NAME}` are variables of the environment, which are never shown; `$$` is a dollar.",
            json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        ),
        "effect": with(
            "What happens to a call that was under way when the run was stopped: it is made again, under the same idempotency key; of an `unsafe` one somebody is asked first.",
            json!({ "enum": EffectName::ALL }),
        ),
        "names": json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" }, "minItems": 1 }] }),
        "duration": duration(),
    });
    schema
}

/// A length of time.
pub(crate) fn duration() -> Json {
    json!({ "type": "string", "description": "A number with a unit: `500ms`, `10s`, `2m`.", "pattern": "^\\s*[0-9]" })
}

fn function() -> Json {
    let mut function = table(&[
        ("description", text("What it does, for whoever writes scripts.")),
        ("command", command("The program that answers, and its arguments.")),
        ("env", env()),
        ("cwd", cwd()),
        ("http", http()),
        ("input_schema", argument_schema("A JSON Schema of the first argument, or a path to one.")),
        ("output_schema", argument_schema("A JSON Schema of the answer, or a path to one.")),
        ("effect", defined("effect")),
        ("approval", flag("Somebody is asked before each call that no rule of the policy is about.")),
        ("blocking", flag("The script stands still until the answer is there.")),
        ("timeout", timeout()),
    ]);
    function["oneOf"] = json!([{ "required": ["command"] }, { "required": ["http"] }]);
    function
}

fn http() -> Json {
    let mut http = table(&[
        ("url", url()),
        (
            "method",
            with(
                "With `GET` and `DELETE` there is no body.",
                json!({ "enum": ["POST", "PUT", "PATCH", "GET", "DELETE"], "default": "POST" }),
            ),
        ),
        ("headers", defined("headers")),
    ]);
    http["required"] = json!(["url"]);
    with("The service that answers.", http)
}

fn server() -> Json {
    let mut server = table(&[
        (
            "command",
            command("The program that speaks MCP on its standard input and output, and its arguments."),
        ),
        ("env", env()),
        ("cwd", cwd()),
        ("url", url()),
        ("headers", defined("headers")),
        (
            "start_timeout",
            with("How long it may take until it has told its tools. Default: 30s.", defined("duration")),
        ),
        (
            "lend",
            with(
                "Which of its tools are lent, by the server's names: patterns with `*`. Default: all.",
                defined("names"),
            ),
        ),
        ("effect", defined("effect")),
        ("approval", flag("Somebody is asked before each call of its tools.")),
        ("timeout", timeout()),
        ("tools", named("What is said of single tools, each by the server's name.", "tool")),
    ]);
    server["oneOf"] = json!([{ "required": ["command"] }, { "required": ["url"] }]);
    server
}

fn tool() -> Json {
    table(&[
        (
            "name",
            text("Its name within the group. Default: the server's, with `_` for what no identifier has."),
        ),
        ("description", text("What it does. Default: what the server says.")),
        ("effect", defined("effect")),
        ("approval", flag("Somebody is asked before each call.")),
        ("timeout", timeout()),
    ])
}

fn rule() -> Json {
    let about = |what: &str| with(&format!("{what}: patterns with `*`, such as `mail.*`."), defined("names"));
    let mut rule = table(&[
        ("allow", about("The functions whose calls are made")),
        ("ask", about("The functions about whose calls somebody is asked")),
        ("deny", about("The functions whose calls are rejected")),
        (
            "effect",
            with(
                "Only functions of this effect class, or these.",
                json!({
                    "anyOf": [{ "$ref": "#/$defs/effect" }, { "type": "array", "items": { "$ref": "#/$defs/effect" } }],
                }),
            ),
        ),
        (
            "when",
            text(
                "Only calls of which this holds, an expression of CEL: `amount > 100`, `to.endsWith(\"@example.com\")`.",
            ),
        ),
        ("name", text("How the rule is called. Default: what it says.")),
        ("reason", text("Why, for whoever is asked or denied.")),
    ]);
    rule["oneOf"] = json!([{ "required": ["allow"] }, { "required": ["ask"] }, { "required": ["deny"] }]);
    rule
}

fn limits() -> Json {
    let limits: Vec<_> = LimitName::all().map(|name| (name, LimitName::schema(name))).collect();
    with("What a run may use.", table(&limits))
}

fn table(properties: &[(&str, Json)]) -> Json {
    let properties: Map<_, _> =
        properties.iter().map(|(key, schema)| ((*key).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn named(description: &str, definition: &str) -> Json {
    with(description, json!({ "type": "object", "additionalProperties": defined(definition) }))
}

fn defined(definition: &str) -> Json {
    json!({ "$ref": format!("#/$defs/{definition}") })
}

fn with(description: &str, mut schema: Json) -> Json {
    schema["description"] = description.into();
    schema
}

fn text(description: &str) -> Json {
    with(description, json!({ "type": "string" }))
}

fn flag(description: &str) -> Json {
    with(description, json!({ "type": "boolean", "default": false }))
}

fn command(description: &str) -> Json {
    with(description, json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 }))
}

fn env() -> Json {
    let description = "The environment variables that the program gets, besides `PATH`.";
    with(description, json!({ "type": "array", "items": { "type": "string" } }))
}

fn cwd() -> Json {
    text("The program's working directory. Default: the configuration's folder.")
}

fn url() -> Json {
    with("Where it is.", json!({ "type": "string", "pattern": "^https?://" }))
}

fn timeout() -> Json {
    with("How long a call may take. Default: as long as the run.", defined("duration"))
}

fn argument_schema(description: &str) -> Json {
    with(description, json!({ "type": ["object", "boolean", "string"] }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::config::Config;
    use crate::error::Problem;

    /// The keys that a table takes, as reading one with a key too many tells.
    fn taken(config: &str) -> BTreeSet<String> {
        match Config::parse(config, Path::new("/")) {
            Err(Problem::UnknownKey { known, .. }) => known.into_iter().map(str::to_owned).collect(),
            other => panic!("{other:?}"),
        }
    }

    fn described(pointer: &str) -> BTreeSet<String> {
        let schema = schema();
        let properties = schema.pointer(pointer).and_then(Json::as_object);
        properties.unwrap().keys().cloned().collect()
    }

    #[test]
    fn it_has_every_key_of_every_table_and_no_other() {
        for (config, pointer) in [
            ("zzz = 1", "/properties"),
            ("[limits]\nzzz = 1", "/properties/limits/properties"),
            ("[functions.f]\nzzz = 1", "/$defs/function/properties"),
            ("[functions.f.http]\nzzz = 1", "/$defs/function/properties/http/properties"),
            ("[mcp.s]\nzzz = 1", "/$defs/server/properties"),
            ("[mcp.s.tools.t]\nzzz = 1", "/$defs/tool/properties"),
            ("[[policy]]\nzzz = 1", "/$defs/rule/properties"),
        ] {
            assert_eq!(described(pointer), taken(config), "{config}");
        }
    }

    #[test]
    fn it_takes_what_is_read_and_nothing_else() {
        let validator = jsonschema::validator_for(&schema()).unwrap();
        let fits = |config: &str| validator.is_valid(&toml::from_str::<Json>(config).unwrap());
        for (config, expected) in [
            ("", true),
            ("profile = \"full\"\nstrict = true\nmodules = \"lib\"", true),
            ("profile = \"other\"", false),
            ("[limits]\ndeadline = \"10s\"\nmemory = \"64MB\"\ncalls = 100", true),
            ("[limits]\ncalls = \"many\"", false),
            ("[functions.f]\ncommand = [\"true\"]\neffect = \"pure\"\ninput_schema = \"a.json\"", true),
            ("[functions.f]\ncommand = []", false),
            ("[functions.f]\ndescription = \"nobody answers\"", false),
            ("[functions.f.http]\nurl = \"https://example.com\"\nheaders = { a = \"$B\" }", true),
            ("[functions.f.http]\nurl = \"ftp://example.com\"", false),
            (
                "[mcp.s]\nurl = \"https://example.com/mcp\"\nlend = [\"read_*\"]\ntools.t.approval = true",
                true,
            ),
            ("[mcp.s]\ncommand = [\"a\"]\nurl = \"https://example.com\"", false),
            ("[[policy]]\nask = \"mail.*\"\nwhen = \"amount > 1\"\neffect = [\"unsafe\"]", true),
            ("[[policy]]\nask = \"a\"\ndeny = \"b\"", false),
        ] {
            assert_eq!(fits(config), expected, "{config}");
        }
    }

    #[test]
    fn it_is_the_one_that_is_published() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/intermission.schema.json");
        let published = std::fs::read_to_string(path).unwrap();
        let expected = format!("{:#}\n", schema());
        assert!(published == expected, "`intermission schema > docs/intermission.schema.json` mends it");
    }
}
