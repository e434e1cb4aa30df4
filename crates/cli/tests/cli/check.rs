//! `intermission check` and `intermission types`.

use crate::folder::Folder;
use insta::assert_snapshot;

const CONFIG: &str = r#"
[functions."files.read"]
description = "The text of a file."
command = ["true"]
input_schema = { type = "object", properties = { path = { type = "string" }, lines = { type = "integer" } }, required = ["path"], additionalProperties = false }
output_schema = { type = "string" }

[functions."files.list"]
command = ["true"]

[functions.now]
blocking = true
command = ["true"]
output_schema = { type = "number" }
"#;

fn folder(script: &str) -> Folder {
    Folder::with(&[("intermission.toml", CONFIG), ("a.ts", script)])
}

fn check(script: &str) -> String {
    folder(script).run(&["check", "a.ts"])
}

#[test]
fn what_is_neither_a_body_nor_a_module_is_found() {
    for script in ["export const a = 1; return 2", "import x from './m.js'; return x"] {
        assert!(check(script).starts_with("exit 1\n--- stderr\nerror[SOURCE_SYNTAX]: "), "{}", check(script));
    }
}

#[test]
fn a_script_in_order_has_no_findings() {
    let script = "
        const path: string = input.path;
        const [text] = await Promise.all([files.read({ path }), files.read({ path, ...input, lines: 3 })]);
        console.log(Math.max(1, now()), JSON.stringify(text), structuredClone(data).x, setTimeout(() => {}, 1));
        function helper() { return files.list.name.toString(); }
        helper();
        void files.list();
        input.items.forEach((item) => item.go());
        return files.read(input);
    ";
    assert_snapshot!(check(script), @r#"exit 0"#);
}

#[test]
fn unknown_functions_are_found_with_what_was_probably_meant() {
    assert_snapshot!(check("const a = await files.raed({ path: 'a' });\nawait file.read({ path: 'a' });\nawait fetch('http://x');"), @r#"
    exit 1
    --- stderr
    error[UNKNOWN_FUNCTION]: there is no function `files.raed`
     --> a.ts:1:17
      |
    1 | const a = await files.raed({ path: 'a' });
      |                 ^^^^^^^^^^
      |
      = help: did you mean `files.read`?

    error[UNKNOWN_FUNCTION]: there is no function `file.read`
     --> a.ts:2:7
      |
    2 | await file.read({ path: 'a' });
      |       ^^^^^^^^^
      |
      = help: did you mean `files.read`?

    error[UNKNOWN_FUNCTION]: there is no function `fetch`
     --> a.ts:3:7
      |
    3 | await fetch('http://x');
      |       ^^^^^
      |
      = help: there are: `files.read`, `files.list`, `now`
    "#);
}

#[test]
fn a_group_is_no_function() {
    assert_snapshot!(check("await files({ path: 'a' })"), @r#"
    exit 1
    --- stderr
    error[UNKNOWN_FUNCTION]: `files` is a group of functions, not a function
     --> a.ts:1:7
      |
    1 | await files({ path: 'a' })
      |       ^^^^^
      |
      = help: there are: `files.read`, `files.list`
    "#);
}

#[test]
fn what_the_realm_has_depends_on_the_profile() {
    let folder = folder("setTimeout(() => {}, 1)");
    folder.write("bare.toml", b"profile = 'bare'");
    assert_snapshot!(folder.run(&["check", "a.ts", "--config", "bare.toml"]), @r#"
    exit 1
    --- stderr
    error[UNKNOWN_FUNCTION]: there is no function `setTimeout`
     --> a.ts:1:1
      |
    1 | setTimeout(() => {}, 1)
      | ^^^^^^^^^^
      |
      = help: no functions are lent: `--config` names what lends some
    "#);
}

#[test]
fn arguments_that_are_written_out_are_checked() {
    assert_snapshot!(check("await files.read({ pth: 'a' });\nconst b = [\n  await files.read({ path: 7 as any }),\n  await files.read(),\n];"), @r#"
    exit 1
    --- stderr
    error[ARGUMENT_INVALID]: the argument of `files.read` does not fit its schema: "path" is a required property; Additional properties are not allowed ('pth' was unexpected)
     --> a.ts:1:7
      |
    1 | await files.read({ pth: 'a' });
      |       ^^^^^^^^^^
      |
      = help: `intermission types` prints what it takes

    error[ARGUMENT_INVALID]: the argument of `files.read` does not fit its schema: at /path: 7 is not of type "string"
     --> a.ts:3:9
      |
    3 |   await files.read({ path: 7 as any }),
      |         ^^^^^^^^^^
      |
      = help: `intermission types` prints what it takes

    error[ARGUMENT_INVALID]: the argument of `files.read` does not fit its schema: null is not of type "object"
     --> a.ts:4:9
      |
    4 |   await files.read(),
      |         ^^^^^^^^^^
      |
      = help: `intermission types` prints what it takes
    "#);
}

#[test]
fn calls_that_nothing_waits_for_are_found() {
    assert_snapshot!(check("files.list();\nnow();\ninput.ok && files.list();"), @r#"
    exit 1
    --- stderr
    error[NEVER_AWAITED]: nothing waits for `files.list`: it may be aborted when the script ends, and its failure is not seen
     --> a.ts:1:1
      |
    1 | files.list();
      | ^^^^^^^^^^
      |
      = help: put `await` before the call
    "#);
}

#[test]
fn a_syntax_error_is_a_finding() {
    assert_snapshot!(check("const a = ;"), @r#"
    exit 1
    --- stderr
    error[SOURCE_SYNTAX]: Unexpected token
     --> a.ts:1:11
      |
    1 | const a = ;
      |           ^
    "#);
}

#[test]
fn findings_in_a_fence_are_at_their_place_in_the_answer() {
    assert_snapshot!(check("Here is the script:\n\n```ts\nawait files.raed({ path: 'a' });\n```\n"), @r#"
    exit 1
    --- stderr
    error[UNKNOWN_FUNCTION]: there is no function `files.raed`
     --> a.ts:4:7
      |
    4 | await files.raed({ path: 'a' });
      |       ^^^^^^^^^^
      |
      = help: did you mean `files.read`?
    "#);
}

#[test]
fn findings_can_be_had_as_json() {
    let folder = folder("/* 😀 */ files.list(); 1");
    assert_snapshot!(folder.run(&["check", "a.ts", "--json"]), @r#"
    exit 1
    --- stdout
    [
      {
        "severity": "error",
        "code": "NEVER_AWAITED",
        "message": "nothing waits for `files.list`: it may be aborted when the script ends, and its failure is not seen",
        "file": "a.ts",
        "line": 1,
        "column": 10,
        "notes": [],
        "hint": "put `await` before the call"
      }
    ]
    "#);
    assert_snapshot!(folder.run_with_input(&["check", "-", "--json"], b""), @r#"
    exit 0
    --- stdout
    []
    "#);
}

#[test]
fn types_are_printed() {
    assert_snapshot!(folder("").run(&["types"]), @r#"
    exit 0
    --- stdout
    /** What the script was started with. */
    declare const input: unknown;
    /** What the script may change: its final state is part of the result. */
    declare let data: any;
    /** Waits for an event of this key, and gives its value; rejected with a `TimeoutError` after the timeout: milliseconds, or `'30s'`, `'7d'`. */
    declare function waitFor(key: string, options?: { timeout?: number | string }): Promise<unknown>;

    declare function now(input?: unknown): number;

    declare namespace files {
      /** The text of a file. */
      function read(input: { path: string; lines?: number }): Promise<string>;
      function list(input?: unknown): Promise<unknown>;
    }
    "#);
}

#[test]
fn nothing_of_a_script_is_executed() {
    let folder =
        Folder::with(&[("intermission.toml", "[functions.touch]\ncommand = [\"touch\", \"touched\"]")]);
    folder.write("a.ts", b"await touch(); for (;;);");
    assert_snapshot!(folder.run(&["check", "a.ts"]), @r#"exit 0"#);
    assert!(!folder.path("touched").exists());
}
