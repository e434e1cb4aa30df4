//! The tools as a model sees them.

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value as Json, json};

use crate::catalogue::{Catalogue, Group};

/// More groups than this are not named.
const MOST_GROUPS: usize = 40;

/// The five tools. That of execution says what there is to call.
pub(crate) fn tools(catalogue: &Catalogue) -> Vec<Tool> {
    vec![execute(catalogue), search(), types(), status(), resume()]
}

fn execute(catalogue: &Catalogue) -> Tool {
    let description = format!(
        "Runs a script in JavaScript or TypeScript and gives its value. Use it to do a whole piece of work at once: call functions, one after the other or together with \
         `Promise.all`, loop, decide, compute, and `return` only what you need to know, as plain data.

The script is the body of an async function. It can do nothing but compute and call the functions that it is lent, each as `group.name(argument)` with one object; there is no network, \
no file system, no `require`. {}

Before you call a function, find it with `search` and read its types with `types`: names and arguments are exact. A call that fails throws an Error with a `code`; catch it where you can go on.

A call may need an answer by a person, which may take minutes or days. The result then has the state `waiting`; nothing is lost, and what was done stays done. Ask with `status` later what \
has come of it. Do not run the script again for that. After a time-out of your own, call `execute` with the very same code: it gives the run that is there instead of starting another.",
        lent(catalogue)
    );
    tool(
        "execute",
        &description,
        json!({
            "type": "object",
            "properties": {
                "code": { "type": "string", "description": "The script, for example: `const files = await docs.list({ folder: 'in' }); return files.length`" },
                "input": { "description": "What the script finds as the global `input`, so that long texts need not be put into the code." },
                "key": { "type": "string", "description": "A name of your own for this piece of work. The same key gives the same run for ever, and never does anything twice." },
                "wait_seconds": wait(),
            },
            "required": ["code"],
            "additionalProperties": false,
        }),
        Some(run_schema()),
        ToolAnnotations::new().read_only(false).destructive(true).idempotent(false).open_world(true),
    )
}

/// What there is to call, in a sentence.
fn lent(catalogue: &Catalogue) -> String {
    let groups = catalogue.groups();
    let named: Vec<String> = groups.iter().take(MOST_GROUPS).map(of_group).collect();
    let more = groups.len().saturating_sub(MOST_GROUPS);
    let more = if more > 0 { format!(", and {more} more groups") } else { String::new() };
    match catalogue.len() {
        0 => "It is lent no functions.".to_owned(),
        1 => format!("It is lent one function: {}.", named.join(", ")),
        all => format!("It is lent {all} functions: {}{more}.", named.join(", ")),
    }
}

fn of_group(Group { name, functions }: &Group) -> String {
    match (name.as_str(), functions) {
        ("", 1) => "one without a group".to_owned(),
        ("", functions) => format!("{functions} without a group"),
        (name, functions) => format!("`{name}` ({functions})"),
    }
}

fn search() -> Tool {
    tool(
        "search",
        "Finds functions that scripts can call, by words for what they do, the best first. Without words it names the groups. `types` then gives the exact types of those that you need.",
        json!({
            "type": "object",
            "properties": { "query": { "type": "string", "description": "A few words: `send letter`, `list invoices`" } },
            "additionalProperties": false,
        }),
        Some(json!({
            "type": "object",
            "properties": {
                "functions": { "type": "array", "items": {
                    "type": "object",
                    "properties": { "name": { "type": "string" }, "does": { "type": "string" } },
                    "required": ["name"],
                } },
                "more": { "type": "integer", "description": "How many more there are that fit." },
                "groups": { "type": "array", "items": {
                    "type": "object",
                    "properties": { "name": { "type": "string" }, "functions": { "type": "integer" } },
                    "required": ["name", "functions"],
                } },
            },
        })),
        looks(),
    )
}

