//! The command line with an MCP server. This program is the server: it starts itself with `--serve`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod door;
#[path = "../cli/folder.rs"]
#[expect(dead_code, reason = "other tests use the rest of it")]
mod folder;
mod public;

use std::process::ExitCode;

use insta::assert_snapshot;
use intermission_testkit::McpServer;
use libtest_mimic::{Arguments, Trial};

use self::folder::Folder;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("--serve") {
        let server = McpServer::of_arguments(arguments);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(server.serve_stdio()).unwrap();
        return ExitCode::SUCCESS;
    }
    let trials = vec![
        trial("types_are_printed", types_are_printed),
        trial("a_script_is_checked", a_script_is_checked),
        trial("a_script_is_run_and_the_server_ends_with_it", a_script_is_run_and_the_server_ends_with_it),
        trial(
            "a_call_is_asked_about_and_made_when_it_is_approved",
            a_call_is_asked_about_and_made_when_it_is_approved,
        ),
        trial("looking_at_a_run_starts_no_server", looking_at_a_run_starts_no_server),
        trial("what_is_wrong_is_shown_in_the_file", what_is_wrong_is_shown_in_the_file),
        trial("a_run_that_asks_outlives_the_server", door::a_run_that_asks_outlives_the_server),
        trial("nobody_on_another_machine_is_served", door::nobody_on_another_machine_is_served),
        trial("a_client_in_typescript", door::a_client_in_typescript),
        trial("public_servers_from_the_registry", public::public_servers_from_the_registry),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(name: &str, test: fn()) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

/// A folder with a server `notes` that writes what it does into the file `log`.
pub(crate) fn folder(settings: &str, files: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(files);
    let program = std::env::current_exe().unwrap();
    let (program, log) = (program.display().to_string(), folder.path("log").display().to_string());
    let server = format!("{program:?}, \"--serve\", \"--log\", {log:?}");
    let lend = "lend = [\"add\", \"write-note\", \"hello\"]";
    let config = format!("[mcp.notes]\ncommand = [{server}]\n{lend}\n{settings}");
    folder.write("intermission.toml", config.as_bytes());
    folder
}

pub(crate) fn log(folder: &Folder) -> String {
    std::fs::read_to_string(folder.path("log")).unwrap_or_default()
}

fn types_are_printed() {
    assert_snapshot!(folder("", &[]).run(&["types"]), @r#"
    exit 0
    --- stdout
    /** What the script was started with. */
    declare const input: unknown;
    /** What the script may change: its final state is part of the result. */
    declare let data: any;
    /** Waits for an event of this key, and gives its value; rejected with a `TimeoutError` after the timeout: milliseconds, or `'30s'`, `'7d'`. */
    declare function waitFor(key: string, options?: { timeout?: number | string }): Promise<unknown>;

    declare namespace notes {
      /** The sum of two numbers. */
      function add(input: { a: number; b: number }): Promise<{ sum: number }>;
      /** Keeps a note. */
      function write_note(input: { text: string }): Promise<unknown>;
      /** Says hello */
      function hello(input?: { [key: string]: unknown } | null): Promise<unknown>;
    }
    "#);
}

fn a_script_is_checked() {
    let script =
        "notes.write_note({ txt: 'a' });\nawait notes.writenote({ text: 'a' });\nawait notes.hello();";
    assert_snapshot!(folder("", &[("a.ts", script)]).run(&["check", "a.ts"]), @r#"
    exit 1
    --- stderr
    error[ARGUMENT_INVALID]: the argument of `notes.write_note` does not fit its schema: "text" is a required property
     --> a.ts:1:1
      |
    1 | notes.write_note({ txt: 'a' });
      | ^^^^^^^^^^^^^^^^
      |
      = help: `intermission types` prints what it takes

    error[NEVER_AWAITED]: nothing waits for `notes.write_note`: it may be aborted when the script ends, and its failure is not seen
     --> a.ts:1:1
      |
    1 | notes.write_note({ txt: 'a' });
      | ^^^^^^^^^^^^^^^^
      |
      = help: put `await` before the call

    error[UNKNOWN_FUNCTION]: there is no function `notes.writenote`
     --> a.ts:2:7
      |
    2 | await notes.writenote({ text: 'a' });
      |       ^^^^^^^^^^^^^^^
      |
      = help: did you mean `notes.write_note`?
    "#);
}

fn a_script_is_run_and_the_server_ends_with_it() {
    let script = "await notes.write_note({ text: 'one' }); return (await notes.add({ a: 1, b: 2 })).sum";
    let folder = folder("", &[("a.ts", script)]);
    assert_snapshot!(folder.run(&["run", "a.ts"]), @r#"
    exit 0
    --- stdout
    3
    "#);
    assert_eq!(log(&folder), "one\nclosed\n");
}

pub(crate) const ASKING: &str = "[[policy]]\nask = \"notes.write_note\"\nwhen = 'text.startsWith(\"big\")'\nreason = \"big notes are read first\"";

fn a_call_is_asked_about_and_made_when_it_is_approved() {
    let script =
        "await notes.write_note({ text: 'small' }); return await notes.write_note({ text: 'big one' })";
    let folder = folder(ASKING, &[("a.ts", script)]);
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    assert_eq!(log(&folder), "small\nclosed\n");
    let shown = folder.run(&["inspect", "a.imt"]);
    let lines: Vec<&str> =
        shown.lines().filter(|line| line.contains("rule: ") || line.contains("reason: ")).collect();
    assert_eq!(
        lines,
        ["  rule: ask notes.write_note when text.startsWith(\"big\")", "  reason: big notes are read first"]
    );
    let id = folder.first_id();
    assert_snapshot!(folder.run(&["resume", "a.imt", "--approve", &id]), @r#"
    exit 0
    --- stdout
    "noted: big one"
    "#);
    assert_eq!(log(&folder), "small\nclosed\nbig one\nclosed\n");
}

fn looking_at_a_run_starts_no_server() {
    let folder = folder("", &[("a.ts", "return 1")]);
    folder.run(&["run", "a.ts", "--continuation", "a.imt"]);
    assert_eq!(log(&folder), "closed\n");
    folder.run(&["inspect", "a.imt"]);
    assert!(folder.run(&["replay", "a.imt"]).starts_with("exit 0"));
    assert_eq!(log(&folder), "closed\n");
}

fn what_is_wrong_is_shown_in_the_file() {
    let with = |config: &str| Folder::with(&[("intermission.toml", config)]).run(&["types"]);
    assert_snapshot!(with("[mcp.s]\ncommand = [\"no-such-program\"]"), @r#"
    exit 2
    --- stderr
    error[CONFIG_SERVER]: the MCP server `s` cannot be used: it cannot be started: no-such-program: No such file or directory (os error 2)
     --> intermission.toml:1:6
      |
    1 | [mcp.s]
      |      ^
      |
      = help: see whether it works by itself, or leave the server out
    "#);
    assert_snapshot!(with("[mcp.s]\ncomand = [\"x\"]"), @r#"
    exit 2
    --- stderr
    error[CONFIG_UNKNOWN_KEY]: there is no setting `comand` in `mcp.s`
     --> intermission.toml:2:1
      |
    2 | comand = ["x"]
      | ^^^^^^
      |
      = help: did you mean `command`?
    "#);
    assert_snapshot!(with("[mcp.s]\nlend = \"*\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_ANSWER]: the MCP server `s` has neither a command nor a url
     --> intermission.toml:1:6
      |
    1 | [mcp.s]
      |      ^
      |
      = help: say `command = ["./server"]` or `url = "https://..."`, one of them
    "#);
    assert_snapshot!(with("[mcp.s]\nurl = \"ftp://x\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `mcp.s.url`: `ftp://x/` is no URL of a service: it begins with `http://` or `https://` and a host
     --> intermission.toml:2:7
      |
    2 | url = "ftp://x"
      |       ^^^^^^^^^
    "#);
    assert_snapshot!(with("[mcp.s]\nurl = \"http://x\"\nheaders = { a = \"Bearer $\" }"), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `mcp.s.headers.a`: a `$` begins the name of a variable, `$NAME` or `${NAME}`; a dollar itself is `$$`
     --> intermission.toml:3:17
      |
    3 | headers = { a = "Bearer $" }
      |                 ^^^^^^^^^^
    "#);
    assert_snapshot!(with("[mcp.s]\ncommand = [\"true\"]\nlend = [\"[a\"]"), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `mcp.s.lend`: `[a` is no pattern: invalid range pattern
     --> intermission.toml:3:9
      |
    3 | lend = ["[a"]
      |         ^^^^
    "#);
    assert_snapshot!(with("[[policy]]\nwhen = \"a > 1\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_POLICY]: `policy[0]`: a rule has one of `allow`, `ask`, `deny`, with the functions that it is about
     --> intermission.toml:1:1
      |
    1 | [[policy]]
      | ^^^^^^^^^^
      |
      = help: for example `ask = "mail.*"`
    "#);
    assert_snapshot!(with("[[policy]]\nask = \"a\"\ndeny = \"b\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_POLICY]: `policy[0]`: a rule has one of `allow`, `ask`, `deny`, with the functions that it is about
     --> intermission.toml:1:1
      |
    1 | [[policy]]
      | ^^^^^^^^^^
      |
      = help: for example `ask = "mail.*"`
    "#);
    assert_snapshot!(with("[[policy]]\nask = \"a\"\nwhen = \"amount >\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_POLICY]: `policy[0].when`: `amount >` is no condition: it ends too early (column 9)
     --> intermission.toml:3:8
      |
    3 | when = "amount >"
      |        ^^^^^^^^^^
      |
      = help: a condition is one of CEL: `amount > 100`, `to.endsWith("@example.com")`, `has(input.note)`
    "#);
    assert_snapshot!(with("[[policy]]\nask = \"a\"\nwhen = 'to.endswith(\"x\")'"), @r#"
    exit 2
    --- stderr
    error[CONFIG_POLICY]: `policy[0].when`: `to.endswith("x")` calls `endswith`, which there is not
     --> intermission.toml:3:8
      |
    3 | when = 'to.endswith("x")'
      |        ^^^^^^^^^^^^^^^^^^
      |
      = help: did you mean `endsWith`?
    "#);
    assert_snapshot!(with("[[policy]]\nask = \"a\"\neffect = \"safe\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_POLICY]: `policy[0].effect`: there is no effect class `safe`
     --> intermission.toml:3:10
      |
    3 | effect = "safe"
      |          ^^^^^^
      |
      = help: did you mean `unsafe`?
    "#);
    assert_snapshot!(with("[policy]\nask = \"a\""), @r#"
    exit 2
    --- stderr
    error[CONFIG_VALUE]: `policy`: expected an array of tables: `[[policy]]`
     --> intermission.toml:1:1
      |
    1 | [policy]
      | ^^^^^^^^
    "#);
    let blocking = "[functions.now]\ncommand = [\"date\"]\nblocking = true\n\n[[policy]]\nask = \"*\"";
    assert_snapshot!(with(blocking), @r#"
    exit 2
    --- stderr
    error[CONFIG_POLICY]: `policy[0].ask`: `now` is blocking, so nobody can be asked about it
     --> intermission.toml:6:7
      |
    6 | ask = "*"
      |       ^^^
      |
      = help: make it an ordinary function, or allow it by a rule before
    "#);
}