fn types() -> Tool {
    tool(
        "types",
        "Gives TypeScript declarations of a function: what it takes, what it gives, what it does. Read them before you call it.",
        json!({
            "type": "object",
            "properties": { "name": { "type": "string", "description": "A function `mail.send`, a whole group `mail`, or a pattern `mail.list_*`" } },
            "required": ["name"],
            "additionalProperties": false,
        }),
        None,
        looks(),
    )
}

fn status() -> Tool {
    tool(
        "status",
        "Says where a run stands: what it is waiting for, or its value. Waits a while for news, so it can be asked again and again.",
        json!({
            "type": "object",
            "properties": { "run": run(), "wait_seconds": wait() },
            "required": ["run"],
            "additionalProperties": false,
        }),
        Some(run_schema()),
        looks(),
    )
}

fn resume() -> Tool {
    tool(
        "resume",
        "Answers questions that a run is waiting for, and gives what comes of it. Answer only what the person you work for has told you: an approval is theirs to give. Not every question has \
         to be answered. The first answer to a question counts for ever.",
        json!({
            "type": "object",
            "properties": {
                "run": run(),
                "answers": { "type": "array", "minItems": 1, "items": answer() },
                "wait_seconds": wait(),
            },
            "required": ["run", "answers"],
            "additionalProperties": false,
        }),
        Some(run_schema()),
        ToolAnnotations::new().read_only(false).destructive(true).idempotent(true).open_world(true),
    )
}

fn answer() -> Json {
    json!({
        "type": "object",
        "properties": {
            "question": { "type": "string", "description": "Its id: `int_…`" },
            "value": { "description": "To a question of kind `question`: the answer." },
            "approve": { "type": "boolean", "description": "To one of kind `approval`: whether the call may be made." },
            "argument": { "description": "With `approve: true`: another argument than the script's." },
            "reason": { "type": "string", "description": "With `approve: false`: why not." },
            "happened": { "description": "To one of kind `outcome-unknown`: the call was made, and gave this." },
            "did_not_happen": { "type": "boolean", "const": true, "description": "To one of kind `outcome-unknown`: the call was not made, and is to be made now." },
        },
        "required": ["question"],
        "additionalProperties": false,
    })
}

/// What `execute`, `status` and `resume` give.
fn run_schema() -> Json {
    json!({
        "type": "object",
        "properties": {
            "run": run(),
            "state": { "enum": ["completed", "failed", "cancelled", "waiting", "running"] },
            "value": { "description": "What the script has returned." },
            "error": {
                "type": "object",
                "properties": { "code": { "type": "string" }, "message": { "type": "string" } },
                "required": ["code", "message"],
            },
            "console": { "type": "array", "items": { "type": "string" } },
            "questions": { "type": "array", "items": {
                "type": "object",
                "properties": {
                    "question": { "type": "string" },
                    "kind": { "enum": ["question", "approval", "outcome-unknown"] },
                    "function": { "type": "string" },
                    "arguments": { "type": "array" },
                    "asks": { "description": "What is asked, in the function's own words." },
                    "expires_at": { "type": "integer", "description": "Milliseconds since 1970." },
                },
                "required": ["question", "kind", "function"],
            } },
            "next": { "type": "string", "description": "What to do." },
        },
        "required": ["run", "state"],
    })
}

fn run() -> Json {
    json!({ "type": "string", "description": "The run's id: `run_…`" })
}

fn wait() -> Json {
    json!({ "type": "number", "minimum": 0, "maximum": 45, "description": "How long to wait for news, in seconds. Default: 45." })
}

fn looks() -> ToolAnnotations {
    ToolAnnotations::new().read_only(true).open_world(false)
}

fn tool(
    name: &'static str,
    description: &str,
    input: Json,
    output: Option<Json>,
    hints: ToolAnnotations,
) -> Tool {
    let tool =
        Tool::new_with_raw(name, Some(description.to_owned().into()), object(input)).with_annotations(hints);
    match output {
        Some(output) => tool.with_raw_output_schema(object(output).into()),
        None => tool,
    }
}

fn object(json: Json) -> Map<String, Json> {
    match json {
        Json::Object(object) => object,
        _ => Map::new(),
    }
}
